package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.TypedNumber;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fields of a commission rule, as they are sent. */
record RuleForm(String commissionRule, String commissionRate, String rounding) {

    static RuleForm of(CommissionRule rule) {
        return new RuleForm(
                rule.id(), rule.rate().toPlainString(), rule.rounding().name());
    }

    /** @throws InvalidInput naming the field that is wrong */
    CommissionRule rule() {
        Ids.check("commissionRule", commissionRule);
        var rate = Money.decimal("commissionRate", TypedNumber.rate(commissionRate));
        return new CommissionRule(
                commissionRule,
                rate,
                Stream.of(Rounding.values())
                        .filter(known -> known.name().equals(rounding))
                        .findFirst()
                        .orElseThrow(() -> new InvalidInput(
                                "INVALID_ROUNDING",
                                "rounding",
                                "must be one of "
                                        + Stream.of(Rounding.values())
                                                .map(Rounding::name)
                                                .collect(Collectors.joining(", ")))));
    }

    /** Choices, with the one that was sent. */
    List<Choice> roundings() {
        return Stream.of(Rounding.values())
                .map(known -> new Choice(
                        known.name(), BillingWords.rounding(known), known.name().equals(rounding)))
                .toList();
    }
}
