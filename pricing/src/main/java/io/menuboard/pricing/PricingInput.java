package io.menuboard.pricing;

import io.menuboard.graphql.Arguments;

/** Arguments that fields of pricing share. */
public final class PricingInput {
    private PricingInput() {}

    public static StoreId store(Arguments args) {
        return new StoreId(args.text("store"));
    }

    public static ProductId product(Arguments args) {
        return new ProductId(args.text("product"));
    }

    public static Channel channel(Arguments args) {
        return new Channel(args.text("channel"));
    }
}
