package io.menuboard.pricing.current;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One product, or one option of a combo, that is sold.
 *
 * @param channel whose price it is: the menu's, or {@link Channel#ALL} where that has none of its own
 * @param startsAt since when that price counts
 * @param endsAt when another version takes over, or the price ends; null where nothing of the kind is planned
 */
public record MenuItem(
        PriceSubject subject,
        Channel channel,
        Money price,
        Instant startsAt,
        @Nullable Instant endsAt) {}
