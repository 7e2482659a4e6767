package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/rule-confirmation}: the question before a commission rule is put.
 *
 * @param refusal why nothing was changed yet, or null
 * @param before what it says now, null where it is a new one
 */
record RuleConfirmationPage(
        Confirmation confirmation,
        @Nullable String refusal,
        String rule,
        String percent,
        String rounding,
        @Nullable Before before) {

    static RuleConfirmationPage of(CommissionRule rule, @Nullable CommissionRule before, @Nullable String refusal) {
        return new RuleConfirmationPage(
                confirmation(rule, before),
                refusal,
                rule.id(),
                BillingWords.percent(rule.rate()),
                BillingWords.rounding(rule.rounding()),
                before == null
                        ? null
                        : new Before(BillingWords.percent(before.rate()), BillingWords.rounding(before.rounding())));
    }

    private static Confirmation confirmation(CommissionRule rule, @Nullable CommissionRule before) {
        var verb = before == null ? "Add" : "Change";
        var form = RuleForm.of(rule);
        var rules = Link.to("billing", "rules");
        return Confirmation.of(
                        List.of(Reference.of("Billing", Link.to("billing")), Reference.of("Commission rules", rules)),
                        verb + " the rule " + rule.id() + "?",
                        "It counts for transactions that are recorded from now on, and for runs that are run again. What is"
                                + " reported stays as it is.",
                        verb + " the rule",
                        rules,
                        Reference.of("Back to the form", RulesController.form(form)))
                .with("commissionRule", form.commissionRule())
                .with("commissionRate", form.commissionRate())
                .with("rounding", form.rounding())
                .with("rateBefore", before == null ? "" : RuleForm.of(before).commissionRate())
                .with(
                        "roundingBefore",
                        before == null ? "" : RuleForm.of(before).rounding());
    }

    /** Whether the rate stays, and the rounding alone is another. Public because templates call nothing else. */
    public boolean keepsRate() {
        return before != null && before.percent().equals(percent);
    }

    record Before(String percent, String rounding) {}
}
