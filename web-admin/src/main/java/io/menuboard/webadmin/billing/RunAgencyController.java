package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.FileDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of one agency in a run, and its files. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing/runs/{run}/agencies/{agency}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class RunAgencyController {
    private static final ListKind LINES = ListKind.of("billing/lines", "line", "lines");

    private final ReportRuns runs;
    private final Reports reports;
    private final Lists lists;

    RunAgencyController(ReportRuns runs, Reports reports, Lists lists) {
        this.runs = runs;
        this.reports = reports;
        this.lists = lists;
    }

    @Get
    HttpResponse<?> show(HttpRequest<?> request, Access access, String run, String agency, @Nullable String version) {
        var shown = ShownVersion.findMade(access, runs, reports, run, version);
        var totals = require(access, shown, new AgencyId(agency));
        var amounts = Amounts.of(request);
        var list = shown.on(BillingWords.link(shown.run().id(), totals.agency()));
        var export = shown.on(Link.to("billing", "runs", run, "agencies", agency, RunAgencyPage.CSV));
        return lists.page(request, LINES, list, export)
                .show(
                        page -> reports.lines(access, shown.run().id(), shown.version(), totals.agency(), page),
                        content -> RunAgencyPage.of(
                                shown,
                                totals,
                                amounts,
                                content.listing(nothing(shown)),
                                content.rows(line -> RunAgencyPage.Row.of(line, amounts))));
    }

    /** Sent as it is read, whatever its size. */
    @Get(uri = "/{file:report\\.csv|report\\.json}", produces = MediaType.ALL)
    HttpResponse<InputStream> download(
            Access access, String run, String agency, String file, @Nullable String version) {
        var shown = ShownVersion.findMade(access, runs, reports, run, version);
        var id = new AgencyId(agency);
        var csv = file.equals(RunAgencyPage.CSV);
        var content = csv
                ? reports.csv(access, shown.run().id(), shown.version(), id)
                : reports.json(access, shown.run().id(), shown.version(), id);
        return FileDownload.of(
                shown.fileName(agency + (csv ? ".csv" : ".json")),
                (csv ? Reports.Kind.SUMMARY_CSV : Reports.Kind.SUMMARY_JSON).mediaType(),
                content.orElseThrow(() -> BillingWords.notFound(shown.run().id(), id)));
    }

    private AgencyTotals require(Access access, ShownVersion shown, AgencyId agency) {
        return reports.agency(access, shown.run().id(), shown.version(), agency)
                .orElseThrow(() -> BillingWords.notFound(shown.run().id(), agency));
    }

    private static Listing.Empty nothing(ShownVersion shown) {
        return new Listing.Empty(
                "There are no more lines",
                "The list ends before this page.",
                BillingWords.link(shown.run().id()).toString(),
                "All agencies of the run");
    }
}
