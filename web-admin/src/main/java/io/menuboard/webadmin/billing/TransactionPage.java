package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/transaction}.
 *
 * @param commission where its rate is from
 * @param ruleHref address of the rule that said it; null for a rate of the transaction's own
 * @param corrects the transaction that it corrects, or null
 * @param waits when a report has it, in words; null where one has
 */
record TransactionPage(
        String transaction,
        String agency,
        String agencyHref,
        String kind,
        String amount,
        String agencyShare,
        String houseShare,
        String rate,
        String commission,
        @Nullable String ruleHref,
        String rounding,
        String product,
        String customer,
        String occurred,
        String received,
        String quarter,
        String recordedBy,
        @Nullable String corrects,
        @Nullable String correctsHref,
        @Nullable String waits,
        List<Row> reports) {

    static TransactionPage of(
            Transaction transaction, List<Reports.Appearance> reports, @Nullable String waits, Amounts amounts) {
        var commission = transaction.commission();
        var rule = commission.rule();
        var corrects = transaction.corrects();
        return new TransactionPage(
                transaction.id().value(),
                transaction.agency().value(),
                BillingWords.link(transaction.agency()).toString(),
                transaction.amount().amount().signum() < 0 ? "Refund" : "Sale",
                amounts.of(transaction.amount()),
                amounts.of(transaction.agencyShare()),
                amounts.of(transaction.houseShare()),
                BillingWords.percent(commission.rate()),
                rule == null ? "The transaction’s own" : rule,
                rule == null ? null : RulesController.link(rule).toString(),
                BillingWords.rounding(commission.rounding()),
                transaction.product(),
                transaction.customer(),
                Moments.utcSeconds(transaction.occurredAt()),
                Moments.utcSeconds(transaction.receivedAt()),
                BillingWords.quarter(transaction.place().quarter()),
                Actors.text(transaction.recordedBy()),
                corrects == null ? null : corrects.value(),
                corrects == null ? null : BillingWords.link(corrects).toString(),
                waits,
                reports.stream()
                        .map(report -> Row.of(report, transaction, amounts))
                        .toList());
    }

    /** A report that it is in. */
    record Row(
            String range,
            String href,
            String linesHref,
            String version,
            String rate,
            String share,
            @Nullable String late) {

        static Row of(Reports.Appearance report, Transaction transaction, Amounts amounts) {
            var run = report.run().id();
            var line = report.line();
            return new Row(
                    BillingWords.range(run),
                    BillingWords.link(run).toString(),
                    BillingWords.link(run, transaction.agency()).toString(),
                    Integer.toString(report.run().effectiveVersion()),
                    BillingWords.percent(line.transaction().commission().rate()),
                    amounts.of(line.transaction().agencyShare()),
                    line.late() ? "Late" : null);
        }
    }
}
