package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.FileDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one agency has in a run, line by line, and as files. */
@Controller("/billing/runs/{run}/agencies/{agency}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class RunAgencyController {
    private static final Listing.Noun NOUN = new Listing.Noun("line", "lines");

    private final ReportRuns runs;
    private final Reports reports;
    private final PageLimits limits;
    private final Views views;

    RunAgencyController(ReportRuns runs, Reports reports, PageLimits limits, Views views) {
        this.runs = runs;
        this.reports = reports;
        this.limits = limits;
        this.views = views;
    }

    @Get
    HttpResponse<?> show(HttpRequest<?> request, String run, String agency, @Nullable String version) {
        var shown = ShownVersion.findMade(runs, reports, run, version);
        var totals = require(shown, new AgencyId(agency));
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = shown.on(BillingWords.link(shown.run().id(), totals.agency()));
        var amounts = Amounts.of(request);
        try {
            var page = reports.lines(shown.run().id(), shown.version(), totals.agency(), paging.request());
            var export = Link.to("billing", "runs", run, "agencies", agency, RunAgencyPage.CSV);
            var listing = Listing.of(List.of(), paging, list, shown.on(export), page, NOUN, nothing(shown));
            var rows = page.nodes().stream()
                    .map(line -> RunAgencyPage.Row.of(line, amounts))
                    .toList();
            return views.live(
                    request,
                    "billing/lines",
                    RunAgencyPage.of(shown, totals, amounts, listing, rows),
                    paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(List.of(), paging, list, e);
            return views.live(
                            request,
                            "billing/lines",
                            RunAgencyPage.of(shown, totals, amounts, listing, List.of()),
                            list)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    /** Sent as it is read, whatever its size. */
    @Get(uri = "/{file:report\\.csv|report\\.json}", produces = MediaType.ALL)
    HttpResponse<InputStream> download(String run, String agency, String file, @Nullable String version) {
        var shown = ShownVersion.findMade(runs, reports, run, version);
        var id = new AgencyId(agency);
        var csv = file.equals(RunAgencyPage.CSV);
        var content = csv
                ? reports.csv(shown.run().id(), shown.version(), id)
                : reports.json(shown.run().id(), shown.version(), id);
        return FileDownload.of(
                shown.fileName(agency + (csv ? ".csv" : ".json")),
                (csv ? Reports.Kind.SUMMARY_CSV : Reports.Kind.SUMMARY_JSON).mediaType(),
                content.orElseThrow(() -> BillingWords.notFound(shown.run().id(), id)));
    }

    private AgencyTotals require(ShownVersion shown, AgencyId agency) {
        return reports.agency(shown.run().id(), shown.version(), agency)
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
