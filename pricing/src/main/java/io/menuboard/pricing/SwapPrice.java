package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import org.jspecify.annotations.Nullable;

/**
 * Price of swapping an option into a combo, on top of the combo's own price.
 *
 * @param store where; carries the time zone that {@code effectiveDate} means
 * @param channel through what it is sold; {@link Channel#ALL} where the channel has no price of its own
 * @param price zero or more; a negative amount is refused with {@link io.menuboard.kernel.InvalidInput}
 *     {@code NEGATIVE_AMOUNT}
 */
public record SwapPrice(
        Store store,
        Channel channel,
        ComboId combo,
        OptionId option,
        EffectiveDate effectiveDate,
        Money price,
        @Nullable EffectiveDate endDate)
        implements Price {

    public SwapPrice {
        price.refuseNegative();
    }

    /** One of which no end is known. */
    public SwapPrice(
            Store store, Channel channel, ComboId combo, OptionId option, EffectiveDate effectiveDate, Money price) {
        this(store, channel, combo, option, effectiveDate, price, null);
    }
}
