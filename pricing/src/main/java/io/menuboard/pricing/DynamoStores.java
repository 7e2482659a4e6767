package io.menuboard.pricing;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores as items: {@code STORE#{store}}/{@code META}, listed in {@code gsi1} under {@code STORES}; and one item for
 * each term that the store is found under, {@code STORE#{store}#SEARCH}/{@code {term}}, listed under
 * {@code STORESEARCH}. Both carry the whole store, so that a list is one Query. They change in one transaction.
 */
public final class DynamoStores {
    /** Type of the items. */
    static final String TYPE = "store";

    private static final String INDEX = "gsi1";
    private static final String ALL_STORES = "STORES";
    private static final String ALL_TERMS = "STORESEARCH";
    private static final String VERSION = "version";

    private static final String AUDITED = "STORE-DATA#";
    private static final String ADDED = "store added";
    private static final String CHANGED = "store changed";

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoStores(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    public static String partition(StoreId store) {
        return "STORE#" + store;
    }

    public static StoreId idIn(String partition) {
        return new StoreId(partition.substring("STORE#".length()));
    }

    Optional<Store> find(StoreId id) {
        return db.get(meta(id)).map(this::read);
    }

    /** Stores that this version can read, eventually consistent. */
    Map<StoreId, Store> findAll(Collection<StoreId> ids) {
        return findAll(ids, Consistency.EVENTUAL, this::readable);
    }

    /** All that there are, strongly consistent. */
    Map<StoreId, Store> findAllNow(Collection<StoreId> ids) {
        return findAll(ids, Consistency.STRONG, item -> Optional.of(read(item)));
    }

    private Map<StoreId, Store> findAll(
            Collection<StoreId> ids, Consistency consistency, Function<Item, Optional<Store>> reader) {
        return db.getBatch(ids.stream().map(DynamoStores::meta).toList(), consistency).stream()
                .flatMap(Optional::stream)
                .flatMap(item -> reader.apply(item).stream())
                .collect(toUnmodifiableMap(Store::id, Function.identity(), (first, same) -> first));
    }

    /** @param prefix null for all */
    Page<Store> list(@Nullable String prefix, PageRequest page) {
        return prefix == null ? db.query(listed(null), DynamoStores::store, page) : list(prefix, _ -> true, page);
    }

    /**
     * Reads on until the page is full.
     *
     * @param prefix null for all
     */
    Page<Store> list(@Nullable String prefix, Predicate<Store> filter, PageRequest page) {
        return db.query(listed(prefix), page, groups -> groups.stream()
                .map(List::getFirst)
                .map(item -> readable(item).filter(store -> isShown(item, store, prefix) && filter.test(store)))
                .toList());
    }

    /**
     * Of some stores alone, as {@link #list}, by id; read where the page takes them.
     *
     * @param read gives those that there are
     */
    Page<Store> among(
            Collection<String> ids,
            Predicate<Store> filter,
            Function<Collection<StoreId>, Map<StoreId, Store>> read,
            PageRequest page) {
        return db.page(
                Query.table("stores", ALL_STORES),
                ids.stream().sorted(Key::compareUtf8).toList(),
                some -> {
                    var found = read.apply(some.stream().map(StoreId::new).toList());
                    return some.stream()
                            .map(id -> Optional.ofNullable(found.get(new StoreId(id)))
                                    .filter(filter))
                            .toList();
                },
                page);
    }

    /** Of some stores alone, as {@link #list} with a prefix. No request. */
    Page<Store> among(Collection<Store> stores, String prefix, PageRequest page) {
        var found = shown(stores, prefix);
        return db.page(
                Query.table("storeSearch", ALL_TERMS).beginsWith(prefix),
                List.copyOf(found.keySet()),
                some -> some.stream()
                        .map(term -> Optional.ofNullable(found.get(term)))
                        .toList(),
                page);
    }

    /** Stores in the order of {@link #list}. */
    static Stream<Store> inOrder(Collection<Store> stores, @Nullable String prefix) {
        return prefix == null
                ? stores.stream()
                        .sorted(Comparator.comparing(store -> store.id().value(), Key::compareUtf8))
                : shown(stores, prefix).values().stream();
    }

    /** Those that a search finds, by the term that shows them. */
    private static SortedMap<String, Store> shown(Collection<Store> stores, String prefix) {
        var shown = new TreeMap<String, Store>(Key::compareUtf8);
        stores.forEach(store ->
                StoreSearch.shownUnder(store, prefix).ifPresent(term -> shown.put(term + "#" + store.id(), store)));
        return shown;
    }

    /** Changes of a store, newest first. */
    Page<StoreChange> history(StoreId store, PageRequest page) {
        return audit.bySubject(AUDITED + store, page)
                .map(record -> new StoreChange(
                        record.at(),
                        record.actor(),
                        record.action().equals(ADDED),
                        StoreChange.fields(record.details())));
    }

    /** As {@link #list}, as they are consumed, none left out. */
    Stream<Store> all(@Nullable String prefix) {
        return db.all(listed(prefix))
                .flatMap(item -> Stream.of(read(item)).filter(store -> isShown(item, store, prefix)));
    }

    private static Query listed(@Nullable String prefix) {
        return prefix == null
                ? Query.index("stores", INDEX, ALL_STORES)
                : Query.index("storeSearch", INDEX, ALL_TERMS).beginsWith(prefix);
    }

    private static boolean isShown(Item item, Store store, @Nullable String prefix) {
        return prefix == null || StoreSearch.showsUnder(item.key().sort(), store, prefix);
    }

    /** A store as it was read, to be replaced. */
    sealed interface Current {
        /** There is no such store. */
        record Absent() implements Current {}

        /**
         * The store as it is.
         *
         * @param version grows with each write
         */
        record Present(Store store, long version) implements Current {}

        /** Another version wrote the store, and this one cannot read it. */
        record Unreadable() implements Current {}
    }

    /**
     * Stores as they are, in the order of those, strongly consistent: what is taken to be absent, or so already, is not
     * written, and no condition finds the mistake. A read unit for each 4 KB.
     */
    List<Current> current(List<StoreId> stores) {
        return db.getBatch(stores.stream().map(DynamoStores::meta).toList(), Consistency.STRONG).stream()
                .map(found -> found.map(this::current).orElseGet(Current.Absent::new))
                .toList();
    }

    private Current current(Item item) {
        return db.readable(item, meta -> new Current.Present(store(meta), meta.integer(VERSION)))
                .<Current>map(present -> present)
                .orElseGet(Current.Unreadable::new);
    }

    /**
     * Writes a new store, with 2 write units for each of the item, its terms and the audit record, and 1 for each of them in
     * the index.
     *
     * @throws io.menuboard.querydb.ConditionFailed when somebody else wrote it since
     */
    void create(Store store, Actor by) {
        var writes = writes(store, Write.put(meta(store, 1), SaveMode.INIT));
        writes.add(audit.write(by, AUDITED + store.id(), ADDED, StoreChange.details(null, store)));
        db.transact(writes);
    }

    /**
     * Writes the store if it is still as it was read, with 2 write units for each of the item, its terms, the terms that
     * it loses and the audit record, and 1 for each change in the index.
     *
     * @throws io.menuboard.querydb.ConditionFailed when somebody else wrote it since
     */
    void replace(Current.Present current, Store store, Actor by) {
        var version = current.version();
        var writes = writes(store, Write.put(meta(store, version + 1), Condition.equal(VERSION, version)));
        var terms = StoreSearch.terms(store);
        StoreSearch.terms(current.store()).stream()
                .filter(term -> !terms.contains(term))
                .forEach(term -> writes.add(Write.delete(term(store.id(), term))));
        writes.add(audit.write(by, AUDITED + store.id(), CHANGED, StoreChange.details(current.store(), store)));
        db.transact(writes);
    }

    private static Item meta(Store store, long version) {
        return item(meta(store.id()), TYPE, ALL_STORES, store.id().value(), store)
                .number(VERSION, version)
                .build();
    }

    private static List<Write> writes(Store store, Write meta) {
        var writes = new ArrayList<Write>();
        writes.add(meta);
        StoreSearch.terms(store)
                .forEach(term -> writes.add(Write.put(
                        item(term(store.id(), term), "storeSearch", ALL_TERMS, term + "#" + store.id(), store)
                                .build(),
                        SaveMode.ANY)));
        return writes;
    }

    private Store read(Item item) {
        return db.read(item, DynamoStores::store);
    }

    private Optional<Store> readable(Item item) {
        return db.readable(item, DynamoStores::store);
    }

    private static Store store(Item item) {
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
}
