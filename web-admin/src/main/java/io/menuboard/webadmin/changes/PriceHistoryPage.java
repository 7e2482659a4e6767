package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import io.micronaut.http.HttpRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code prices/history}: every change of one price, newest first.
 *
 * @param subject what the price is of; empty where nothing is shown
 * @param pricesHref address of the product's timeline, or of the list that has the option of a combo
 * @param changeHref address of the form that changes it, null for what is swapped into a combo
 * @param lowest the lowest price of the last 30 days, null where there was none
 */
record PriceHistoryPage(
        Form form,
        String subject,
        @Nullable String storeName,
        @Nullable String storeHref,
        @Nullable String pricesHref,
        @Nullable String changeHref,
        @Nullable String lowest,
        Listing list,
        List<Row> rows) {

    /** Fields of the form, as they were sent: of a product, or of an option of a combo. */
    record Form(String store, String product, String combo, String option, String channel) {
        static Form of(HttpRequest<?> request) {
            return new Form(
                    text(request, "store"),
                    text(request, "product"),
                    text(request, "combo"),
                    text(request, "option"),
                    text(request, ChannelField.NAME));
        }

        boolean isEmpty() {
            return store.isEmpty() && product.isEmpty() && !asksForSwap();
        }

        /** Tells whether it asks for an option of a combo. Public because templates call nothing else. */
        public boolean asksForSwap() {
            return !combo.isEmpty() || !option.isEmpty();
        }

        /** @throws InvalidInput on the field that breaks a rule */
        PriceSubject subject() {
            if (!asksForSwap()) {
                return new PriceSubject.Product(new ProductId(product));
            }
            if (!product.isEmpty()) {
                throw new InvalidInput(
                        "INVALID_FILTER", "product", "must be empty where an option of a combo is asked for");
            }
            return new PriceSubject.Swap(new ComboId(combo), new OptionId(option));
        }

        Link on(Link list) {
            return list.with("store", store)
                    .with("product", product)
                    .with("combo", combo)
                    .with("option", option)
                    .with(ChannelField.NAME, channel);
        }

        private static String text(HttpRequest<?> request, String field) {
            return request.getParameters().get(field, String.class, "").strip();
        }
    }

    /** The form alone. */
    static PriceHistoryPage of(Form form, Listing list) {
        return new PriceHistoryPage(form, "", null, null, null, null, null, list, List.of());
    }

    static PriceHistoryPage of(
            Form form, Store store, PriceSubject subject, @Nullable String lowest, Listing list, List<Row> rows) {
        return new PriceHistoryPage(
                form,
                ChangeWords.subject(subject),
                store.name(),
                Link.to("stores", store.id().value()).toString(),
                prices(store, subject, form.channel()).toString(),
                form.asksForSwap() ? null : form.on(Link.to("changes", "new")).toString(),
                lowest,
                list,
                rows);
    }

    /** Address of what it costs there, and when: of a product its timeline, of an option of a combo the list that has it. */
    static Link prices(Store store, PriceSubject subject, String channel) {
        var prices =
                switch (subject) {
                    case PriceSubject.Product(var product) ->
                        Link.to("stores", store.id().value(), "products", product.value());
                    case PriceSubject.Swap(var combo, var _) ->
                        Link.to("stores", store.id().value(), "swaps").with("combo", combo.value());
                };
        return prices.with(ChannelField.NAME, channel);
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
