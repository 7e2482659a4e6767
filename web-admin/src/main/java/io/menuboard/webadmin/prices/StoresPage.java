package io.menuboard.webadmin.prices;

import io.menuboard.pricing.Store;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;

/** View model of {@code stores/list}. */
record StoresPage(String search, Listing list, List<Row> rows) {

    /**
     * @param place town and country, as far as they are known
     * @param time what the store's clock shows
     */
    record Row(
            String id,
            String href,
            String name,
            String place,
            String time,
            String zone,
            String currency,
            Badge status) {

        static Row of(Store store, Instant now) {
            return new Row(
                    store.id().value(),
                    Link.to("stores", store.id().value()).toString(),
                    store.name(),
                    StoreHeader.place(store.address()),
                    Moments.clock(now, store.timeZone()),
                    store.timeZone().getId(),
                    store.currency().getCurrencyCode(),
                    StoreHeader.badge(store.status()));
        }
    }
}
