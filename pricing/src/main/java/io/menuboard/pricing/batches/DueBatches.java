package io.menuboard.pricing.batches;

import io.menuboard.access.Access;
import java.time.Instant;

/** Use case of messages that say that a batch is due. */
public interface DueBatches {

    /**
     * Applies the batch, unless its time has not come. Applying it again, or one that is not there any more, changes
     * nothing and is applied too.
     */
    Due apply(Access access, PriceBatch batch);

    /** Outcome of a message. */
    sealed interface Due {

        /** Every change of the batch is in effect. */
        record Applied() implements Due {}

        /** Nothing was changed; ask again at that instant, not before. */
        record NotDueYet(Instant at) implements Due {}
    }
}
