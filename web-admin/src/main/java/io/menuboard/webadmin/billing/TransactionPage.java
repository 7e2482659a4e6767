package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/transaction}.
 *
 * @param corrects the transaction that it corrects, or null
 * @param unreported what becomes of it that is in no report; null where one has it
 */
record TransactionPage(
        String transaction,
        String kind,
        Reference agency,
        Shares shares,
        Commission commission,
        Sold sold,
        Times times,
        String recordedBy,
        @Nullable Reference corrects,
        @Nullable Unreported unreported,
        List<Row> reports) {

    static TransactionPage of(
            BillingDoors doors,
            Transaction transaction,
            List<Reports.Appearance> reports,
            @Nullable Unreported unreported,
            Amounts amounts) {
        var corrects = transaction.corrects();
        return new TransactionPage(
                transaction.id().value(),
                transaction.amount().amount().signum() < 0 ? "Refund" : "Sale",
                Reference.of(transaction.agency().value(), BillingWords.link(transaction.agency())),
                new Shares(
                        amounts.of(transaction.amount()),
                        amounts.of(transaction.agencyShare()),
                        amounts.of(transaction.houseShare())),
                Commission.of(doors, transaction),
                new Sold(transaction.product(), transaction.customer()),
                new Times(
                        Moments.utcSeconds(transaction.occurredAt()),
                        Moments.utcSeconds(transaction.receivedAt()),
                        BillingWords.quarter(transaction.place().quarter())),
                Actors.text(transaction.recordedBy()),
                corrects == null ? null : Reference.of(corrects.value(), BillingWords.link(corrects)),
                unreported,
                reports.stream()
                        .map(report -> Row.of(report, transaction, amounts))
                        .toList());
    }

    /** A state of a transaction that no report has, and why. */
    record Unreported(Badge badge, String reason) {
        static Unreported yet(String reason) {
            return new Unreported(new Badge("", "Not reported yet"), reason);
        }

        static Unreported forEver(String reason) {
            return new Unreported(new Badge("badge-bad", "In no report"), reason);
        }
    }

    record Shares(String amount, String agency, String house) {}

    /** @param source the rule that says the rate, or that the rate is the transaction's own */
    record Commission(String rate, Reference source, String rounding) {
        static Commission of(BillingDoors doors, Transaction transaction) {
            var commission = transaction.commission();
            var rule = commission.rule();
            return new Commission(
                    BillingWords.percent(commission.rate()),
                    rule == null
                            ? Reference.of("The transaction’s own", null)
                            : Reference.of(rule, doors.run() ? RulesController.link(rule) : null),
                    BillingWords.rounding(commission.rounding()));
        }
    }

    record Sold(String product, String customer) {}

    /** @param quarter quarter hour of arrival */
    record Times(String occurred, String received, String quarter) {}

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
