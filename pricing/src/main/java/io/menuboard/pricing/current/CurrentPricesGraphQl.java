package io.menuboard.pricing.current;

import static java.util.stream.Collectors.toSet;

import io.menuboard.access.Access;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.conditional.Dependency;
import io.menuboard.kernel.Page;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prices in effect of {@code pricing.graphqls} to use cases. */
final class CurrentPricesGraphQl implements GraphQlModule {
    private static final int READ_AT_ONCE = 8;

    private final CurrentPrices prices;
    private final Stores stores;

    CurrentPricesGraphQl(CurrentPrices prices, Stores stores) {
        this.prices = prices;
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("basePrices", args -> inStore(args, store -> read(args, store, () -> basePrices(store, args))));
        parts.query("swapPrices", args -> inStore(args, store -> read(args, store, () -> swapPrices(store, args))));
        parts.query("price", args -> one(PricingInput.store(args), args, product(args)), this::prices);
        parts.query("swapPrice", args -> one(PricingInput.store(args), args, PricingInput.swap(args)), this::prices);
        parts.query(
                "prices",
                args -> inStore(
                        args, store -> read(args, store, () -> prices(store, PricingInput.products(args), args))));
        parts.query(
                "swapPricesFor",
                args -> inStore(args, store -> read(args, store, () -> prices(store, PricingInput.swaps(args), args))));
        parts.object(PricingInput.STORE, Store.class)
                .batch("basePrices", (some, args) -> eachAlone(some, store -> basePrices(store.id(), args)))
                .batch("swapPrices", (some, args) -> eachAlone(some, store -> swapPrices(store.id(), args)))
                .batch("price", (some, args) -> ofEach(some, args, product(args)))
                .batch("swapPrice", (some, args) -> ofEach(some, args, PricingInput.swap(args)))
                .batch(
                        "prices",
                        (some, args) -> eachAlone(some, store -> prices(store.id(), PricingInput.products(args), args)))
                .batch(
                        "swapPricesFor",
                        (some, args) -> eachAlone(some, store -> prices(store.id(), PricingInput.swaps(args), args)));
    }

    private Page<BasePrice> basePrices(StoreId store, Arguments args) {
        return prices.basePrices(args.access(), asked(store, args), args.find("productPrefix"), args.page());
    }

    private Page<SwapPrice> swapPrices(StoreId store, Arguments args) {
        var combo = Optional.ofNullable(args.findKey("combo", PricingInput.COMBO))
                .map(ComboId::new)
                .orElse(null);
        return prices.swapPrices(args.access(), asked(store, args), combo, args.page());
    }

    private <T> T read(Arguments args, StoreId store, Supplier<T> read) {
        return read(prices, args, asked(store, args), read);
    }

    /** Reads prices for a field, and says what they depend on, if somebody wants to know. */
    static <T> T read(CurrentPrices prices, Arguments args, Asked asked, Supplier<T> read) {
        if (!args.isConditional()) {
            return read.get();
        }
        var dependency = new InEffect(prices, asked, args.find("at") == null);
        return dependency.read(args.access(), read, state -> args.dependsOn(dependency, state));
    }

    /**
     * Prices in effect.
     *
     * @param isNow whether they are those of the moment at which somebody asks, rather than of the instant that was asked for
     */
    record InEffect(CurrentPrices prices, Asked asked, boolean isNow) implements Dependency {
        /**
         * Reads them.
         *
         * @param depends is told the state that was read, unless there is another one by now, or none is remembered that is
         *     fresh: then they may have been read before a change that is in the state, or after one that is not
         */
        <T> T read(Access access, Supplier<T> read, Consumer<State> depends) {
            // Of the instant for which they are read: the request may have taken it for a field that took its time.
            var before = ending(prices.state(access, asked));
            var found = read.get();
            // Without a request, which could fail, or take its time: the answer is there.
            before.filter(state -> remembered(access)
                            .filter(after -> after.text().equals(state.text()))
                            .isPresent())
                    .ifPresent(depends);
            return found;
        }

        @Override
        public Optional<State> state(Access access) {
            return ending(prices.state(access, atItsInstant()));
        }

        @Override
        public Optional<State> remembered(Access access) {
            return ending(prices.rememberedState(access, atItsInstant()));
        }

        private Asked atItsInstant() {
            return isNow ? asked.at(prices.now()) : asked;
        }

        private Optional<State> ending(Optional<State> found) {
            return isNow ? found : found.map(state -> new State(state.text(), null));
        }
    }

