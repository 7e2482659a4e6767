package io.menuboard.pricing;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLScalarType;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code pricing.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class PricingGraphQl {
    static final GraphQLScalarType EFFECTIVE_DATE = GraphQLScalarType.newScalar()
            .name("EffectiveDate")
            .coercing(new EffectiveDateCoercing())
            .build();

    private final Stores stores;
    private final Pricing pricing;
    private final PageLimits limits;

    PricingGraphQl(Stores stores, Pricing pricing, PageLimits limits) {
        this.stores = stores;
        this.pricing = pricing;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("store", args -> stores.find(new StoreId(PricingInput.text(args, "id")))
                        .orElse(null))
                .dataFetcher("stores", args -> stores.list(args.getArgument("search"), page(args)))
                .dataFetcher(
                        "basePrices",
                        args -> pricing.basePrices(
                                PricingInput.store(args),
                                PricingInput.channel(args),
                                args.getArgument("productPrefix"),
                                at(args),
                                page(args)))
                .dataFetcher(
                        "basePricesByProduct",
                        args -> pricing.basePricesByProduct(
                                PricingInput.product(args), PricingInput.channel(args), at(args), page(args)))
                .dataFetcher(
                        "swapPrices",
                        args -> pricing.swapPrices(
                                PricingInput.store(args),
                                PricingInput.channel(args),
                                combo(args),
                                at(args),
                                page(args)))
                .dataFetcher("price", args -> pricing.price(
                                PricingInput.store(args),
                                PricingInput.product(args),
                                PricingInput.channel(args),
                                at(args))
                        .orElse(null))
                .dataFetcher(
                        "priceTimeline",
                        args -> pricing.timeline(
                                PricingInput.store(args),
                                PricingInput.product(args),
                                PricingInput.channel(args),
                                page(args)))
                .build();
    }

    private static @Nullable ComboId combo(DataFetchingEnvironment args) {
        return Optional.ofNullable(args.<String>getArgument("combo"))
                .map(ComboId::new)
                .orElse(null);
    }

    private Instant at(DataFetchingEnvironment args) {
        return Optional.ofNullable(args.<Instant>getArgument("at")).orElseGet(pricing::now);
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PricingInput.page(args, limits);
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
