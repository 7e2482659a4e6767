package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
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
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shares of an agency, month by month. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing/agencies/{agency}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class AgencyController {
    private final Transactions billing;
    private final Reports reports;
    private final TaskReads tasks;
    private final Views views;

    AgencyController(Transactions billing, Reports reports, TaskReads tasks, Views views) {
        this.billing = billing;
        this.reports = reports;
        this.tasks = tasks;
        this.views = views;
    }

    @Get
    HttpResponse<?> show(HttpRequest<?> request, Access access, String agency, @Nullable String to) {
        var id = require(access, billing, agency);
        var today = today();
        var amounts = Amounts.of(request);
        try {
            var last = month(to, today);
            return views.page(
                    "billing/agency", AgencyPage.of(id, last, today, null, statements(access, id, last), amounts));
        } catch (InvalidInput e) {
            var page = AgencyPage.of(id, today, today, Problem.of(e), statements(access, id, today), amounts);
            return views.page("billing/agency", page).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/months.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, String agency, @Nullable String to) {
        var id = require(access, billing, agency);
        var statements = statements(access, id, month(to, today()));
        return CsvDownload.ofRows("months-" + agency + ".csv", BillingCsv.MONTH_COLUMNS, page -> Page.of(
                        statements, statement -> statement.month().toString(), page)
                .map(BillingCsv::rows));
    }

    private List<Reports.Statement> statements(Access access, AgencyId agency, YearMonth to) {
        return reports.totals(access, agency, to.minusMonths(AgencyPage.MONTHS - 1L), to);
    }

    /** Months to come have nothing, so that asking for one is asking for today's. */
    private static YearMonth month(@Nullable String text, YearMonth today) {
        var asked = Objects.requireNonNullElse(text, "").strip();
        var month = asked.isEmpty() ? today : Moments.parseMonth("to", asked);
        return month.isAfter(today) ? today : month;
    }

    private YearMonth today() {
        return YearMonth.from(tasks.now().atOffset(ZoneOffset.UTC));
    }

    /** @throws InvalidInput where there is no such agency */
    static AgencyId require(Access access, Transactions billing, String agency) {
        var id = new AgencyId(agency);
        if (!billing.isAgency(access, id)) {
            throw BillingWords.notFound(id);
        }
        return id;
    }
}