    /** In the order of the subjects; null where there is none. */
    private List<@Nullable Price> prices(StoreId store, List<? extends PriceSubject> subjects, Arguments args) {
        var found = prices.prices(args.access(), asked(store, args), subjects);
        return subjects.stream().<@Nullable Price>map(found::get).toList();
    }

    private record One(Asked asked, PriceSubject subject) {}

    private One one(StoreId store, Arguments args, PriceSubject subject) {
        return new One(asked(store, args), subject);
    }

    private List<@Nullable Object> ofEach(List<Store> some, Arguments args, PriceSubject subject) {
        return prices(
                args.access(),
                some.stream().map(store -> one(store.id(), args, subject)).toList());
    }

    /**
     * In that order; null where there is none, or no such store. What cannot be read is an exception in its place, so that it
     * fails the field that asked for it alone.
     */
    private List<@Nullable Object> prices(Access access, List<One> ones) {
        var known = stores(access, ones.stream().map(one -> one.asked().store()).collect(toSet()));
        var places = ones.stream()
                .filter(one -> known.get(one.asked().store()) instanceof Store)
                .collect(Collectors.groupingBy(
                        One::asked, LinkedHashMap::new, Collectors.mapping(One::subject, Collectors.toList())));
        var found = new HashMap<Asked, Map<PriceSubject, Object>>();
        each(places.entrySet(), place -> Map.entry(place.getKey(), prices(access, place.getKey(), place.getValue())))
                .forEach(some -> found.put(some.getKey(), some.getValue()));
        return ones.stream()
                .<@Nullable Object>map(one -> known.get(one.asked().store()) instanceof UnreadableItem unreadable
                        ? unreadable
                        : found.getOrDefault(one.asked(), Map.of()).get(one.subject()))
                .toList();
    }

    /** Those of the stores that there are; of one that cannot be read, the exception. */
    private Map<StoreId, Object> stores(Access access, Set<StoreId> ids) {
        try {
            return Map.copyOf(stores.findAllNow(access, ids));
        } catch (UnreadableItem _) {
            // One of them, and the others are as good as ever.
            var found = new HashMap<StoreId, Object>();
            each(ids, id -> store(access, id).map(store -> Map.entry(id, store)))
                    .forEach(some -> some.ifPresent(store -> found.put(store.getKey(), store.getValue())));
            return found;
        }
    }

    private Optional<Object> store(Access access, StoreId id) {
        try {
            return stores.find(access, id).map(Function.identity());
        } catch (UnreadableItem e) {
            return Optional.of(e);
        }
    }

    private Map<PriceSubject, Object> prices(Access access, Asked asked, List<PriceSubject> subjects) {
        try {
            return Map.copyOf(prices.prices(access, asked, subjects));
        } catch (UnreadableItem e) {
            if (subjects.size() == 1) {
                return Map.of(subjects.getFirst(), e);
            }
            // One of them, and the others are as good as ever.
            var found = new HashMap<PriceSubject, Object>();
            subjects.forEach(subject -> found.putAll(prices(access, asked, List.of(subject))));
            return found;
        }
    }

    /** What cannot be read of a store is an exception in its place, so that it fails the field of that store alone. */
    private static List<Object> eachAlone(List<Store> some, Function<Store, Object> read) {
        return each(some, store -> {
            try {
                return read.apply(store);
            } catch (UnreadableItem e) {
                return e;
            }
        });
    }

    private static <T, R> List<R> each(Collection<T> inputs, Function<T, R> read) {
        return Concurrently.map(READ_AT_ONCE, inputs, read);
    }

    /** What is read of the store that is asked for; null where there is none. */
    private @Nullable Object inStore(Arguments args, Function<StoreId, @Nullable Object> read) {
        return stores.find(args.access(), PricingInput.store(args))
                .map(Store::id)
                .map(read)
                .orElse(null);
    }

    private static PriceSubject product(Arguments args) {
        return new PriceSubject.Product(PricingInput.product(args));
    }

    private Asked asked(StoreId store, Arguments args) {
        return new Asked(
                store, PricingInput.channel(args), at(args), ReadConsistency.valueOf(args.text("consistency")));
    }

    /** The same instant for all that one request asks for without naming one. */
    private Instant at(Arguments args) {
        return Optional.ofNullable(args.<Instant>find("at")).orElseGet(() -> args.shared("now", prices::now));
    }
}
