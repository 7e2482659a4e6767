package io.menuboard.pricing;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.GraphQLScalarType;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Prices of {@code pricing.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class PricingGraphQl implements GraphQlModule {
    private static final GraphQLScalarType EFFECTIVE_DATE = GraphQLScalarType.newScalar()
            .name("EffectiveDate")
            .coercing(new EffectiveDateCoercing())
            .build();

    private static final int READ_AT_ONCE = 8;

    private final Stores stores;
    private final Pricing pricing;
    private final PriceHistory history;

    PricingGraphQl(Stores stores, Pricing pricing, PriceHistory history) {
        this.stores = stores;
        this.pricing = pricing;
        this.history = history;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("pricing");
        parts.scalar(EFFECTIVE_DATE);
        lists(parts);
        single(parts);
        nodes(parts);
        parts.object("PriceVersion", PriceVersion.class)
                .reference(
                        "changeSet",
                        "ChangeSet",
                        version -> version.changeSet() == null
                                ? null
                                : version.changeSet().value());
    }

    private void lists(SchemaParts parts) {
        parts.query("basePrices", args -> inStore(args, store -> basePrices(store, args)));
        parts.query("swapPrices", args -> inStore(args, store -> swapPrices(store, args)));
        parts.query("basePricesByProduct", args -> byStore(PricingInput.product(args), args));
        parts.query(
                "swapPricesByOption",
                args -> pricing.swapPricesByOption(
                        PricingInput.swap(args), PricingInput.channel(args), at(args), args.page()));
        ofSubject(parts, "priceTimeline", PricingGraphQl::product, this::timeline);
        ofSubject(parts, "swapPriceTimeline", PricingInput::swap, this::timeline);
        ofSubject(
                parts,
                "swapPriceHistory",
                PricingInput::swap,
                (store, subject, args) -> history.of(store, PricingInput.channel(args), subject, args.page()));
    }

    private void single(SchemaParts parts) {
        parts.query("price", args -> asked(args, product(args)), asked -> prices(asked));
        parts.query("swapPrice", args -> asked(args, PricingInput.swap(args)), asked -> prices(asked));
        parts.query("prices", args -> inStore(args, store -> prices(store, products(args), args)));
        parts.query("swapPricesFor", args -> inStore(args, store -> prices(store, swaps(args), args)));
        ofSubject(parts, "lowestSwapPrice", PricingInput::swap, (store, subject, args) -> pricing.lowest(
                        store, subject, PricingInput.channel(args))
                .orElse(null));
    }

    /** Products, combos and options are no more than their ids: every one that is valid has a node. */
    private void nodes(SchemaParts parts) {
        parts.query(
                "product", args -> Arguments.named("id", () -> new ProductId(args.key("id", PricingInput.PRODUCT))));
        parts.node(
                        PricingInput.PRODUCT,
                        ProductId.class,
                        ProductId::value,
                        NodeReader.of(ProductId::new, Function.identity(), ProductId::value))
                .field("key", ProductId::value)
                .batch("basePrices", (products, args) -> each(products, product -> byStore(product, args)));
        parts.node(
                        PricingInput.COMBO,
                        ComboId.class,
                        ComboId::value,
                        NodeReader.of(ComboId::new, Function.identity(), ComboId::value))
                .field("key", ComboId::value);
        parts.node(
                        PricingInput.OPTION,
                        OptionId.class,
                        OptionId::value,
                        NodeReader.of(OptionId::new, Function.identity(), OptionId::value))
                .field("key", OptionId::value);
        parts.object(PricingInput.STORE, Store.class)
                .batch("basePrices", (some, args) -> each(some, store -> basePrices(store.id(), args)))
                .batch("swapPrices", (some, args) -> each(some, store -> swapPrices(store.id(), args)))
                .batch(
                        "price",
                        (some, args) -> prices(some.stream()
                                .map(store -> asked(store.id(), args, product(args)))
                                .toList()))
                .batch("prices", (some, args) -> each(some, store -> prices(store.id(), products(args), args)));
    }

    private Page<BasePrice> basePrices(StoreId store, Arguments args) {
        return pricing.basePrices(store, PricingInput.channel(args), args.find("productPrefix"), at(args), args.page());
    }

    private Page<SwapPrice> swapPrices(StoreId store, Arguments args) {
        var combo = Optional.ofNullable(args.findKey("combo", PricingInput.COMBO))
                .map(ComboId::new)
                .orElse(null);
        return pricing.swapPrices(store, PricingInput.channel(args), combo, at(args), args.page());
    }

    private Page<BasePrice> byStore(ProductId product, Arguments args) {
        return pricing.basePricesByProduct(product, PricingInput.channel(args), at(args), args.page());
    }

    private Page<PriceVersion> timeline(StoreId store, PriceSubject subject, Arguments args) {
        return pricing.timeline(store, subject, PricingInput.channel(args), args.page());
    }

    /** In the order of the subjects; null where there is none. */
    private List<@Nullable Price> prices(StoreId store, List<? extends PriceSubject> subjects, Arguments args) {
        var found = pricing.prices(store, subjects, PricingInput.channel(args), at(args));
        return subjects.stream().<@Nullable Price>map(found::get).toList();
    }

    /** Prices of one store and channel at one instant, which are read together. */
    private record Place(StoreId store, Channel channel, Instant at) {}

    private record Asked(Place place, PriceSubject subject) {}

    private Asked asked(Arguments args, PriceSubject subject) {
        return asked(PricingInput.store(args), args, subject);
    }

    private Asked asked(StoreId store, Arguments args, PriceSubject subject) {
        return new Asked(new Place(store, PricingInput.channel(args), at(args)), subject);
    }

    /**
     * In that order; null where there is none, or no such store. What cannot be read is an exception in its place, so that it
     * fails the field that asked for it alone.
     */
    private List<@Nullable Object> prices(List<Asked> asked) {
        stores.findAll(asked.stream().map(one -> one.place().store()).toList());
        var places = asked.stream()
                .filter(one -> stores.find(one.place().store()).isPresent())
                .collect(Collectors.groupingBy(
                        Asked::place, LinkedHashMap::new, Collectors.mapping(Asked::subject, Collectors.toList())));
        var found = new HashMap<Place, Map<PriceSubject, Object>>();
        each(places.entrySet(), place -> Map.entry(place.getKey(), prices(place.getKey(), place.getValue())))
                .forEach(prices -> found.put(prices.getKey(), prices.getValue()));
        return asked.stream()
                .<@Nullable Object>map(
                        one -> found.getOrDefault(one.place(), Map.of()).get(one.subject()))
                .toList();
    }

    private Map<PriceSubject, Object> prices(Place place, List<PriceSubject> subjects) {
        try {
            return Map.copyOf(pricing.prices(place.store(), subjects, place.channel(), place.at()));
        } catch (UnreadableItem e) {
            if (subjects.size() == 1) {
                return Map.of(subjects.getFirst(), e);
            }
            // One of them, and the others are as good as ever.
            var found = new HashMap<PriceSubject, Object>();
            subjects.forEach(subject -> found.putAll(prices(place, List.of(subject))));
            return found;
        }
    }

    private static <T, R> List<R> each(Collection<T> inputs, Function<T, R> read) {
        return Concurrently.map(READ_AT_ONCE, inputs, read);
    }

    /** Reads something of a price of the store that is asked for. */
    @FunctionalInterface
    private interface SubjectReader {
        @Nullable
        Object read(StoreId store, PriceSubject subject, Arguments args);
    }

    private void ofSubject(
            SchemaParts parts, String field, Function<Arguments, PriceSubject> subject, SubjectReader read) {
        parts.query(field, args -> inStore(args, store -> read.read(store, subject.apply(args), args)));
    }

    /** What is read of the store that is asked for; null where there is none. */
    private @Nullable Object inStore(Arguments args, Function<StoreId, @Nullable Object> read) {
        return stores.find(PricingInput.store(args)).map(Store::id).map(read).orElse(null);
    }

    private static PriceSubject product(Arguments args) {
        return new PriceSubject.Product(PricingInput.product(args));
    }

    private static List<PriceSubject.Product> products(Arguments args) {
        var keys = args.keys("products", PricingInput.PRODUCT);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> Arguments.named("products." + i, () -> new ProductId(keys.get(i))))
                .map(PriceSubject.Product::new)
                .toList();
    }

    private static List<PriceSubject.Swap> swaps(Arguments args) {
        var swaps = args.objects("swaps");
        return IntStream.range(0, swaps.size())
                .mapToObj(i -> Arguments.within("swaps." + i, () -> PricingInput.swap(swaps.get(i))))
                .toList();
    }

    /** The same instant for all that one request asks for without naming one. */
    private Instant at(Arguments args) {
        return Optional.ofNullable(args.<Instant>find("at")).orElseGet(() -> args.shared("now", pricing::now));
    }

    private static final class EffectiveDateCoercing implements Coercing<EffectiveDate, String> {
        @Override
        public String serialize(Object result, GraphQLContext context, Locale locale) {
            return result.toString();
        }

        @Override
        public EffectiveDate parseValue(Object input, GraphQLContext context, Locale locale) {
            try {
                return EffectiveDate.parse(input.toString());
            } catch (InvalidInput e) {
                throw new CoercingParseValueException(e.getMessage(), e);
            }
        }

        @Override
        public EffectiveDate parseLiteral(
                Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            try {
                return EffectiveDate.parse(input instanceof StringValue text ? String.valueOf(text.getValue()) : "");
            } catch (InvalidInput e) {
                throw new CoercingParseLiteralException(e.getMessage(), e);
            }
        }
    }
}
