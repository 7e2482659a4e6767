package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/rules}.
 *
 * @param editable whether who looks at it may change rules
 */
record RulesPage(@Nullable String notice, boolean editable, Listing list, List<Row> rows) {

    record Row(String rule, String href, String rate, String percent, String rounding) {
        static Row of(CommissionRule rule) {
            return new Row(
                    rule.id(),
                    RulesController.link(rule.id()).toString(),
                    rule.rate().toPlainString(),
                    BillingWords.percent(rule.rate()),
                    BillingWords.rounding(rule.rounding()));
        }
    }
}
