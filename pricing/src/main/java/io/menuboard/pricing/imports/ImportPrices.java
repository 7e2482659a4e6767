package io.menuboard.pricing.imports;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ImportedDraft;
import io.menuboard.pricing.changes.RequestedChange;
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
    private final ImportedDraft imported;

    /** @param imported keeps what rows would change */
    ImportPrices(Stores stores, ImportedDraft imported) {
        this.stores = stores;
        this.imported = imported;
    }

    /** What the row says; empty where it says something wrong. An empty currency may mean the store's. */
    record Draft(
            ImportRow row,
            Optional<StoreId> store,
            Optional<Channel> channel,
            Optional<PriceSubject> subject,
            Optional<EffectiveDate> effectiveDate,
            Optional<BigDecimal> amount,
            Optional<Currency> currency)
            implements ImportRow.Draft {

        @Override
        public @Nullable String key() {
            if (store.isEmpty() || channel.isEmpty() || subject.isEmpty() || effectiveDate.isEmpty()) {
                return null;
            }
            return store.get() + "#" + channel.get() + "#" + subject.get() + "#" + effectiveDate.get();
        }

        @Override
        public String keyColumn() {
            return subject.orElse(null) instanceof PriceSubject.Swap ? "option" : "product";
        }

        @Override
        public String keyRule() {
            return subject.orElse(null) instanceof PriceSubject.Swap
                    ? "each store, channel, combo, option and effectiveDate"
                    : "each store, channel, product and effectiveDate";
        }
    }

    @Override
    public Draft draft(ImportRow row) {
        var store = row.required("store", StoreId::new);
        var channel = row.optional("channel", Channel::new, Channel.ALL);
        var subject = subject(row);
        var effectiveDate = row.required("effectiveDate", EffectiveDate::parseWritten);
        var amount = row.required("amount", _ -> Money.decimal("amount", row.number("amount")));
        amount.ifPresent(number -> row.check("amount", () -> {
            Money.refuseNegative(number);
            return number;
        }));
        var currency =
                row.isEmpty("currency") ? Optional.<Currency>empty() : row.required("currency", Money::currencyOf);
        return new Draft(row, store, channel, subject, effectiveDate, amount, currency);
    }

    /** What the price is of: a product, or an option of a combo. */
    static Optional<PriceSubject> subject(ImportRow row) {
        var swap = !row.isEmpty("combo") || !row.isEmpty("option");
        if (!swap) {
            return row.required("product", ProductId::new).map(PriceSubject.Product::new);
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
                ? Optional.of(new PriceSubject.Swap(combo.get(), option.get()))
                : Optional.empty();
    }

    /** Looks at what rows would change, and keeps that; no price changes. */
    @Override
    public List<SaveOutcome> save(List<Draft> drafts) {
        var known = stores.findAllNow(
                drafts.stream().flatMap(draft -> draft.store.stream()).toList());
        var right = new ArrayList<Draft>();
        var requested = new ArrayList<RequestedChange>();
        for (var draft : drafts) {
            requested(draft, known).ifPresent(row -> {
                right.add(draft);
                requested.add(row);
            });
        }
        var lines = imported.preview(requested);
        var outcomes = new ArrayList<SaveOutcome>();
        for (var i = 0; i < right.size(); i++) {
            outcome(right.get(i).row, lines.get(i)).ifPresent(outcomes::add);
        }
        return outcomes;
    }

    /** Empty where the row is refused, which it says itself then. */
    static Optional<SaveOutcome> outcome(ImportRow row, ChangeLine line) {
        return switch (line.finding()) {
            case NO_CHANGE -> Optional.of(new SaveOutcome.Unchanged());
            case NEW, UNKNOWN_PRODUCT -> Optional.of(new SaveOutcome.Created());
            case CONFLICT, SUSPICIOUS, MIXED_CURRENCIES, DELETION, WILL_CHANGE ->
                Optional.of(line.before() == null ? new SaveOutcome.Created() : new SaveOutcome.Changed());
            case NOT_FOUND, INVALID -> {
                row.refuse(line);
                yield Optional.empty();
            }
        };
    }

    private static Optional<RequestedChange> requested(Draft draft, Map<StoreId, Store> known) {
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
        return Optional.of(new RequestedChange(
                row.number(),
                store.orElseThrow().id(),
                draft.channel.orElseThrow(),
                draft.subject.orElseThrow(),
                draft.effectiveDate.orElseThrow(),
                new RequestedChange.Change.To(money.orElseThrow())));
    }
}
