package io.menuboard.webadmin.changes;

import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One price of a change set, for {@code changes/parts :: lines}.
 *
 * @param storeName the id again where nobody knows the store
 * @param subjectHref address of what it costs there; null for a swap and a store that is not
 * @param before empty for none
 * @param after a word where there is none
 * @param from when it takes effect, empty where that is not known
 * @param note what the finding does not say, or null
 * @param outcome what became of it, or null
 */
record ChangeLineRow(
        String number,
        String store,
        String storeName,
        @Nullable String storeHref,
        String subject,
        @Nullable String subjectHref,
        String channel,
        String before,
        String after,
        String difference,
        String from,
        Badge finding,
        @Nullable String note,
        @Nullable Badge outcome) {

    static ChangeLineRow of(ChangeLine line, Map<StoreId, Store> stores, Amounts amounts) {
        var store = stores.get(line.store());
        var before = line.before();
        var after = line.after();
        return new ChangeLineRow(
                Integer.toString(line.number()),
                line.store().value(),
                store == null ? line.store().value() : store.name(),
                store == null ? null : Link.to("stores", line.store().value()).toString(),
                ChangeWords.subject(line.subject()),
                store != null && line.subject() instanceof PriceSubject.Product(var product)
                        ? Link.to("stores", line.store().value(), "products", product.value())
                                .with(ChannelField.NAME, ChannelField.text(line.channel()))
                                .toString()
                        : null,
                line.channel().value(),
                before == null ? "" : amounts.of(before),
                after == null ? "None" : amounts.of(after),
                before == null || after == null ? "" : amounts.change(before, after),
                from(line),
                ChangeWords.badge(line.finding()),
                line.message(),
                ChangeWords.badge(line.outcome()));
    }

    /** On the store's own clock, and as an instant. */
    private static String from(ChangeLine line) {
        var local = line.effectiveDate() == null ? "" : Moments.of(line.effectiveDate());
        return line.startsAt() == null ? local : (local + " (" + Moments.utc(line.startsAt()) + ")").strip();
    }
}
