package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.RunResult;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.FileDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run: how far it is, what each of its versions has, and the way to another version. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing/runs/{run}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class RunController {
    private static final Access OWN_TASKS = Access.ofSystem("pages", Actor.Source.PAGE);

    /** Says on the page after an action what was done. */
    static final String DID = "did";

    private static final ListKind AGENCIES =
            ListKind.of("billing/run", "agency", "agencies").refreshed();

    private final ReportRuns runs;
    private final Reports reports;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    RunController(ReportRuns runs, Reports reports, TaskReads tasks, Lists lists, Views views) {
        this.runs = runs;
        this.reports = reports;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks again by itself while a version is being made. */
    @Get
    HttpResponse<?> show(
            HttpRequest<?> request, Access access, String run, @Nullable String version, @Nullable String did) {
        return show(
                request,
                access,
                ShownVersion.find(access, runs, reports, run, version),
                ActionOutcome.done(notice(did)));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.BILLING_RUN)
    @Get("/again")
    HttpResponse<?> askAgain(HttpRequest<?> request, Access access, String run) {
        var shown = ShownVersion.findMade(access, runs, reports, run, null);
        if (!shown.run().allowed().contains(ReportRun.Action.RUN_AGAIN)) {
            return show(
                            request,
                            access,
                            shown,
                            ActionOutcome.refused(
                                    "A version is being made already. It can be run again when that is done."))
                    .status(HttpStatus.CONFLICT);
        }
        return views.page(
                "billing/run-again",
                RunAgainPage.of(shown.run(), Objects.requireNonNull(shown.result()), Amounts.of(request)));
    }

    /** @param latest the last version when the question was asked, also one that was given up */
    @RequiresPermission(Permission.BILLING_RUN)
    @Post("/again")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> again(HttpRequest<?> request, Access access, String run, @Nullable String latest) {
        var shown = ShownVersion.findMade(access, runs, reports, run, null);
        var last = shown.run().latestVersion();
        if (!Integer.toString(shown.run().isOpen() ? last - 1 : last).equals(latest)) {
            return show(
                            request,
                            access,
                            shown,
                            ActionOutcome.refused("It was run again since that question was asked. Nothing was begun."))
                    .status(HttpStatus.CONFLICT);
        }
        return switch (runs.runAgain(access, shown.run().id(), shown.run().effectiveVersion())) {
            case RunResult.Started(var again) -> redirect(again, "again");
            case RunResult.AlreadyStarted(var running) -> redirect(running, "running");
            case RunResult.NothingToReport _, RunResult.NotFound _ ->
                throw BillingWords.notFound(shown.run().id());
        };
    }

    /** Sent as it is read, whatever its size. */
    @Get(uri = "/files/{file}", produces = MediaType.ALL)
    HttpResponse<InputStream> download(Access access, String run, String file, @Nullable String version) {
        var shown = ShownVersion.findMade(access, runs, reports, run, version);
        var kind = Stream.of(Reports.Kind.values())
                .filter(known -> known.fileName().equals(file))
                .findFirst()
                .orElseThrow(() -> BillingWords.noFile(file));
        var content = reports.file(access, shown.run().id(), shown.version(), kind)
                .orElseThrow(() -> BillingWords.noFile(file));
        return FileDownload.of(shown.fileName(file), kind.mediaType(), content);
    }

    private MutableHttpResponse<?> show(
            HttpRequest<?> request, Access access, ShownVersion shown, ActionOutcome outcome) {
        var may = BillingDoors.of(access);
        var run = shown.run();
        var amounts = Amounts.of(request);
        var export = may.everything()
                ? shown.on(Link.to("billing", "runs", run.id().toString(), "files", "summary.csv"))
                : null;
        var compared = compared(access, shown);
        return lists.page(request, AGENCIES, shown.on(BillingWords.link(run.id())), export)
                .show(
                        page -> shown.result() == null
                                ? Page.<AgencyTotals>empty()
                                : reports.agencies(access, run.id(), shown.version(), page),
                        content -> RunPage.of(
                                may,
                                shown,
                                run.task() == null
                                        ? null
                                        : tasks.find(OWN_TASKS, run.task()).orElse(null),
                                content.here(),
                                outcome,
                                RunPage.Result.of(may, shown, versions(access, shown, amounts), amounts),
                                RunPage.Agencies.of(
                                        compared,
                                        content.listing(nothing(may, shown)),
                                        rows(access, shown, compared, content.page(), amounts))));
    }

    private List<RunPage.AgencyRow> rows(
            Access access, ShownVersion shown, int compared, Page<AgencyTotals> page, Amounts amounts) {
        var agencies = page.nodes();
        var before = compared == 0
                ? Map.<AgencyId, AgencyTotals>of()
                : reports.agencies(
                        access,
                        shown.run().id(),
                        compared,
                        agencies.stream().map(AgencyTotals::agency).toList());
        return agencies.stream()
                .flatMap(agency -> RunPage.AgencyRow.of(shown, agency, before.get(agency.agency()), amounts).stream())
                .toList();
    }

    /** Latest first; none where there is but one. */
    private List<RunPage.Version> versions(Access access, ShownVersion shown, Amounts amounts) {
        var run = shown.run();
        var may = BillingDoors.of(access);
        return run.latestVersion() == 1
                ? List.of()
                : IntStream.iterate(run.latestVersion(), version -> version >= 1, version -> version - 1)
                        .mapToObj(version -> RunPage.Version.of(
                                may,
                                run,
                                version,
                                version == run.effectiveVersion()
                                        ? run.result()
                                        : reports.version(access, run.id(), version)
                                                .orElse(null),
                                version == shown.version(),
                                amounts))
                        .toList();
    }

    /** The last version that was made before the one that is shown: some are given up. 0 where there is none. */
    private int compared(Access access, ShownVersion shown) {
        return IntStream.iterate(shown.version() - 1, version -> version >= 1, version -> version - 1)
                .filter(version ->
                        reports.version(access, shown.run().id(), version).isPresent())
                .findFirst()
                .orElse(0);
    }

    private static Listing.Empty nothing(BillingDoors may, ShownVersion shown) {
        if (shown.result() == null) {
            return new Listing.Empty(
                    "Nothing is reported yet",
                    "What each agency has is listed here once the first version is made.",
                    "/billing",
                    "All runs");
        }
        return may.everything()
                ? new Listing.Empty(
                        "Nothing came in",
                        "No transactions arrived in this range, and none were late. Its quarter hours are closed all the same.",
                        "/billing",
                        "All runs")
                : new Listing.Empty(
                        "Nothing of yours came in",
                        "No agency that you may see has a line in this run.",
                        "/billing",
                        "All runs");
    }

    private static @Nullable String notice(@Nullable String did) {
        return switch (Objects.requireNonNullElse(did, "")) {
            case "started" -> "The run is on its way. This page shows how far it is.";
            case "running" -> "A run was on its way already: this one.";
            case "again" -> "Another version is on its way. Until it is made, the one before counts.";
            default -> null;
        };
    }

    private static HttpResponse<?> redirect(ReportRun run, String did) {
        return Redirect.to(BillingWords.link(run.id()).with(DID, did));
    }
}
