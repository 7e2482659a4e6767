package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A price that is to change, or that has changed and has no history yet.
 *
 * @param effectiveDate on the store's own clock
 * @param startsAt the same as an instant
 * @param after null where it is to be deleted
 */
public record UpcomingChange(
        Store store,
        Channel channel,
        PriceSubject subject,
        EffectiveDate effectiveDate,
        Instant startsAt,
        @Nullable Money after,
        ChangeSetId changeSet) {}
