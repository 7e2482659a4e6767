package io.menuboard.billing.transactions;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rate under a name, for many transactions. Changing it counts for transactions recorded from then on, and for reports
 * that are run again.
 *
 * @param id 1 to 64 characters as {@link Ids} allows, refused on field {@code commissionRule}
 * @param rate as {@link Commission#rate}
 * @param updated when it was set to that, and by whom; null of what is to be set, and where an earlier version set it
 */
public record CommissionRule(
        String id,
        BigDecimal rate,
        Rounding rounding,
        @Nullable Update updated) {
    public CommissionRule {
        Ids.check("commissionRule", id);
        rate = new Commission(rate, rounding, id).rate();
    }

    /** One that is to be set. */
    public CommissionRule(String id, BigDecimal rate, Rounding rounding) {
        this(id, rate, rounding, null);
    }

    /** Somebody set it then. */
    public record Update(Instant at, Actor by) {}

    CommissionRule with(Update update) {
        return new CommissionRule(id, rate, rounding, update);
    }

    public Commission commission() {
        return new Commission(rate, rounding, id);
    }
}
