package io.menuboard.pricing;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One change of a price.
 *
 * @param at since when it counts
 * @param sequence orders the changes of one price, as text: {@code at}, and a millisecond later for what came later in its second
 * @param effectiveDate the same on the store's own clock
 * @param before null where there was none
 * @param beforeSince the effective date of what was before; null where there was none
 * @param after null where it was deleted
 * @param actor who made the change set
 * @param reason why
 */
public record PriceHistoryEntry(
        StoreId store,
        Channel channel,
        PriceSubject subject,
        Instant at,
        String sequence,
        EffectiveDate effectiveDate,
        @Nullable Money before,
        @Nullable EffectiveDate beforeSince,
        @Nullable Money after,
        ChangeSetId changeSet,
        Actor actor,
        String reason) {

    /**
     * From when on there was what it replaced, where that is after a date: first prices of a file, which may have several, have
     * no history of their own.
     *
     * @param date as {@link EffectiveDate#toString} writes it
     */
    Optional<EffectiveDate> replaced(String date) {
        return Optional.ofNullable(beforeSince).filter(since -> since.toString().compareTo(date) > 0);
    }
}
