package io.menuboard.webadmin.changes;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One price of a change set, for {@code changes/parts :: lines}.
 *
 * @param subject links to its timeline, what is swapped into a combo to its history; in a store that is not known, to nothing
 * @param from when it takes effect, empty where that is not known
 * @param note what the finding does not say, or null
 * @param outcome what became of it, or null
 */
record ChangeLineRow(
        String number,
        StoreName store,
        Reference subject,
        String channel,
        Amount amount,
        String from,
        Badge finding,
        @Nullable String note,
        @Nullable Badge outcome) {

    /**
     * @param name the id again where the store is not known
     * @param href null where the store is not known
     */
    record StoreName(String id, String name, @Nullable String href) {
        static StoreName of(StoreId id, @Nullable Store store) {
            return new StoreName(
                    id.value(),
                    store == null ? id.value() : store.name(),
                    store == null ? null : Link.to("stores", id.value()).toString());
        }
    }

    /**
     * @param before empty for none
     * @param after a word where there is none
     */
    record Amount(String before, String after, String difference) {
        static Amount of(@Nullable Money before, @Nullable Money after, Amounts amounts) {
            return new Amount(
                    before == null ? "" : amounts.of(before),
                    after == null ? "None" : amounts.of(after),
                    before == null || after == null ? "" : amounts.change(before, after));
        }
    }

    static ChangeLineRow of(ChangeLine line, Map<StoreId, Store> stores, Amounts amounts) {
        var store = stores.get(line.store());
        return new ChangeLineRow(
                Integer.toString(line.number()),
                StoreName.of(line.store(), store),
                Reference.of(
                        ChangeWords.subject(line.subject()),
                        store == null ? null : ChannelField.price(line.store(), line.subject(), line.channel())),
                line.channel().value(),
                Amount.of(line.before(), line.after(), amounts),
                from(line),
                ChangeWords.badge(line.finding()),
                line.message(),
                ChangeWords.badge(line.outcome()));
    }

    /** On the store's own clock, and as an instant. */
    private static String from(ChangeLine line) {
        var local = line.effectiveDate() == null ? "" : EffectiveDates.text(line.effectiveDate());
        return line.startsAt() == null ? local : (local + " (" + Moments.utc(line.startsAt()) + ")").strip();
    }
}
