package io.menuboard.webadmin.changes;

import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.Store;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code prices/history}: every change of one price, newest first.
 *
 * @param lowest the lowest price of the last 30 days, null where there was none
 */
record PriceHistoryPage(
        Form form,
        @Nullable String storeName,
        @Nullable String storeHref,
        @Nullable String timelineHref,
        @Nullable String changeHref,
        @Nullable String lowest,
        Listing list,
        List<Row> rows) {

    /** Fields of the form, as they were sent. */
    record Form(String store, String product, String channel) {
        boolean isEmpty() {
            return store.isEmpty() && product.isEmpty();
        }

        Link on(Link list) {
            return list.with("store", store).with("product", product).with(ChannelField.NAME, channel);
        }
    }

    /** @param store null where nothing is shown */
    static PriceHistoryPage of(
            Form form, @Nullable Store store, @Nullable String lowest, Listing list, List<Row> rows) {
        return store == null
                ? new PriceHistoryPage(form, null, null, null, null, null, list, rows)
                : new PriceHistoryPage(
                        form,
                        store.name(),
                        Link.to("stores", store.id().value()).toString(),
                        timeline(store, form.product(), form.channel()).toString(),
                        form.on(Link.to("changes", "new")).toString(),
                        lowest,
                        list,
                        rows);
    }

    /** Address of what the product costs there, and when. */
    static Link timeline(Store store, String product, String channel) {
        return Link.to("stores", store.id().value(), "products", product).with(ChannelField.NAME, channel);
    }

    /**
     * @param from effective date on the store's clock
     * @param after a word where it was deleted
     */
    record Row(
            String from,
            String at,
            String before,
            String after,
            String difference,
            String by,
            String through,
            String reason,
            Reference changeSet) {

        static Row of(PriceHistoryEntry entry, Amounts amounts, ChangeSetNames names) {
            var before = entry.before();
            var after = entry.after();
            return new Row(
                    EffectiveDates.text(entry.effectiveDate()),
                    Moments.utcSeconds(entry.at()),
                    before == null ? "None" : amounts.of(before),
                    after == null ? "None" : amounts.of(after),
                    before == null || after == null ? "" : amounts.change(before, after),
                    entry.actor().name(),
                    Actors.through(entry.actor()),
                    entry.reason(),
                    names.reference(entry.changeSet()));
        }
    }
}
