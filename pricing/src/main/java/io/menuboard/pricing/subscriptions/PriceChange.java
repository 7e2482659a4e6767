package io.menuboard.pricing.subscriptions;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.PriceSubject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Change of the price that is in effect for a product or option.
 *
 * @param at since when it counts, a whole second
 * @param before null where there was none
 * @param after null where there is none any more
 * @param changeSet null where the price was loaded before its time
 * @param reason that of the change set; null without one
 */
public record PriceChange(
        PriceSubject subject,
        Instant at,
        @Nullable Money before,
        @Nullable Money after,
        @Nullable ChangeSetId changeSet,
        @Nullable String reason) {}
