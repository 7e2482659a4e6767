package io.menuboard.billing.reports;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A report run: the reports of one range, in one version or several. Its methods that answer a run are its transitions, which
 * {@link DynamoRuns} saves where the run still is as it was.
 *
 * @param status of the latest version
 * @param effectiveVersion the one that counts; 0 while the first one is being made
 * @param latestVersion the one that is being made, or was made last, or given up after that
 * @param startedAt of the latest version
 * @param startedBy who asked for the latest version
 * @param task that makes, or made, the latest version; null for a moment at the start
 * @param result of the effective version; null while there is none
 */
public record ReportRun(
        RunId id,
        Status status,
        int effectiveVersion,
        int latestVersion,
        Instant startedAt,
        Actor startedBy,
        @Nullable TaskId task,
        @Nullable Result result) {

    /** Stage of a run. */
    public enum Status {
        /** A version is being made. The one before, if there is one, counts still. */
        RUNNING,
        /** None is being made: the latest one that was made counts. */
        COMMITTED
    }

    /** Something that a person may do with a run. */
    public enum Action {
        /** Have another version made. */
        RUN_AGAIN
    }

    /**
     * Contents of a version.
     *
     * @param agencies number of those that have lines in it
     * @param totals one for each currency, by code
     */
    public record Result(Instant committedAt, int agencies, List<Totals> totals) {
        public Result {
            totals = List.copyOf(totals);
        }

        /** All lines, late ones included. */
        public long lines() {
            return totals.stream().mapToLong(Totals::lines).sum();
        }

        public long lateLines() {
            return totals.stream().mapToLong(Totals::lateLines).sum();
        }
    }

    /** A run that begins, with its first version. */
    static ReportRun opened(RunId id, Instant now, Actor actor) {
        return new ReportRun(id, Status.RUNNING, 0, 1, now, actor, null, null);
    }

    /** Tells whether the latest version is the first one, which closes the range when it is committed. */
    boolean isFirstVersion() {
        return latestVersion == 1;
    }

    /** Tells whether that version is still to be made. */
    public boolean isMaking(int version) {
        return isOpen() && latestVersion == version;
    }

    /** Tells whether the latest version is still to be made. */
    public boolean isOpen() {
        return status == Status.RUNNING;
    }

    /** The actions that are possible now: another version may be made once the latest one counts. */
    public Set<Action> allowed() {
        return isOpen() ? Set.of() : Set.of(Action.RUN_AGAIN);
    }

    /** The run with another version to be made; only where {@link Action#RUN_AGAIN} is {@link #allowed}. */
    ReportRun reopened(Instant now, Actor actor) {
        require(allowed().contains(Action.RUN_AGAIN));
        return new ReportRun(id, Status.RUNNING, effectiveVersion, latestVersion + 1, now, actor, null, result);
    }

    /** The run with the task that makes its latest version; only while that is being made. */
    ReportRun madeBy(TaskId maker) {
        require(isOpen());
        return new ReportRun(id, status, effectiveVersion, latestVersion, startedAt, startedBy, maker, result);
    }

    /** The run of which the version that is being made will not be, so that the one before goes on counting; not of a first one. */
    ReportRun givenUp() {
        require(isOpen() && !isFirstVersion());
        return new ReportRun(id, Status.COMMITTED, effectiveVersion, latestVersion, startedAt, startedBy, task, result);
    }

    /** Tells whether who asked for the latest version may not run billing any more. About one read unit. */
    boolean isRefused(CurrentAccess current) {
        return !current.of(startedBy).isForAll(Permission.BILLING_RUN);
    }

    /** The run whose latest version counts; only while that is being made. */
    ReportRun committed(Result made) {
        require(isOpen());
        return new ReportRun(id, Status.COMMITTED, latestVersion, latestVersion, startedAt, startedBy, task, made);
    }

    private void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalStateException("run " + id + " is " + status + " in version " + latestVersion);
        }
    }
}
