package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;

/** Price of something in one store and channel from an effective date on, until a later one takes over. */
public sealed interface Price permits BasePrice, SwapPrice {

    Store store();

    Channel channel();

    EffectiveDate effectiveDate();

    Money price();

    /** {@link #effectiveDate()} as an instant, by the store's time zone. */
    default Instant startsAt() {
        return effectiveDate().startsAt(store().timeZone());
    }
}
