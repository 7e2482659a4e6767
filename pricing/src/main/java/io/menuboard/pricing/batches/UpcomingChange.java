package io.menuboard.pricing.batches;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
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
