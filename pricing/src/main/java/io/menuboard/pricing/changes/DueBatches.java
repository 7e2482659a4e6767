package io.menuboard.pricing.changes;

import java.time.Instant;

/** What is done when a batch is said to be due. */
public interface DueBatches {

    /**
     * Applies the batch, unless its time has not come. Applying it again, or one that is not there any more, changes
     * nothing and is applied too.
     */
    Due apply(PriceBatch batch);

    /** What came of it. */
    sealed interface Due {

        /** Every change of the batch is in effect. */
        record Applied() implements Due {}

        /** Nothing was changed; ask again at that instant, not before. */
        record NotDueYet(Instant at) implements Due {}
    }
}
