package io.menuboard.pricing.events;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.StoreId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A price has changed. For consumers outside, so it holds what they need to know without asking.
 *
 * @param id the same however often the event is published and delivered: a set changes a price once for each date
 * @param type {@code Base} or {@code Swap}
 * @param product the product's id, or {@code {combo}#{option}}
 * @param effectiveAt since when it counts
 * @param sequence orders the events of one price, as text, also those of one second: the last one has the price that counts
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
        String sequence,
        @Nullable Money before,
        @Nullable Money after,
        String changeSet) {

    /** The event of an entry; empty where nothing changed, because an earlier change had made it so already. */
    public static Optional<PriceUpdated> of(PriceHistoryEntry entry) {
        if (Objects.equals(entry.before(), entry.after())) {
            return Optional.empty();
        }
        return Optional.of(new PriceUpdated(
                entry.changeSet() + "#" + entry.store() + "#" + entry.channel() + "#" + entry.subject() + "#"
                        + entry.effectiveDate(),
                entry.store(),
                entry.channel(),
                entry.subject().type(),
                entry.subject().name(),
                entry.at(),
                entry.sequence(),
                entry.before(),
                entry.after(),
                entry.changeSet().value()));
    }
}
