package io.menuboard.pricing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use cases of stores. Thread-safe.
 *
 * <p>Reads need {@link Permission#PRICES_READ}, and see the stores that it is for. Any other is as one that does not exist, and
 * costs nothing, whether it exists or not. Where the permission is for some stores, lists read these by their keys, as old as
 * {@link #find} gives them, and not the list of all.
 */
public final class Stores {
    private static final Logger log = LoggerFactory.getLogger(Stores.class);
    private static final int MAX_CACHED = 50_000;
    private static final int MAX_SAVED_AT_ONCE = 16;

    private final DynamoStores stores;
    private final DynamoPriceVersions versions;
    private final Clock clock;
    private final Cache<StoreId, Store> cache;
    /** Shared by all calls: an import saves several chunks at a time. */
    private final Semaphore saving = new Semaphore(MAX_SAVED_AT_ONCE);

    /** @param remembered how long a store that was read is taken to be as it was */
    Stores(DynamoStores stores, DynamoPriceVersions versions, Clock clock, Duration remembered) {
        this.stores = stores;
        this.versions = versions;
        this.clock = clock;
        this.cache = Caffeine.newBuilder()
                .maximumSize(MAX_CACHED)
                .expireAfterWrite(remembered)
                .build();
    }

    /** Ids of the stores that prices and stores are read of; empty for all. */
    static Optional<Set<String>> inSight(Access access) {
        access.require(Permission.PRICES_READ);
        return access.stores(Permission.PRICES_READ);
    }

    /** True for a store that prices are read of, if it exists. */
    static boolean isInSight(Access access, StoreId store) {
        access.require(Permission.PRICES_READ);
        return access.may(Permission.PRICES_READ, Kind.STORES, store.value());
    }

    private static Collection<StoreId> inSight(Access access, Collection<StoreId> asked) {
        return inSight(access)
                .<Collection<StoreId>>map(ids ->
                        asked.stream().filter(id -> ids.contains(id.value())).toList())
                .orElse(asked);
    }

    /**
     * The store with this id. May be as old as {@code menuboard.pricing.stores-remembered}, so that reading prices does
     * not pay for their store each time; costs nothing then, and 0.5 read units otherwise.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<Store> find(Access access, StoreId id) {
        if (!isInSight(access, id)) {
            return Optional.empty();
        }
        return remembered(access, id).or(() -> {
            var found = stores.find(id);
            found.ifPresent(store -> cache.put(id, store));
            return found;
        });
    }

    /** The same where it is remembered; empty otherwise. Costs nothing and never blocks. */
    public Optional<Store> remembered(Access access, StoreId id) {
        return isInSight(access, id) ? Optional.ofNullable(cache.getIfPresent(id)) : Optional.empty();
    }

    /** Reads a store again when it is asked for next: somebody has changed it, or may have. */
    void forget(StoreId id) {
        cache.invalidate(id);
    }

    /**
     * Stores of those that exist and that this version can read, as {@link #find} gives them; what is not remembered is
     * read in batches of 100.
     */
    public Map<StoreId, Store> findAll(Access access, Collection<StoreId> ids) {
        return known(inSight(access, ids));
    }

    private Map<StoreId, Store> known(Collection<StoreId> ids) {
        var found = new HashMap<>(cache.getAllPresent(new HashSet<>(ids)));
        var missing = ids.stream().filter(id -> !found.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            var read = stores.findAll(missing);
            cache.putAll(read);
            found.putAll(read);
        }
        return Map.copyOf(found);
    }

    /**
     * As {@link #findAll}, but never misses a store that was written before the call: what is not found at first is read
     * strongly consistently, one read unit each and 100 to a request. For what something is written on, and so without
     * leaving out what cannot be read.
     *
     * @throws UnreadableItem where another version wrote one of them and this one cannot read it
     */
    public Map<StoreId, Store> findAllNow(Access access, Collection<StoreId> ids) {
        var wanted = inSight(access, ids);
        var found = new HashMap<>(known(wanted));
        var missing = wanted.stream().filter(id -> !found.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            found.putAll(stores.findAllNow(missing));
        }
        return Map.copyOf(found);
    }

    /**
     * Stores by id, or, with a search, those whose id, name, city, or a word of the name on begins with it, whatever its
     * case and accents, in the order of what was found. Each store once. One Query; eventually consistent. Of some stores, those
     * that the page takes are read, with a search all of them: half a read unit each that is not remembered, 100 to a request.
     *
     * @throws InvalidInput {@code INVALID_SEARCH}, or what {@link io.menuboard.querydb.QueryDb#query} refuses
     */
    public Page<Store> list(Access access, @Nullable String search, PageRequest page) {
        return filtered(access, new StoreFilter(search, Set.of(), Set.of(), Set.of()), page);
    }

    /**
     * As {@link #list}, those that the filter leaves. Reads on until the page is full: half a read unit for
     * each 4 KB of all stores that it passes, a request per megabyte.
     */
    public Page<Store> filtered(Access access, StoreFilter filter, PageRequest page) {
        var scope = inSight(access);
        var prefix = prefix(filter.search());
        if (scope.isPresent()) {
            return among(scope.get(), prefix, filter, page);
        }
        return filter.allowsAll() ? stores.list(prefix, page) : stores.list(prefix, filter::allows, page);
    }

    private Page<Store> among(Set<String> scope, @Nullable String prefix, StoreFilter filter, PageRequest page) {
        if (prefix == null) {
            return stores.among(scope, filter::allows, this::known, page);
        }
        var allowed = known(ids(scope)).values().stream().filter(filter::allows).toList();
        return stores.among(allowed, prefix, page);
    }

    private static List<StoreId> ids(Set<String> scope) {
        return scope.stream().map(StoreId::new).toList();
    }

    /**
     * Changes of what is known of a store, newest first, as long as the audit trail is kept; half a read unit per 4 KB. Those
     * of its prices are in {@link PriceHistory}.
     */
    public Page<StoreChange> history(Access access, StoreId store, PageRequest page) {
        return isInSight(access, store) ? stores.history(store, page) : Page.empty();
    }

    /**
     * As {@link #list}, every one, read as the stream is consumed; for what something is written on, and so without leaving
     * out what cannot be read. Half a read unit per 4 KB, a request per megabyte; of some stores a read unit each, 100 to a
     * request.
     *
     * @throws UnreadableItem where another version wrote one of them and this one cannot read it
     */
    public Stream<Store> all(Access access, @Nullable String search) {
        var prefix = prefix(search);
        return inSight(access)
                .map(scope -> DynamoStores.inOrder(stores.findAllNow(ids(scope)).values(), prefix))
                .orElseGet(() -> stores.all(prefix));
    }

    /**
     * The stores of a selection as they are now; by id, but for those of a search. Listed ones are given as they are, also those
     * that do not exist or are out of sight: {@link #findAllNow} does not find them.
     */
    public Stream<StoreId> select(Access access, StoreSelection selection) {
        return switch (selection) {
            case StoreSelection.Listed(var ids) -> ids.stream();
            case StoreSelection.Found(var search) -> all(access, search).map(Store::id);
            case StoreSelection.Countries(var codes) ->
                all(access, null)
                        .filter(store -> codes.contains(store.address().country()))
                        .map(Store::id);
            case StoreSelection.All() -> all(access, null).map(Store::id);
        };
    }

    /** Null for no search. */
    private static @Nullable String prefix(@Nullable String search) {
        if (search == null || search.isBlank()) {
            return null;
        }
        if (search.length() > StoreSearch.MAX_TERM_LENGTH) {
            throw new InvalidInput(
                    "INVALID_SEARCH", "search", "must have at most " + StoreSearch.MAX_TERM_LENGTH + " characters");
        }
        var prefix = StoreSearch.fold(search);
        if (prefix.isEmpty()) {
            throw new InvalidInput("INVALID_SEARCH", "search", "must contain a letter or a digit");
        }
        return prefix;
    }

    /**
     * Writes stores, each in a transaction of its own with its record in the history; one outcome per input, in input order.
     * Costs one BatchGetItem per 100, and writes only what differs; a time zone that {@link #edit} refuses is refused. Needs
     * {@link Permission#STORES_EDIT}; where that is for some stores, it changes those that there are of them, and has one
     * outcome for all others, whether they exist or not.
     */
    public List<SaveOutcome> save(Access access, List<Store> inputs) {
        return save(access, inputs, (input, _) -> input);
    }

    /** The same of what is made from an input and the store that there is, which nobody has changed when it is written. */
    public List<SaveOutcome> save(Access access, List<Store> inputs, BinaryOperator<Store> completing) {
        access.require(Permission.STORES_EDIT);
        var asked =
                inputs.stream().map(Store::id).filter(id -> mayEdit(access, id)).toList();
        var current = new HashMap<StoreId, DynamoStores.Current>();
        var read = stores.current(asked);
        for (var i = 0; i < asked.size(); i++) {
            current.put(asked.get(i), read.get(i));
        }
        return Concurrently.map(MAX_SAVED_AT_ONCE, inputs, input -> {
            var there = current.getOrDefault(input.id(), new DynamoStores.Current.Absent());
            return save(input, completing, there, access);
        });
    }

    private static boolean mayEdit(Access access, StoreId store) {
        return access.may(Permission.STORES_EDIT, Kind.STORES, store.value());
    }

    /** Outcome of adding or editing one store. */
    public sealed interface Edited {
        /** The store is so now, or was already. */
        record Done(Store store) implements Edited {}

        /** To be added, but there is another one with that id. */
        record Taken(StoreId id) implements Edited {}

        /** To be edited, but there is none. */
        record NotFound(StoreId id) implements Edited {}

        /** Somebody else changed it at the same time, or another version wrote it, which this one cannot read; try again. */
        record Conflict(StoreId id) implements Edited {}
    }

    /**
     * Adds a store, with its record in the history. One that is there already, exactly so, is as good as added. Needs
     * {@link Permission#STORES_EDIT} for all stores.
     */
    public Edited add(Access access, Store store) {
        access.requireForAll(Permission.STORES_EDIT);
        return switch (stores.current(List.of(store.id())).getFirst()) {
            case DynamoStores.Current.Unreadable() -> new Edited.Conflict(store.id());
            case DynamoStores.Current.Absent() -> edited(store, () -> stores.create(store, access.actor()));
            case DynamoStores.Current.Present(var there, var _) ->
                there.equals(store) ? new Edited.Done(store) : new Edited.Taken(store.id());
        };
    }

    /**
     * Changes a store, with its record in the history; writes only where something differs. Needs
     * {@link Permission#STORES_EDIT}; a store that it is not for is not found.
     *
     * <p>A clock may not go back before a time at which a price was set at once: that would not be in effect any more until the
     * clock shows the time again. Only such an edit reads versions of prices. What is set at once meanwhile, or by an
     * instance that still has the store as it was, is not seen.
     *
     * @param change makes the store from the one that there is, with the same id
     * @throws InvalidInput {@code PRICE_SET_AT_ONCE} on {@code timeZone} for such a time zone, or what the change throws
     */
    public Edited edit(Access access, StoreId id, UnaryOperator<Store> change) {
        access.require(Permission.STORES_EDIT);
        if (!mayEdit(access, id)) {
            return new Edited.NotFound(id);
        }
        return switch (stores.current(List.of(id)).getFirst()) {
            case DynamoStores.Current.Unreadable() -> new Edited.Conflict(id);
            case DynamoStores.Current.Absent() -> new Edited.NotFound(id);
            case DynamoStores.Current.Present present -> {
                var store = change.apply(present.store());
                yield store.equals(present.store())
                        ? new Edited.Done(store)
                        : edited(store, () -> replace(present, store, access.actor()));
            }
        };
    }

    private void replace(DynamoStores.Current.Present present, Store store, Actor by) {
        var zone = store.timeZone();
        var now = clock.instant();
        var shown = EffectiveDate.latestAt(now, present.store().timeZone());
        var then = EffectiveDate.latestAt(now, zone);
        if (then.compareTo(shown) < 0) {
            versions.lastAtOnce(store.id(), then, shown).ifPresent(date -> {
                throw new InvalidInput(
                        "PRICE_SET_AT_ONCE",
                        "timeZone",
                        "must not be " + zone + " before " + date.startsAt(zone) + ": until then the price would not be"
                                + " in effect that was set at once when the store's clock showed " + date);
            });
        }
        stores.replace(present, store, by);
    }

    private Edited edited(Store store, Runnable write) {
        try {
            write.run();
            return new Edited.Done(store);
        } catch (ConditionFailed e) {
            return new Edited.Conflict(store.id());
        } finally {
            cache.invalidate(store.id());
        }
    }

    /**
     * The store with this id, as {@link #find} gives it.
     *
     * @throws InvalidInput {@code NOT_FOUND} on {@code store}
     */
    public Store require(Access access, StoreId id) {
        return find(access, id)
                .orElseThrow(() -> new InvalidInput("NOT_FOUND", "store", "must exist: there is no " + id));
    }

    private SaveOutcome save(
            Store input, BinaryOperator<Store> completing, DynamoStores.Current current, Access access) {
        var by = access.actor();
        return switch (current) {
            case DynamoStores.Current.Unreadable() ->
                new SaveOutcome.NotSaved("another version wrote the store, and this one cannot read it");
            case DynamoStores.Current.Absent()
            when !access.isForAll(Permission.STORES_EDIT) ->
                new SaveOutcome.NotSaved("there is no such store that you may edit, and you may not add stores");
            case DynamoStores.Current.Absent() ->
                write(input, () -> stores.create(input, by), new SaveOutcome.Created());
            case DynamoStores.Current.Present present -> {
                var store = completing.apply(input, present.store());
                yield present.store().equals(store)
                        ? new SaveOutcome.Unchanged()
                        : write(store, () -> replace(present, store, by), new SaveOutcome.Changed());
            }
        };
    }

    private SaveOutcome write(Store store, Runnable write, SaveOutcome written) {
        saving.acquireUninterruptibly();
        try {
            write.run();
            return written;
        } catch (InvalidInput e) {
            return new SaveOutcome.Refused(e);
        } catch (ConditionFailed e) {
            return new SaveOutcome.NotSaved("somebody else changed the store at the same time");
        } catch (QueryDbException e) {
            log.warn("A store was not saved: store={}", store.id(), e);
            return new SaveOutcome.TableFailed();
        } finally {
            saving.release();
            cache.invalidate(store.id());
        }
    }
}
