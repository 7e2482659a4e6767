package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.UnreadableItem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those of the stores of some rows that there are, as far as whoever imports them sees them.
 *
 * @param readable the stores as they are
 * @param unreadable those that another version wrote, so that this one cannot read them
 */
record KnownStores(Map<StoreId, Store> readable, Set<StoreId> unreadable) {
    /** Outcome of a row whose store is unreadable. */
    static final SaveOutcome NOT_SAVED =
            new SaveOutcome.NotSaved("another version wrote its store, and this one cannot read it");

    KnownStores {
        readable = Map.copyOf(readable);
        unreadable = Set.copyOf(unreadable);
    }

    /** Finds stores as {@link Stores#findAllNow} does; one by one where some are unreadable. */
    static KnownStores of(Access access, Stores stores, List<StoreId> ids) {
        try {
            return new KnownStores(stores.findAllNow(access, ids), Set.of());
        } catch (UnreadableItem _) {
            var readable = new HashMap<StoreId, Store>();
            var unreadable = new HashSet<StoreId>();
            for (var id : new HashSet<>(ids)) {
                try {
                    readable.putAll(stores.findAllNow(access, List.of(id)));
                } catch (UnreadableItem _) {
                    unreadable.add(id);
                }
            }
            return new KnownStores(readable, unreadable);
        }
    }

    boolean isUnreadable(@Nullable StoreId store) {
        return store != null && unreadable.contains(store);
    }

    boolean exists(@Nullable StoreId store) {
        return store != null && (readable.containsKey(store) || unreadable.contains(store));
    }
}
