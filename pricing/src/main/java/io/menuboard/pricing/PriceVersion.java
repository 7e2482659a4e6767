package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Price of something from an effective date on, until a later version takes over.
 *
 * @param effectiveDate on the store's own clock
 * @param startsAt the same as an instant
 * @param endsAt when the next version takes over; null where none is to
 * @param price null where the price was deleted: there is none from then on
 * @param changeSet what wrote it; null where none is named, because it was loaded
 */
public record PriceVersion(
        EffectiveDate effectiveDate,
        Instant startsAt,
        @Nullable Instant endsAt,
        @Nullable Money price,
        @Nullable ChangeSetId changeSet) {}
