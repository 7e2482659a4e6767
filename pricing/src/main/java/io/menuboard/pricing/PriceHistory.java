package io.menuboard.pricing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;

/** History of prices: what each one was, and who changed it. Thread-safe. */
public final class PriceHistory {
    private final DynamoPriceHistory history;
    private final Stores stores;

    PriceHistory(DynamoPriceHistory history, Stores stores) {
        this.history = history;
        this.stores = stores;
    }

    /**
     * Changes of one price, oldest first; half a read unit per 4 KB, about 20 changes. An unknown store is refused with
     * {@link InvalidInput} {@code NOT_FOUND} on {@code store}, and so is one that
     * {@link Permission#PRICES_READ} is not for.
     */
    public Page<PriceHistoryEntry> of(
            Access access, StoreId store, Channel channel, PriceSubject subject, PageRequest page) {
        return history.of(stores.require(access, store).id(), channel, subject, page);
    }
}
