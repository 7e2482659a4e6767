package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows that are prices of stores that exist. */
final class ImportPrices implements ImportFormat<ImportPrices.Draft> {
    private final Stores stores;

    private final Pricing pricing;

    ImportPrices(Stores stores, Pricing pricing) {
        this.stores = stores;
        this.pricing = pricing;
    }

    /** What the price is of. */
    private sealed interface Subject {
        record Product(ProductId product) implements Subject {}

        record Swap(ComboId combo, OptionId option) implements Subject {}
    }

    /** What the row says; empty where it says something wrong. An empty currency may mean the store's. */
    record Draft(
            ImportRow row,
            Optional<StoreId> store,
            Optional<Channel> channel,
            Optional<Subject> subject,
            Optional<EffectiveDate> effectiveDate,
            Optional<BigDecimal> amount,
            Optional<Currency> currency)
            implements ImportRow.Draft {

        @Override
        public @Nullable String key() {
            if (store.isEmpty() || channel.isEmpty() || subject.isEmpty() || effectiveDate.isEmpty()) {
                return null;
            }
            var what =
                    switch (subject.get()) {
                        case Subject.Product(var product) -> product.value();
                        case Subject.Swap(var combo, var option) -> combo + "#" + option;
                    };
            return store.get() + "#" + channel.get() + "#" + what + "#" + effectiveDate.get();
        }

        @Override
        public String keyColumn() {
            return subject.orElse(null) instanceof Subject.Swap ? "option" : "product";
        }

        @Override
        public String keyRule() {
            return subject.orElse(null) instanceof Subject.Swap
                    ? "each store, channel, combo, option and effectiveDate"
                    : "each store, channel, product and effectiveDate";
        }
    }

    @Override
    public Draft draft(ImportRow row) {
        var store = row.required("store", StoreId::new);
        var channel = row.optional("channel", Channel::new, Channel.ALL);
        var subject = subject(row);
        var effectiveDate = row.required("effectiveDate", EffectiveDate::parse);
        var amount = row.required("amount", text -> Money.decimal("amount", text));
        amount.ifPresent(number -> row.check("amount", () -> {
            Money.refuseNegative(number);
            return number;
        }));
        var currency =
                row.isEmpty("currency") ? Optional.<Currency>empty() : row.required("currency", Money::currencyOf);
        return new Draft(row, store, channel, subject, effectiveDate, amount, currency);
    }

    private static Optional<Subject> subject(ImportRow row) {
        var swap = !row.isEmpty("combo") || !row.isEmpty("option");
        if (!swap) {
            return row.required("product", ProductId::new).map(Subject.Product::new);
        }
        if (!row.isEmpty("product")) {
            row.refuse(
                    "product",
                    row.value("product"),
                    "product must be empty where the row has a combo or an option: a row is one price",
                    "PRODUCT_AND_COMBO");
            return Optional.empty();
        }
        var combo = row.required("combo", ComboId::new);
        var option = row.required("option", OptionId::new);
        return combo.isPresent() && option.isPresent()
                ? Optional.of(new Subject.Swap(combo.get(), option.get()))
                : Optional.empty();
    }

    @Override
    public List<SaveOutcome> save(List<Draft> drafts) {
        var known = stores.findAllNow(
                drafts.stream().flatMap(draft -> draft.store.stream()).toList());
        var prices = new ArrayList<Price>();
        for (var draft : drafts) {
            price(draft, known).ifPresent(prices::add);
        }
        return pricing.save(prices);
    }

    private static Optional<Price> price(Draft draft, Map<StoreId, Store> known) {
        var row = draft.row;
        var store = draft.store.map(known::get);
        if (draft.store.isPresent() && store.isEmpty()) {
            row.refuse(
                    "store",
                    row.value("store"),
                    "store must exist: import it before its prices, or with them in the stores file",
                    "UNKNOWN_STORE");
        }
        var currency = row.isEmpty("currency") ? store.map(Store::currency) : draft.currency;
        var money = draft.amount.flatMap(
                amount -> currency.flatMap(unit -> row.check("amount", () -> new Money(amount, unit))));
        if (!row.problems().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(price(draft, store.orElseThrow(), money.orElseThrow()));
    }

    private static Price price(Draft draft, Store store, Money money) {
        var channel = draft.channel.orElseThrow();
        var date = draft.effectiveDate.orElseThrow();
        return switch (draft.subject.orElseThrow()) {
            case Subject.Product(var product) -> new BasePrice(store, channel, product, date, money);
            case Subject.Swap(var combo, var option) -> new SwapPrice(store, channel, combo, option, date, money);
        };
    }
}
