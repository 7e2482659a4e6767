package io.menuboard.querydb;

import java.util.List;

/**
 * Results of a batch.
 *
 * @param outcomes one per input, in input order
 */
public record BatchResult(List<Outcome> outcomes) {

    public BatchResult {
        outcomes = List.copyOf(outcomes);
    }

    /** The inputs that failed, in input order. */
    public List<Outcome.Failed> failures() {
        return outcomes.stream()
                .filter(Outcome.Failed.class::isInstance)
                .map(Outcome.Failed.class::cast)
                .toList();
    }

    /** Returns this; throws {@link BatchNotFullyWritten} unless every input was written. */
    public BatchResult orThrow() {
        var failures = failures();
        if (!failures.isEmpty()) {
            throw new BatchNotFullyWritten(failures, outcomes.size());
        }
        return this;
    }
}
