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
import java.time.Instant;
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

    private final Stores stores;
    private final Pricing pricing;

    PricingGraphQl(Stores stores, Pricing pricing) {
        this.stores = stores;
        this.pricing = pricing;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("pricing");
        parts.scalar(EFFECTIVE_DATE);
        queries(parts);
        nodes(parts);
        parts.object("PriceVersion", PriceVersion.class)
                .reference(
                        "changeSet",
                        "ChangeSet",
                        version -> version.changeSet() == null
                                ? null
                                : version.changeSet().value());
    }

    private void queries(SchemaParts parts) {
        parts.query(
                "basePrices",
                args -> inStore(
                        args,
                        store -> pricing.basePrices(
                                store, PricingInput.channel(args), args.find("productPrefix"), at(args), args.page())));
        parts.query(
                "basePricesByProduct",
                args -> pricing.basePricesByProduct(
                        PricingInput.product(args), PricingInput.channel(args), at(args), args.page()));
        parts.query(
                "swapPrices",
                args -> inStore(
                        args,
                        store -> pricing.swapPrices(
                                store, PricingInput.channel(args), combo(args), at(args), args.page())));
        parts.query(
                "price",
                args -> inStore(args, store -> pricing.price(
                                store, PricingInput.product(args), PricingInput.channel(args), at(args))
                        .orElse(null)));
        parts.query(
                "priceTimeline",
                args -> inStore(
                        args,
                        store -> pricing.timeline(
                                store, PricingInput.product(args), PricingInput.channel(args), args.page())));
    }

    /** Products, combos and options are no more than their ids: every one that is valid has a node. */
    private static void nodes(SchemaParts parts) {
        parts.node(
                        PricingInput.PRODUCT,
                        ProductId.class,
                        ProductId::value,
                        NodeReader.of(ProductId::new, Function.identity(), ProductId::value))
                .field("key", ProductId::value);
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
    }

    /** What is read of the store that is asked for; null where there is none. */
    private @Nullable Object inStore(Arguments args, Function<StoreId, @Nullable Object> read) {
        return stores.find(PricingInput.store(args)).map(Store::id).map(read).orElse(null);
    }

    private static @Nullable ComboId combo(Arguments args) {
        return Optional.ofNullable(args.findKey("combo", PricingInput.COMBO))
                .map(ComboId::new)
                .orElse(null);
    }

    private Instant at(Arguments args) {
        return Optional.ofNullable(args.<Instant>find("at")).orElseGet(pricing::now);
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
