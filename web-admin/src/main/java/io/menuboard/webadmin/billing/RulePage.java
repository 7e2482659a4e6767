package io.menuboard.webadmin.billing;

import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/rule}: the form of a commission rule.
 *
 * @param existing whether it is there already
 * @param problem what is wrong with what was sent, or null
 */
record RulePage(
        RuleForm form,
        List<Choice> roundings,
        boolean existing,
        @Nullable Problem problem) {

    static RulePage of(RuleForm form, boolean existing, @Nullable Problem problem) {
        return new RulePage(form, form.roundings(), existing, problem);
    }

    /** Tells whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
