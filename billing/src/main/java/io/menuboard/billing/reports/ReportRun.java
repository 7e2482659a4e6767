package io.menuboard.billing.reports;

import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report run: the reports of one range, in one version or several.
 *
 * @param status of the latest version
 * @param version that counts; 0 while the first one is being made
 * @param making version that is being made, or was made last
 * @param startedAt of the latest version
 * @param startedBy who asked for the latest version
 * @param task that makes, or made, the latest version; null for a moment at the start
 * @param result of the version that counts; null while there is none
 */
public record ReportRun(
        RunId id,
        Status status,
        int version,
        int making,
        Instant startedAt,
        String startedBy,
        @Nullable TaskId task,
        @Nullable Result result) {

    /** How far a run is. */
    public enum Status {
        /** A version is being made. The one before, if there is one, counts still. */
        RUNNING,
        /** The latest version counts. */
        COMMITTED
    }

    /**
     * What a version has.
     *
     * @param agencies how many have lines in it
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
}
