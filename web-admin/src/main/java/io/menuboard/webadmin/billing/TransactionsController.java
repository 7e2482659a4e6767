package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.Reports.Reporting;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.billing.TransactionPage.Unreported;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import org.jspecify.annotations.Nullable;

/** One transaction, and the reports that it is in. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing/transactions")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class TransactionsController {
    private final Transactions billing;
    private final Reports reports;
    private final ReportRuns runs;
    private final Views views;

    TransactionsController(Transactions billing, Reports reports, ReportRuns runs, Views views) {
        this.billing = billing;
        this.reports = reports;
        this.runs = runs;
        this.views = views;
    }

    /** Asks for a transaction's id, and goes to the transaction where there is one. */
    @Get
    HttpResponse<?> search(Access access, @Nullable String transaction) {
        if (transaction == null) {
            return views.page("billing/transactions", new TransactionSearchPage(BillingDoors.of(access), "", null));
        }
        try {
            var id = new TransactionId(transaction.strip());
            if (billing.find(access, id).isPresent()) {
                return Redirect.to(BillingWords.link(id));
            }
            return refused(access, transaction, BillingWords.notFound(id)).status(HttpStatus.NOT_FOUND);
        } catch (InvalidInput e) {
            return refused(access, transaction, e).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> refused(Access access, String transaction, InvalidInput why) {
        return views.page(
                "billing/transactions",
                new TransactionSearchPage(BillingDoors.of(access), transaction, Problem.of(why)));
    }

    @Get("/{id}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String id) {
        var asked = new TransactionId(id);
        var transaction = billing.find(access, asked).orElseThrow(() -> BillingWords.notFound(asked));
        var reported = reports.of(access, transaction);
        var reporting = reported.isPresent() ? Reporting.REPORTED : reports.reporting(access, transaction);
        if (reported.isEmpty() && reporting == Reporting.REPORTED) {
            // Its run was committed in between.
            reported = reports.of(access, transaction);
        }
        return views.page(
                "billing/transaction",
                TransactionPage.of(
                        BillingDoors.of(access),
                        transaction,
                        reported.stream().toList(),
                        unreported(access, transaction, reporting),
                        Amounts.of(request)));
    }

    /** Null where a report has it. */
    private @Nullable Unreported unreported(Access access, Transaction transaction, Reporting reporting) {
        return switch (reporting) {
            case REPORTED -> null;
            case LATE ->
                Unreported.yet("It arrived after its quarter hour was closed. The next run has it as a late line.");
            case MISSED ->
                Unreported.forEver(
                        "It arrived after its quarter hour was closed, and behind what any run looks at: no report will have it."
                                + " Record it again under another id.");
            case OPEN -> {
                var checkpoint = runs.checkpoint(access);
                yield Unreported.yet("Its quarter hour ends at "
                        + Moments.utc(transaction.place().quarter().next().start())
                        + ", and the run that closes it reports it, or the next one as a late line. A run covers "
                        + BillingWords.interval(checkpoint.interval()) + "; the next one is due at "
                        + Moments.utc(runs.nextDue()) + ".");
            }
        };
    }
}
