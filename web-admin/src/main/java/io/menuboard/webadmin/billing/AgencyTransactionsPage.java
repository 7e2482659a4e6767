package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.Transaction;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** View model of {@code billing/agency-transactions}: what arrived for an agency in a month. */
record AgencyTransactionsPage(AgencyMonthPage month, Listing list, List<Row> rows) {

    record Row(
            String transaction,
            String href,
            String product,
            String customer,
            String received,
            String amount,
            String rate,
            String share,
            @Nullable String corrects) {

        static Row of(Transaction transaction, Amounts amounts) {
            var corrects = transaction.corrects();
            return new Row(
                    transaction.id().value(),
                    BillingWords.link(transaction.id()).toString(),
                    transaction.product(),
                    transaction.customer(),
                    Moments.utcSeconds(transaction.receivedAt()),
                    amounts.of(transaction.amount()),
                    BillingWords.percent(transaction.commission().rate()),
                    amounts.of(transaction.agencyShare()),
                    corrects == null ? null : corrects.value());
        }
    }
}
