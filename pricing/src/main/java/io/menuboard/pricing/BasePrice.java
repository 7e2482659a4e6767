package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import org.jspecify.annotations.Nullable;

/**
 * Price of a product by itself.
 *
 * @param store where; carries the time zone that {@code effectiveDate} means
 * @param channel through what it is sold; {@link Channel#ALL} where the channel has no price of its own
 * @param price zero or more; a negative amount is refused with {@link io.menuboard.kernel.InvalidInput}
 *     {@code NEGATIVE_AMOUNT}
 */
public record BasePrice(
        Store store,
        Channel channel,
        ProductId product,
        EffectiveDate effectiveDate,
        Money price,
        @Nullable EffectiveDate endDate)
        implements Price {

    public BasePrice {
        price.refuseNegative();
    }

    /** One of which no end is known. */
    public BasePrice(Store store, Channel channel, ProductId product, EffectiveDate effectiveDate, Money price) {
        this(store, channel, product, effectiveDate, price, null);
    }
}
