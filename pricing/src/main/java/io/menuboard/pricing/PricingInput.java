package io.menuboard.pricing;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GlobalId;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Arguments that fields of pricing share. What names a node takes its id or its key. */
public final class PricingInput {
    /** Names of the object types, for fields that lead to them. */
    public static final String STORE = "Store";

    public static final String PRODUCT = "Product";
    public static final String COMBO = "Combo";
    public static final String OPTION = "Option";

    private PricingInput() {}

    public static StoreId store(Arguments args) {
        return new StoreId(args.key("store", STORE));
    }

    public static ProductId product(Arguments args) {
        return new ProductId(args.key("product", PRODUCT));
    }

    static ComboId combo(Arguments args) {
        return new ComboId(args.key("combo", COMBO));
    }

    /** The option of a combo that {@code combo} and {@code option} name. */
    public static PriceSubject.Swap swap(Arguments args) {
        return new PriceSubject.Swap(combo(args), new OptionId(args.key("option", OPTION)));
    }

    /** An object of type {@code SwapInput}. */
    public static PriceSubject.Swap swap(Map<?, ?> input) {
        return new PriceSubject.Swap(
                new ComboId(GlobalId.keyOf(COMBO, "combo", String.valueOf(input.get("combo")))),
                new OptionId(GlobalId.keyOf(OPTION, "option", String.valueOf(input.get("option")))));
    }

    /** Products that a list of ids or keys names. */
    public static List<PriceSubject.Product> products(Arguments args) {
        var keys = args.keys("products", PRODUCT);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> Arguments.named("products." + i, () -> new ProductId(keys.get(i))))
                .map(PriceSubject.Product::new)
                .toList();
    }

    /** Options of combos that a list of {@code SwapInput} names. */
    public static List<PriceSubject.Swap> swaps(Arguments args) {
        var swaps = args.objects("swaps");
        return IntStream.range(0, swaps.size())
                .mapToObj(i -> Arguments.within("swaps." + i, () -> swap(swaps.get(i))))
                .toList();
    }

    public static Channel channel(Arguments args) {
        return new Channel(args.text("channel"));
    }
}
