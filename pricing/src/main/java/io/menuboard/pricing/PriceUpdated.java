package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A price has changed. For consumers outside, so it holds what they need to know without asking.
 *
 * @param id the same however often the event is published and delivered: a set changes a price once
 * @param type {@code Base} or {@code Swap}
 * @param product the product's id, or {@code {combo}#{option}}
 * @param effectiveAt since when it counts
 * @param before null where there was none
 * @param after null where it was deleted
 * @param changeSet what it was changed by
 */
public record PriceUpdated(
        String id,
        StoreId store,
        Channel channel,
        String type,
        String product,
        Instant effectiveAt,
        @Nullable Money before,
        @Nullable Money after,
        String changeSet) {}
