package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.Totals;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.webadmin.tasks.TaskProgressBar;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.tasks.WorkState;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Refresh;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/run}.
 *
 * @param version that is shown; 0 while the first one is being made
 * @param superseded which version counts instead of the one that is shown; null where that one counts
 * @param againHref address of the question before another version; null while one is being made, and for who may not ask
 */
record RunPage(
        String id,
        String range,
        String href,
        int version,
        Refresh refresh,
        ActionOutcome outcome,
        @Nullable Superseded superseded,
        @Nullable String againHref,
        WorkState state,
        Result result,
        Agencies agencies) {

    private static final int SECONDS = 2;
    private static final String ANOTHER_TASK =
            "Another one takes its place within a few minutes; where who asked for the run may not run billing any more, once"
                    + " it is due in any case.";

    static RunPage of(
            BillingDoors may,
            ShownVersion shown,
            @Nullable Task task,
            Link here,
            ActionOutcome outcome,
            Result result,
            Agencies agencies) {
        var run = shown.run();
        var open = run.isOpen();
        return new RunPage(
                run.id().toString(),
                BillingWords.range(run.id()),
                BillingWords.link(run.id()).toString(),
                shown.version(),
                TaskWords.onUpdates(Refresh.of(here, open, SECONDS), may.tasks(), task),
                outcome,
                shown.counts()
                        ? null
                        : new Superseded(
                                shown.version(),
                                run.effectiveVersion(),
                                BillingWords.link(run.id()).toString()),
                may.run() && run.allowed().contains(ReportRun.Action.RUN_AGAIN)
                        ? Link.to("billing", "runs", run.id().toString(), "again")
                                .toString()
                        : null,
                new WorkState(
                        BillingWords.status(may, run, task),
                        summary(may, run, task),
                        null,
                        open && task != null ? TaskProgressBar.of(task) : null,
                        facts(may, shown, task)),
                result,
                agencies);
    }

    /** Contents of the version that is shown; nothing while the first one is being made. */
    record Result(List<CurrencyTotals> totals, List<Download> downloads, List<Version> versions) {
        static Result of(BillingDoors may, ShownVersion shown, List<Version> versions, Amounts amounts) {
            var result = shown.result();
            return new Result(
                    result == null ? List.of() : CurrencyTotals.of(result.totals(), amounts),
                    result == null || !may.everything() ? List.of() : RunPage.downloads(shown),
                    versions);
        }
    }

    /** @param compared the version that the agencies' shares are compared with; null for none */
    record Agencies(@Nullable String compared, Listing list, List<AgencyRow> rows) {
        static Agencies of(int compared, Listing list, List<AgencyRow> rows) {
            return new Agencies(compared > 0 ? "version " + compared : null, list, rows);
        }
    }

    private static String summary(BillingDoors may, ReportRun run, @Nullable Task task) {
        var making = "Version " + run.latestVersion();
        if (!run.isOpen()) {
            return run.effectiveVersion() == 1
                    ? "Everything of this range is reported."
                    : "Version " + run.effectiveVersion() + " counts; the ones before can still be read.";
        }
        if (!may.everything()) {
            return making + " is being made.";
        }
        return switch (task == null ? TaskStatus.PENDING : task.status()) {
            case PENDING, SCHEDULED -> making + " waits for an instance to make it.";
            case RUNNING, COMPLETED -> making + " is being made.";
            case DEAD -> making + " is held up: its task was given up, and says why. " + ANOTHER_TASK;
            case CANCELLED -> making + " is held up: its task was cancelled. " + ANOTHER_TASK;
        };
    }

    private static List<Fact> facts(BillingDoors may, ShownVersion shown, @Nullable Task task) {
        var run = shown.run();
        var result = shown.result();
        return Stream.of(
                        new Fact(
                                shown.version() > 0 && shown.version() < run.latestVersion()
                                        ? "Version " + run.latestVersion() + " begun"
                                        : "Begun",
                                Moments.utc(run.startedAt()) + " by "
                                        + run.startedBy().name(),
                                null),
                        result == null ? null : new Fact("Committed", Moments.utc(result.committedAt()), null),
                        result == null ? null : new Fact("Agencies", Counts.of(result.agencies()), null),
                        result == null ? null : new Fact("Lines", Counts.of(result.lines()), null),
                        result == null ? null : new Fact("Late lines", Counts.of(result.lateLines()), null),
                        run.task() == null || !may.tasks() ? null : TaskWords.fact(run.task(), task))
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<Download> downloads(ShownVersion shown) {
        return Stream.of(Reports.Kind.values())
                .filter(kind -> kind != Reports.Kind.DIFFERENCE || shown.version() > 1)
                .map(kind -> new Download(
                        file(shown.run(), shown.version(), kind),
                        switch (kind) {
                            case LEDGER -> "Ledger";
                            case SUMMARY_CSV, SUMMARY_JSON -> "Summary";
                            case MANIFEST -> "Manifest";
                            case DIFFERENCE -> "Difference from the version before";
                        },
                        kind.fileName().endsWith(".csv") ? "CSV" : "JSON",
                        switch (kind) {
                            case LEDGER -> "Every line, in the order of arrival";
                            case SUMMARY_CSV, SUMMARY_JSON -> "What each agency has";
                            case MANIFEST -> "Counts, sums and hashes, to check all other files";
                            case DIFFERENCE -> "Lines whose shares differ, or that are gone";
                        }))
                .toList();
    }

    /** Address of a file of a version. */
    static String file(ReportRun run, int version, Reports.Kind kind) {
        return ShownVersion.on(Link.to("billing", "runs", run.id().toString(), "files", kind.fileName()), version, run)
                .toString();
    }

    /** @param format CSV or JSON */
    record Download(String href, String name, String format, String about) {}

    /** A version that is shown and does not count. */
    record Superseded(int version, int counting, String href) {}

    /**
     * @param href null while it is being made
     * @param difference address of what is different from the one before; null for none
     */
    record Version(
            String name,
            @Nullable String href,
            String committed,
            String lines,
            List<CurrencyTotals> totals,
            @Nullable String difference,
            Badge status,
            boolean shown) {

        static Version of(
                BillingDoors may,
                ReportRun run,
                int version,
                ReportRun.@Nullable Result result,
                boolean shown,
                Amounts amounts) {
            return new Version(
                    "Version " + version,
                    result == null
                            ? null
                            : ShownVersion.on(BillingWords.link(run.id()), version, run)
                                    .toString(),
                    result == null ? "" : Moments.utcSeconds(result.committedAt()),
                    result == null ? "" : Counts.of(result.lines()),
                    result == null ? List.of() : CurrencyTotals.of(result.totals(), amounts),
                    result == null || version == 1 || !may.everything()
                            ? null
                            : file(run, version, Reports.Kind.DIFFERENCE),
                    result == null
                            ? run.isMaking(version)
                                    ? new Badge("badge-info", "Being made")
                                    : new Badge("badge-warn", "Given up")
                            : version == run.effectiveVersion()
                                    ? new Badge("badge-good", "Counts")
                                    : new Badge("", "Superseded"),
                    shown);
        }
    }

    /**
     * Totals of an agency in one currency.
     *
     * @param href address of its lines
     * @param csv address of its report
     * @param difference of its share from the version before, empty where there is nothing to compare
     */
    record AgencyRow(String agency, String href, String csv, String json, CurrencyTotals totals, String difference) {

        /** One for each currency. */
        static List<AgencyRow> of(
                ShownVersion shown, AgencyTotals agency, @Nullable AgencyTotals before, Amounts amounts) {
            var link = BillingWords.link(shown.run().id(), agency.agency());
            return agency.totals().stream()
                    .map(totals -> new AgencyRow(
                            agency.agency().value(),
                            shown.on(link).toString(),
                            RunAgencyPage.file(shown, agency.agency(), RunAgencyPage.CSV),
                            RunAgencyPage.file(shown, agency.agency(), RunAgencyPage.JSON),
                            CurrencyTotals.of(totals, amounts),
                            shown.version() < 2 ? "" : difference(totals, before, amounts)))
                    .toList();
        }

        private static String difference(Totals totals, @Nullable AgencyTotals before, Amounts amounts) {
            if (before == null) {
                return "New";
            }
            return before.totals().stream()
                    .filter(was -> was.currency().equals(totals.currency()))
                    .findFirst()
                    .map(was -> was.agencyShare().compareTo(totals.agencyShare()) == 0
                            ? "None"
                            : amounts.difference(was.agencyShare(), totals.agencyShare(), totals.currency()))
                    .orElse("New");
        }
    }
}
