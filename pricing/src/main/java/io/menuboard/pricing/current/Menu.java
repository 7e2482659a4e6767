package io.menuboard.pricing.current;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Store;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a store sells through a channel at an instant.
 *
 * @param items products by id, then options by combo and id
 * @param endsAt when the first of them ends, or something else begins to be sold; null where nothing of the kind is planned
 */
public record Menu(
        Store store,
        Channel channel,
        Instant at,
        List<MenuItem> items,
        @Nullable Instant endsAt) {
    public Menu {
        items = List.copyOf(items);
    }
}
