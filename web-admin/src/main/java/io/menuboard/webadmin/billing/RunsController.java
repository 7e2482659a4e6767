package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.reports.RunResult;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Progress of reports, every run, and the way to one more. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class RunsController {
    private static final Access OWN_TASKS = Access.ofSystem("pages", Actor.Source.PAGE);

    private static final ListKind LIST =
            ListKind.of("billing/runs", "run", "runs").refreshed();
    private static final String NONE = "Nothing has been reported yet";
    private static final String WHAT_FOR =
            "A run closes quarter hours and reports what came in. One is made by itself as soon as it is due.";
    private static final Listing.Empty NOTHING = new Listing.Empty(NONE, WHAT_FOR, "/billing/run-now", "Run now");
    private static final Listing.Empty NOTHING_TO_READ =
            new Listing.Empty(NONE, WHAT_FOR, "/billing/agencies", "Agencies");

    private final ReportRuns runs;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    RunsController(ReportRuns runs, TaskReads tasks, Lists lists, Views views) {
        this.runs = runs;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks again by itself while a run is on its way. */
    @Get
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String did) {
        var may = BillingDoors.of(access);
        var amounts = Amounts.of(request);
        return lists.page(request, LIST, Link.to("billing"), Link.to("billing", "runs.csv"))
                .show(
                        page -> runs.list(access, page),
                        content -> page(
                                access,
                                did,
                                content.page().nodes().stream().anyMatch(ReportRun::isOpen),
                                content.here(),
                                content.listing(may.run() ? NOTHING : NOTHING_TO_READ),
                                content.rows(run -> RunsPage.Row.of(may, run, making(run), amounts))));
    }

    @Get(uri = "/runs.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.ofRows("runs.csv", BillingCsv.RUN_COLUMNS, page -> runs.list(access, page)
                .map(BillingCsv::rows));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.BILLING_RUN)
    @Get("/run-now")
    HttpResponse<?> askForRun(Access access) {
        return askForRun(access, null);
    }

    private MutableHttpResponse<?> askForRun(Access access, @Nullable String refusal) {
        var checkpoint = runs.checkpoint(access);
        return runs.next(access)
                .map(next -> views.page("billing/run-now", RunNowPage.of(checkpoint, next, refusal)))
                .orElseGet(() -> views.page("nothing", RunNowPage.nothing(checkpoint)));
    }

    /** @param run what would be closed when the question was asked */
    @RequiresPermission(Permission.BILLING_RUN)
    @Post("/run-now")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> runNow(Access access, @Nullable String run) {
        if (run == null) {
            return askAgain(access);
        }
        var shown = RunId.parse(run);
        try {
            return run(access, shown);
        } catch (InvalidInput _) {
            return askAgain(access);
        }
    }

    private HttpResponse<?> askAgain(Access access) {
        return askForRun(access, "Other quarter hours would be closed now than when you were asked. Look once more.")
                .status(HttpStatus.CONFLICT);
    }

    private HttpResponse<?> run(Access access, RunId shown) {
        return switch (runs.run(access, shown)) {
            case RunResult.Started(var run) ->
                Redirect.to(BillingWords.link(run.id()).with(RunController.DID, "started"));
            case RunResult.AlreadyStarted(var run) ->
                Redirect.to(BillingWords.link(run.id()).with(RunController.DID, "running"));
            case RunResult.NothingToReport _, RunResult.NotFound _ -> Redirect.to(Link.to("billing", "run-now"));
        };
    }

    @RequiresPermission(Permission.BILLING_RUN)
    @Get("/interval")
    HttpResponse<?> interval(Access access) {
        var interval = runs.checkpoint(access).interval();
        return views.page(
                "billing/interval",
                new IntervalPage(Long.toString(interval.toMinutes()), BillingWords.interval(interval), null));
    }

    @RequiresPermission(Permission.BILLING_RUN)
    @Post("/interval")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> setInterval(Access access, @Nullable String interval) {
        var minutes = Objects.requireNonNullElse(interval, "").strip();
        try {
            runs.setInterval(access, minutes(minutes));
            return Redirect.to(Link.to("billing").with(RunController.DID, "interval"));
        } catch (InvalidInput e) {
            var now = BillingWords.interval(runs.checkpoint(access).interval());
            return views.page("billing/interval", new IntervalPage(minutes, now, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private RunsPage page(
            Access access, @Nullable String did, boolean open, Link here, Listing listing, List<RunsPage.Row> rows) {
        var may = BillingDoors.of(access);
        var checkpoint = runs.checkpoint(access);
        var due = runs.nextDue();
        var now = tasks.now();
        var openRun = checkpoint.open() == null
                ? null
                : runs.find(access, checkpoint.open()).orElse(null);
        return new RunsPage(
                may,
                "interval".equals(did)
                        ? "A run covers " + BillingWords.interval(checkpoint.interval()) + " from now on."
                        : null,
                RunsPage.CheckpointPanel.of(checkpoint, due, now),
                RunsPage.Alarm.of(may, checkpoint, Duration.between(due, now), openRun),
                open,
                here.toString(),
                listing,
                rows);
    }

    /** The task of a version that is being made; null where none is. */
    private @Nullable Task making(ReportRun run) {
        return !run.isOpen() || run.task() == null
                ? null
                : tasks.find(OWN_TASKS, run.task()).orElse(null);
    }

    private static Duration minutes(String text) {
        try {
            return Duration.ofMinutes(Integer.parseInt(text));
        } catch (NumberFormatException _) {
            throw new InvalidInput("INVALID_INTERVAL", "interval", "must be a whole number of minutes");
        }
    }
}
