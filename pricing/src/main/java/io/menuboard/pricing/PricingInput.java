package io.menuboard.pricing;

import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;

/** Arguments that fields of pricing share. */
public final class PricingInput {
    private PricingInput() {}

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    public static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    public static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    public static StoreId store(DataFetchingEnvironment args) {
        return new StoreId(text(args, "store"));
    }

    public static ProductId product(DataFetchingEnvironment args) {
        return new ProductId(text(args, "product"));
    }

    public static Channel channel(DataFetchingEnvironment args) {
        return new Channel(text(args, "channel"));
    }

    public static PageRequest page(DataFetchingEnvironment args, PageLimits limits) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }
}
