package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Price of something in one store and channel from an effective date on, until a later one takes over. */
public sealed interface Price permits BasePrice, SwapPrice {

    Store store();

    Channel channel();

    /**
     * From when it counts, on the store's clock; for a price of {@link Channel#ALL} which a channel has that has none of its own,
     * from when it counts in that, also where the channel had one of its own until later.
     */
    EffectiveDate effectiveDate();

    Money price();

    /**
     * From when something else counts, on the store's clock: another version, or none, or for a price of {@link Channel#ALL} which
     * a channel has that has none of its own, the one that it gets. Null while nothing of the kind is planned, and in a price that
     * was not read.
     */
    @Nullable
    EffectiveDate endDate();

    /** {@link #effectiveDate()} as an instant, by the store's time zone. */
    default Instant startsAt() {
        return effectiveDate().startsAt(store().timeZone());
    }

    /** {@link #endDate()} as an instant, by the store's time zone; null for none. */
    default @Nullable Instant endsAt() {
        var end = endDate();
        return end == null ? null : end.startsAt(store().timeZone());
    }

    /** The same, which counts until that date at most; until its own end for null. */
    default Price endingBy(@Nullable EffectiveDate date) {
        var end = endDate();
        if (date == null || (end != null && end.compareTo(date) <= 0)) {
            return this;
        }
        return switch (this) {
            case BasePrice(var store, var channel, var product, var since, var price, var _) ->
                new BasePrice(store, channel, product, since, price, date);
            case SwapPrice(var store, var channel, var combo, var option, var since, var price, var _) ->
                new SwapPrice(store, channel, combo, option, since, price, date);
        };
    }
}
