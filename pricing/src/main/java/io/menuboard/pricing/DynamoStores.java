package io.menuboard.pricing;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.menuboard.kernel.Money;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Stores as items: {@code STORE#{store}}/{@code META}, listed in {@code gsi1} under {@code STORES}; and one item for
 * each term that the store is found under, {@code STORE#{store}#SEARCH}/{@code {term}}, listed under
 * {@code STORESEARCH}. Both carry the whole store, so that a list is one Query. They change in one transaction.
 */
final class DynamoStores {
    private static final String INDEX = "gsi1";
    private static final String ALL_STORES = "STORES";
    private static final String ALL_TERMS = "STORESEARCH";
    private static final String VERSION = "version";

    private final QueryDb db;

    DynamoStores(QueryDb db) {
        this.db = db;
    }

    static String partition(StoreId store) {
        return "STORE#" + store;
    }

    static StoreId idIn(String partition) {
        return new StoreId(partition.substring("STORE#".length()));
    }

    Optional<Store> find(StoreId id) {
        return db.get(meta(id)).map(DynamoStores::store);
    }

    Map<StoreId, Store> findAll(Collection<StoreId> ids, Consistency consistency) {
        return db.getBatch(ids.stream().map(DynamoStores::meta).toList(), consistency).stream()
                .flatMap(Optional::stream)
                .map(DynamoStores::store)
                .collect(toUnmodifiableMap(Store::id, Function.identity(), (first, same) -> first));
    }

    Page<Store> list(PageRequest page) {
        return db.query(Query.index("stores", INDEX, ALL_STORES), page, each(item -> Optional.of(store(item))));
    }

    Page<Store> search(String prefix, PageRequest page) {
        var query = Query.index("storeSearch", INDEX, ALL_TERMS).beginsWith(prefix);
        return db.query(query, page, each(item -> {
            var store = store(item);
            return StoreSearch.showsUnder(item.key().sort(), store, prefix) ? Optional.of(store) : Optional.empty();
        }));
    }

    /** The item as it is, for {@link #save}. */
    List<Optional<Item>> current(List<Store> stores) {
        return db.getBatch(stores.stream().map(store -> meta(store.id())).toList());
    }

    /**
     * Writes the store if it is still as in {@code current}, with 2 write units for each of the item, its terms and the
     * terms that it loses, and 1 for each change in the index.
     *
     * @throws io.menuboard.querydb.ConditionFailed when somebody else wrote it since
     */
    void save(Store store, Optional<Item> current) {
        var version = current.map(item -> item.integer(VERSION));
        var meta = item(meta(store.id()), "store", ALL_STORES, store.id().value(), store)
                .number(VERSION, version.orElse(0L) + 1)
                .build();
        var writes = new ArrayList<Write>();
        writes.add(version.map(read -> Write.put(
                        meta,
                        Expression.of("#version = :version")
                                .name("#version", VERSION)
                                .number(":version", read)))
                .orElse(Write.put(meta, SaveMode.INIT)));
        var terms = StoreSearch.terms(store);
        terms.forEach(term -> writes.add(Write.put(
                item(term(store.id(), term), "storeSearch", ALL_TERMS, term + "#" + store.id(), store)
                        .build(),
                SaveMode.ANY)));
        current.map(DynamoStores::store).map(StoreSearch::terms).stream()
                .flatMap(Collection::stream)
                .filter(term -> !terms.contains(term))
                .forEach(term -> writes.add(Write.delete(term(store.id(), term))));
        db.transact(writes);
    }

    static Store store(Item item) {
        return new Store(
                new StoreId(item.string("store")),
                item.string("name"),
                new Address(
                        item.findString("street").orElse(""),
                        item.findString("city").orElse(""),
                        item.findString("region").orElse(""),
                        item.findString("postalCode").orElse(""),
                        item.findString("country").orElse("")),
                ZoneId.of(item.string("timeZone")),
                Money.currencyOf(item.string("currency")),
                StoreStatus.valueOf(item.string("status")));
    }

    private static Item.Builder item(Key key, String type, String indexPartition, String indexSort, Store store) {
        var item = Item.at(key)
                .type(type)
                .index(indexPartition, indexSort)
                .string("store", store.id().value())
                .string("name", store.name())
                .string("timeZone", store.timeZone().getId())
                .string("currency", store.currency().getCurrencyCode())
                .string("status", store.status().name());
        optional(item, "street", store.address().street());
        optional(item, "city", store.address().city());
        optional(item, "region", store.address().region());
        optional(item, "postalCode", store.address().postalCode());
        optional(item, "country", store.address().country());
        return item;
    }

    private static void optional(Item.Builder item, String name, String value) {
        if (!value.isEmpty()) {
            item.string(name, value);
        }
    }

    private static Key meta(StoreId id) {
        return new Key(partition(id), "META");
    }

    private static Key term(StoreId id, String term) {
        return new Key(partition(id) + "#SEARCH", term);
    }

    private static Function<List<List<Item>>, List<Optional<Store>>> each(Function<Item, Optional<Store>> edge) {
        return groups ->
                groups.stream().map(group -> edge.apply(group.getFirst())).toList();
    }
}
