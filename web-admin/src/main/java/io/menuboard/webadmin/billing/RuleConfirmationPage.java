package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.CommissionRule;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/rule-confirmation}: the question before a commission rule is put.
 *
 * @param before what it says now, null where it is a new one
 * @param backHref address of the form with these fields
 */
record RuleConfirmationPage(
        RuleForm form,
        String percent,
        String rounding,
        @Nullable Before before,
        String question,
        String confirmation,
        String backHref) {

    static RuleConfirmationPage of(CommissionRule rule, @Nullable CommissionRule before) {
        return new RuleConfirmationPage(
                RuleForm.of(rule),
                BillingWords.percent(rule.rate()),
                BillingWords.rounding(rule.rounding()),
                before == null
                        ? null
                        : new Before(BillingWords.percent(before.rate()), BillingWords.rounding(before.rounding())),
                (before == null ? "Add the rule " : "Change the rule ") + rule.id() + "?",
                before == null ? "Add the rule" : "Change the rule",
                RulesController.form(RuleForm.of(rule)).toString());
    }

    record Before(String percent, String rounding) {}
}
