package io.menuboard.querydb;

import java.util.List;

/** Some inputs of a batch were not written; {@link #keys()} are theirs and {@link #failures()} say why. */
public final class BatchNotFullyWritten extends QueryDbException {

    private static final long serialVersionUID = 1L;

    private final transient List<Outcome.Failed> failures;

    BatchNotFullyWritten(List<Outcome.Failed> failures, int inputs) {
        super(
                "batch",
                failures.stream().map(Outcome.Failed::key).toList(),
                failures.size() + " of " + inputs + " not written",
                failures.stream().anyMatch(failed -> failed.reason().maybeApplied()),
                failures.getFirst().reason());
        this.failures = List.copyOf(failures);
    }

    /** In input order, at least one. */
    public List<Outcome.Failed> failures() {
        return failures;
    }
}
