package io.menuboard.billing.transactions;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Rate and rounding, which decide an agency's share of an amount.
 *
 * @param rate share of the amount, 0 to 1 with at most {@value #MAX_DECIMALS} decimals: 0.15 is fifteen percent
 * @param rule id of the {@link CommissionRule} that said so; null for a rate of the transaction's own
 */
public record Commission(
        BigDecimal rate, Rounding rounding, @Nullable String rule) {
    static final int MAX_DECIMALS = 6;

    /** Refuses with {@link InvalidInput} {@code INVALID_RATE} on {@code commissionRate}. */
    public Commission {
        rate = rate.signum() == 0 ? BigDecimal.ZERO : rate.stripTrailingZeros();
        if (rate.signum() < 0 || rate.compareTo(BigDecimal.ONE) > 0 || rate.scale() > MAX_DECIMALS) {
            throw new InvalidInput(
                    "INVALID_RATE",
                    "commissionRate",
                    "must be a share of 0 to 1 with at most " + MAX_DECIMALS
                            + " decimals, such as 0.15 for fifteen percent");
        }
        if (rate.scale() < 0) {
            rate = rate.setScale(0);
        }
    }

    /** A rate of the transaction's own. */
    public static Commission of(BigDecimal rate) {
        return new Commission(rate, Rounding.HALF_UP, null);
    }

    /** The agency's share; what is left of the amount is the house's. */
    public Money agencyShare(Money amount) {
        var currency = amount.currency();
        return new Money(amount.amount().multiply(rate).setScale(Money.scaleOf(currency), rounding.mode()), currency);
    }
}
