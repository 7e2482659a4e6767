package io.menuboard.billing.transactions;

import io.menuboard.kernel.Ids;
import java.math.BigDecimal;

/**
 * A rate under a name, for many transactions. Changing it counts for transactions recorded from then on, and for reports
 * that are run again.
 *
 * @param id 1 to 64 characters as {@link Ids} allows, refused on field {@code commissionRule}
 * @param rate as {@link Commission#rate}
 */
public record CommissionRule(String id, BigDecimal rate, Rounding rounding) {
    public CommissionRule {
        Ids.check("commissionRule", id);
        rate = new Commission(rate, rounding, id).rate();
    }

    public Commission commission() {
        return new Commission(rate, rounding, id);
    }
}
