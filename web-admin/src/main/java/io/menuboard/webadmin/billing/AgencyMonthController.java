package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
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
import java.time.YearMonth;

/** Pages of an agency's month: the statement, and the transactions that arrived. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing/agencies/{agency}/{month}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class AgencyMonthController {
    private static final ListKind REPORTS = ListKind.of("billing/statement", "report", "reports");
    private static final ListKind TRANSACTIONS =
            ListKind.of("billing/agency-transactions", "transaction", "transactions");

    private final Transactions billing;
    private final Reports reports;
    private final Lists lists;

    AgencyMonthController(Transactions billing, Reports reports, Lists lists) {
        this.billing = billing;
        this.reports = reports;
        this.lists = lists;
    }

    /** Address of what arrived in a month. */
    static Link transactions(AgencyId agency, YearMonth month) {
        return Link.to("billing", "agencies", agency.value(), month.toString(), "transactions");
    }

    @Get
    HttpResponse<?> statement(HttpRequest<?> request, Access access, String agency, String month) {
        var id = AgencyController.require(access, billing, agency);
        var asked = Moments.parseMonth("month", month);
        var statement = reports.statement(access, id, asked);
        var amounts = Amounts.of(request);
        var export = Link.to("billing", "agencies", agency, month, "statement.csv");
        return lists.page(request, REPORTS, BillingWords.link(id, asked), export)
                .show(
                        page -> page(statement, page),
                        content -> new StatementPage(
                                AgencyMonthPage.of(id, asked, false),
                                CurrencyTotals.of(statement.totals(), amounts),
                                content.listing(nothingReported(id, asked)),
                                content.page().nodes().stream()
                                        .flatMap(report -> StatementPage.Row.of(report, amounts).stream())
                                        .toList()));
    }

    @Get(uri = "/statement.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportStatement(Access access, String agency, String month) {
        var id = AgencyController.require(access, billing, agency);
        var asked = Moments.parseMonth("month", month);
        var statement = reports.statement(access, id, asked);
        return CsvDownload.ofRows(
                "statement-" + asked + "-" + agency + ".csv",
                BillingCsv.STATEMENT_COLUMNS,
                page -> page(statement, page).map(report -> BillingCsv.rows(asked, report)));
    }

    /** Runs sort as their ranges do. */
    private static Page<AgencyTotals> page(Reports.Statement statement, PageRequest page) {
        return Page.of(statement.reports(), report -> report.run().toString(), page);
    }

    @Get("/transactions")
    HttpResponse<?> transactions(HttpRequest<?> request, Access access, String agency, String month) {
        var id = AgencyController.require(access, billing, agency);
        var asked = Moments.parseMonth("month", month);
        var amounts = Amounts.of(request);
        var export = Link.to("billing", "agencies", agency, month, "transactions.csv");
        return lists.page(request, TRANSACTIONS, transactions(id, asked), export)
                .show(
                        page -> billing.ofAgency(access, id, asked, page),
                        content -> new AgencyTransactionsPage(
                                AgencyMonthPage.of(id, asked, true),
                                content.listing(nothingArrived(id, asked)),
                                content.rows(transaction -> AgencyTransactionsPage.Row.of(transaction, amounts))));
    }

    @Get(uri = "/transactions.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportTransactions(Access access, String agency, String month) {
        var id = AgencyController.require(access, billing, agency);
        var asked = Moments.parseMonth("month", month);
        return CsvDownload.ofRows(
                "transactions-" + asked + "-" + agency + ".csv",
                BillingCsv.TRANSACTION_COLUMNS,
                page -> billing.ofAgency(access, id, asked, page).map(BillingCsv::rows));
    }

    private static Listing.Empty nothingReported(AgencyId agency, YearMonth month) {
        return new Listing.Empty(
                "No report of " + Moments.month(month) + " has anything of this agency",
                "What arrived may not be reported yet.",
                transactions(agency, month).toString(),
                "Show what arrived in that month");
    }

    private static Listing.Empty nothingArrived(AgencyId agency, YearMonth month) {
        return new Listing.Empty(
                "Nothing arrived in " + Moments.month(month),
                "Transactions are listed by the month of UTC that they arrived in, whenever they happened.",
                BillingWords.link(agency).toString(),
                "All months of the agency");
    }
}
