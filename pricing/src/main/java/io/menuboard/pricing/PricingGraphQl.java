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
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
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
                .reference("changeSet", "ChangeSet", PricingGraphQl::changeSet)
                .field("changeSetKey", PricingGraphQl::changeSet);
    }

    private static @Nullable String changeSet(PriceVersion version) {
        return version.changeSet() == null ? null : version.changeSet().value();
    }

    private void lists(SchemaParts parts) {
        parts.query("basePricesByProduct", args -> byStore(PricingInput.product(args), args));
        parts.query("swapPricesByOption", args -> byStore(PricingInput.swap(args), args));
        ofSubject(parts, "priceTimeline", PricingGraphQl::product, this::timeline);
        ofSubject(parts, "swapPriceTimeline", PricingInput::swap, this::timeline);
        ofSubject(
                parts,
                "swapPriceHistory",
                PricingInput::swap,
                (store, subject, args) ->
                        history.of(args.access(), store, PricingInput.channel(args), subject, args.page()));
    }

    private void single(SchemaParts parts) {
        ofSubject(parts, "lowestSwapPrice", PricingInput::swap, (store, subject, args) -> pricing.lowest(
                        args.access(), store, subject, PricingInput.channel(args))
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
                .field("key", OptionId::value)
                .batch("swapPrices", (options, args) -> {
                    var combo = PricingInput.combo(args);
                    return each(options, option -> byStore(new PriceSubject.Swap(combo, option), args));
                });
    }

    private Page<BasePrice> byStore(ProductId product, Arguments args) {
        return pricing.basePricesByProduct(args.access(), product, PricingInput.channel(args), at(args), args.page());
    }

    private Page<SwapPrice> byStore(PriceSubject.Swap swap, Arguments args) {
        return pricing.swapPricesByOption(args.access(), swap, PricingInput.channel(args), at(args), args.page());
    }

    private Page<PriceVersion> timeline(StoreId store, PriceSubject subject, Arguments args) {
        return pricing.timeline(args.access(), store, subject, PricingInput.channel(args), args.page());
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
        return stores.find(args.access(), PricingInput.store(args))
                .map(Store::id)
                .map(read)
                .orElse(null);
    }

    private static PriceSubject product(Arguments args) {
        return new PriceSubject.Product(PricingInput.product(args));
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
