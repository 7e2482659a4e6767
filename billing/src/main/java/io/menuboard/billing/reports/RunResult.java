package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;

/** Outcome of asking for a run, or for another version of one. */
public sealed interface RunResult {

    /** It is on its way, as a task. */
    record Started(ReportRun run) implements RunResult {}

    /** It was begun before, and is on its way or done; nothing was begun now. */
    record AlreadyStarted(ReportRun run) implements RunResult {}

    /** Every quarter hour that can be closed is closed; nothing was begun. */
    record NothingToReport(Quarter upTo) implements RunResult {}

    /** There is no such run. */
    record NotFound(RunId id) implements RunResult {}
}
