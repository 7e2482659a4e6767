package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are stores. A column that the file does not have leaves that part of a store that exists as it is, and so does an
 * empty status: there is none that it could mean. An empty part of the address is a value.
 */
final class ImportStores implements ImportFormat<ImportStores.Draft> {
    private final Access access;
    private final Stores stores;

    /** @param access of who may edit some stores; there is no other store for them */
    ImportStores(Access access, Stores stores) {
        this.access = access;
        this.stores = stores;
    }

    /** A row; null for what is wrong in it. */
    record Draft(
            CsvRecord row, @Nullable StoreId id, @Nullable Store store) implements RowDraft {
        @Override
        public @Nullable String key() {
            return id == null ? null : id.value();
        }

        @Override
        public String keyColumn() {
            return "id";
        }

        @Override
        public String keyRule() {
            return "each store";
        }
    }

    @Override
    public Draft draft(CsvRecord row) {
        var id = row.required("id", StoreId::new);
        var name = row.required("name", Store::checkedName);
        // One address for each part, so that every part that breaks a rule is reported.
        var street = row.optional("street", text -> Address.typed(text, "", "", "", ""), Address.UNKNOWN);
        var city = row.optional("city", text -> Address.typed("", text, "", "", ""), Address.UNKNOWN);
        var region = row.optional("region", text -> Address.typed("", "", text, "", ""), Address.UNKNOWN);
        var postalCode = row.optional("postalCode", text -> Address.typed("", "", "", text, ""), Address.UNKNOWN);
        var country = row.optional("country", text -> Address.typed("", "", "", "", text), Address.UNKNOWN);
        var timeZone = row.required("timeZone", Store::timeZoneOf);
        var currency = row.required("currency", Money::currencyOf);
        var status = row.optional("status", ImportStores::status, StoreStatus.OPEN);
        if (!row.isValid()) {
            return new Draft(row, id.orElse(null), null);
        }
        var address = new Address(
                street.orElseThrow().street(),
                city.orElseThrow().city(),
                region.orElseThrow().region(),
                postalCode.orElseThrow().postalCode(),
                country.orElseThrow().country());
        return new Draft(
                row,
                id.orElseThrow(),
                new Store(
                        id.orElseThrow(),
                        name.orElseThrow(),
                        address,
                        timeZone.orElseThrow(),
                        currency.orElseThrow(),
                        status.orElseThrow()));
    }

    @Override
    public List<SaveOutcome> save(List<Draft> drafts) {
        if (!access.isForAll(Permission.STORES_EDIT)) {
            refuseUnknown(drafts);
        }
        var saved = new ArrayList<Store>();
        var rows = new HashMap<StoreId, CsvRecord>();
        for (var draft : drafts) {
            if (draft.row.isValid()) {
                var store = Objects.requireNonNull(draft.store);
                saved.add(store);
                rows.put(store.id(), draft.row);
            }
        }
        return stores.save(
                access, saved, (store, there) -> completed(store, there, Objects.requireNonNull(rows.get(store.id()))));
    }

    private void refuseUnknown(List<Draft> drafts) {
        var valid = drafts.stream().filter(draft -> draft.row.isValid()).toList();
        var known = KnownStores.of(
                access,
                stores,
                valid.stream().map(draft -> Objects.requireNonNull(draft.id)).toList());
        valid.stream()
                .filter(draft -> draft.id != null
                        && !(known.exists(draft.id)
                                && access.may(Permission.STORES_EDIT, Scope.Kind.STORES, draft.id.value())))
                .forEach(draft -> draft.row.refuse(new InvalidInput(
                        "UNKNOWN_STORE",
                        "id",
                        known.exists(draft.id)
                                ? "must be one that whoever imports it may edit"
                                : "must exist: only who edits all stores adds new ones")));
    }

    private static StoreStatus status(String text) {
        return Arrays.stream(StoreStatus.values())
                .filter(status -> status.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidInput(
                        "INVALID_STATUS", "status", "must be one of " + Arrays.toString(StoreStatus.values())));
    }

    private static Store completed(Store store, Store there, CsvRecord row) {
        var address = store.address();
        var old = there.address();
        return new Store(
                store.id(),
                store.name(),
                new Address(
                        row.has("street") ? address.street() : old.street(),
                        row.has("city") ? address.city() : old.city(),
                        row.has("region") ? address.region() : old.region(),
                        row.has("postalCode") ? address.postalCode() : old.postalCode(),
                        row.has("country") ? address.country() : old.country()),
                store.timeZone(),
                store.currency(),
                row.isEmpty("status") ? there.status() : store.status());
    }
}
