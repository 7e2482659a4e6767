package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.DynamoImportedDraft;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.pricing.changes.RequestedChange;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rows that are prices of stores that exist. */
final class ImportPrices implements ImportFormat<ImportPrices.Draft> {
    private final Access access;
    private final Stores stores;
    private final DynamoImportedDraft imported;

    /**
     * @param access of who may import prices of some stores; of the others, only that those that they see are there is told
     * @param imported keeps what rows would change
     */
    ImportPrices(Access access, Stores stores, DynamoImportedDraft imported) {
        this.access = access;
        this.stores = stores;
        this.imported = imported;
    }

    /**
     * A row; null for what is wrong in it.
     *
     * @param currency null also where the row has none, which then is the store's
     * @param others what rows before it say of the same price
     */
    record Draft(
            CsvRecord row,
            @Nullable StoreId store,
            @Nullable Place place,
            @Nullable BigDecimal amount,
            @Nullable Currency currency,
            SeenRows.Others others)
            implements RowDraft {

        @Override
        public @Nullable String key() {
            return place == null ? null : place.toString();
        }

        @Override
        public String keyColumn() {
            return isSwap() ? "option" : "product";
        }

        @Override
        public String keyRule() {
            return isSwap()
                    ? "each store, channel, combo, option and effectiveDate"
                    : "each store, channel, product and effectiveDate";
        }

        private boolean isSwap() {
            return place != null && place.subject instanceof PriceSubject.Swap;
        }
    }

    /** The price that a row sets, but for the amount. */
    record Place(StoreId store, Channel channel, PriceSubject subject, EffectiveDate effectiveDate) {
        Place from(EffectiveDate date) {
            return new Place(store, channel, subject, date);
        }

        @Override
        public String toString() {
            return store + "#" + channel + "#" + subject + "#" + effectiveDate;
        }
    }

    @Override
    public Draft draft(CsvRecord row) {
        var store = row.required("store", StoreId::new);
        var channel = row.optional("channel", Channel::new, Channel.ALL);
        var subject = subject(row);
        var effectiveDate = row.required("effectiveDate", EffectiveDate::parseWritten);
        var amount = row.required("amount", _ -> Money.decimal("amount", row.decimal("amount")));
        amount.ifPresent(number -> row.check("amount", () -> {
            Money.refuseNegative(number);
            return number;
        }));
        var currency =
                row.isEmpty("currency") ? Optional.<Currency>empty() : row.required("currency", Money::currencyOf);
        var place = store.isPresent() && channel.isPresent() && subject.isPresent() && effectiveDate.isPresent()
                ? new Place(store.get(), channel.get(), subject.get(), effectiveDate.get())
                : null;
        return new Draft(
                row, store.orElse(null), place, amount.orElse(null), currency.orElse(null), SeenRows.Others.NONE);
    }

    @Override
    public Draft after(Draft draft, SeenRows before) {
        var place = draft.place;
        return place == null
                ? draft
                : new Draft(
                        draft.row,
                        draft.store,
                        place,
                        draft.amount,
                        draft.currency,
                        before.others(
                                place.effectiveDate, date -> place.from(date).toString()));
    }

    /** The subject of the price: a product, or an option of a combo. */
    static Optional<PriceSubject> subject(CsvRecord row) {
        var swap = !row.isEmpty("combo") || !row.isEmpty("option");
        if (!swap) {
            return row.required("product", ProductId::new).map(PriceSubject.Product::new);
        }
        if (!row.isEmpty("product")) {
            row.refuse(new InvalidInput(
                    "PRODUCT_AND_COMBO",
                    "product",
                    "must be empty where the row has a combo or an option: a row is one price"));
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
        var known = KnownStores.of(
                access,
                stores,
                drafts.stream().flatMap(draft -> Stream.ofNullable(draft.store)).toList());
        var requested = new ArrayList<RequestedChange>();
        for (var draft : drafts) {
            requested(draft, known).ifPresent(requested::add);
        }
        var lines = imported.preview(requested).iterator();
        var outcomes = new ArrayList<SaveOutcome>();
        for (var draft : drafts) {
            if (!draft.row.isValid()) {
                continue;
            }
            if (known.isUnreadable(draft.store)) {
                outcomes.add(KnownStores.NOT_SAVED);
            } else {
                outcome(draft.row, lines.next()).ifPresent(outcomes::add);
            }
        }
        return outcomes;
    }

    /** Empty where the row is refused, which it says itself then. */
    static Optional<SaveOutcome> outcome(CsvRecord row, ChangeLine line) {
        return switch (line.finding()) {
            case NO_CHANGE -> Optional.of(new SaveOutcome.Unchanged());
            case NEW, UNKNOWN_PRODUCT -> Optional.of(new SaveOutcome.Created());
            case CONFLICT, SUSPICIOUS, MIXED_CURRENCIES, DELETION, WILL_CHANGE ->
                Optional.of(line.before() == null ? new SaveOutcome.Created() : new SaveOutcome.Changed());
            case NOT_FOUND, INVALID -> {
                refuse(row, line);
                yield Optional.empty();
            }
        };
    }

    private static void refuse(CsvRecord row, ChangeLine found) {
        var message = String.valueOf(found.message());
        var code = found.finding() == Finding.NOT_FOUND ? "NOT_FOUND" : "INVALID_CHANGE";
        var named = message.substring(0, Math.max(0, message.indexOf(' ')));
        if (row.has(named)) {
            row.refuse(named, row.value(named), message, code);
        } else {
            row.refuse(CsvRecord.WHOLE_ROW, row.text(), "row cannot change its price: " + message, code);
        }
    }

    /** The store of a row is there, and whoever imports sees it, but may not change its prices. */
    static InvalidInput notPermitted() {
        return new InvalidInput("UNKNOWN_STORE", "store", "must be one whose prices whoever imports it may change");
    }

    /** Empty where the row is refused, and where its store is unreadable. */
    private Optional<RequestedChange> requested(Draft draft, KnownStores known) {
        if (known.isUnreadable(draft.store)) {
            return Optional.empty();
        }
        var row = draft.row;
        var store = draft.store == null ? null : known.readable().get(draft.store);
        if (draft.store != null && store == null) {
            row.refuse(new InvalidInput(
                    "UNKNOWN_STORE",
                    "store",
                    "must exist: import it before its prices, or with them in the stores file"));
        } else if (store != null
                && !access.may(
                        Permission.PRICES_APPLY, Scope.Kind.STORES, store.id().value())) {
            row.refuse(notPermitted());
        }
        var amount = draft.amount;
        var currency = store != null && row.isEmpty("currency") ? store.currency() : draft.currency;
        var money = amount == null || currency == null
                ? Optional.<Money>empty()
                : row.check("amount", () -> row.money("amount", amount, currency));
        var place = draft.place;
        if (!row.isValid() || place == null || money.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new RequestedChange(
                row.number(),
                place.store,
                place.channel,
                place.subject,
                place.effectiveDate,
                new RequestedChange.Change.To(
                        money.get(), draft.others.areUnknown(), draft.others.earlier(), draft.others.later())));
    }
}
