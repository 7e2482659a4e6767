package io.menuboard.billing.transactions;

import io.menuboard.kernel.InvalidInput;

/** Outcome of recording one transaction. */
public sealed interface RecordOutcome {

    /** It is recorded, now. */
    record Recorded(Transaction transaction) implements RecordOutcome {}

    /** It was recorded before, with the same body; nothing was written. */
    record Replayed(Transaction transaction) implements RecordOutcome {}

    /** Another transaction was recorded under its id; nothing was written but that its agency is known. */
    record Conflict(Transaction existing, RecordTransaction given) implements RecordOutcome {}

    /** It breaks a rule; nothing was written. */
    record Refused(InvalidInput reason) implements RecordOutcome {}

    /**
     * The table failed, after all retries, for it or for others of the same call; or what it names was written by another version
     * and this one cannot read it; or its id is taken by a transaction that somebody removed by hand; or this became of what it
     * corrects, earlier in the same call or file; or its writes came after their quarter hour was sealed, again and again. It may be
     * recorded; recording it again tells.
     */
    record NotSaved(TransactionId id) implements RecordOutcome {}
}
