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
import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code pricing.graphqls} to use cases. Fields of records need no fetcher of their own. */
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
        parts.query("store", args -> stores.find(Arguments.named("id", () -> new StoreId(args.text("id"))))
                .orElse(null));
        parts.query("stores", args -> stores.list(args.find("search"), args.page()));
        parts.query(
                "basePrices",
                args -> pricing.basePrices(
                        PricingInput.store(args),
                        PricingInput.channel(args),
                        args.find("productPrefix"),
                        at(args),
                        args.page()));
        parts.query(
                "basePricesByProduct",
                args -> pricing.basePricesByProduct(
                        PricingInput.product(args), PricingInput.channel(args), at(args), args.page()));
        parts.query(
                "swapPrices",
                args -> pricing.swapPrices(
                        PricingInput.store(args), PricingInput.channel(args), combo(args), at(args), args.page()));
        parts.query("price", args -> pricing.price(
                        PricingInput.store(args), PricingInput.product(args), PricingInput.channel(args), at(args))
                .orElse(null));
        parts.query(
                "priceTimeline",
                args -> pricing.timeline(
                        PricingInput.store(args), PricingInput.product(args), PricingInput.channel(args), args.page()));
    }

    private static @Nullable ComboId combo(Arguments args) {
        return Optional.ofNullable(args.<String>find("combo")).map(ComboId::new).orElse(null);
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
