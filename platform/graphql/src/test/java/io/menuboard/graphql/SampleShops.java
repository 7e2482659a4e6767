package io.menuboard.graphql;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Nodes that lead to one another, {@code a} to {@code b} to {@code c}; each read of them is remembered. */
final class SampleShops {
    /** What was read at once. */
    static final List<List<String>> READS = new CopyOnWriteArrayList<>();

    private SampleShops() {}

    record Shop(String key) {
        Shop {
            Ids.check("shop", key);
        }

        @Nullable
        String next() {
            return key.equals("z") ? null : String.valueOf((char) (key.charAt(0) + 1));
        }
    }

    record Opened(@Nullable Shop shop, List<String> closing, List<UserError> errors) {}

    static void contribute(SchemaParts parts) {
        parts.query(
                "sampleShops",
                args -> args.<List<String>>get("names").stream().map(Shop::new).toList());
        parts.node(
                        "SampleShop",
                        Shop.class,
                        Shop::key,
                        SchemaParts.NodeReader.of(Shop::new, SampleShops::read, Shop::key))
                .reference("next", "SampleShop", Shop::next)
                .batch("letters", (shops, args) -> {
                    READS.add(shops.stream().map(Shop::key).toList());
                    var words = args.get("words", List.of()).size();
                    return Collections.nCopies(shops.size(), 1 + args.number("more") + words);
                });
        parts.mutation("sampleOpen", SampleShops::open);
    }

    /** All but {@code x}. Another version wrote {@code u}, and with {@code v} the table cannot be reached. */
    private static List<Shop> read(List<Shop> shops) {
        var keys = shops.stream().map(Shop::key).toList();
        READS.add(keys);
        if (keys.contains("v")) {
            throw new SampleDataAccess.Fault("connect timed out", "UNAVAILABLE", "try again");
        }
        if (keys.contains("u")) {
            throw new SampleDataAccess.Fault("unreadable: SHOP#u", SampleDataAccess.OTHER_VERSION, "try again");
        }
        return shops.stream().filter(shop -> !shop.key().equals("x")).toList();
    }

    private static Opened open(Arguments args) {
        var closing = args.keys("closing", "SampleShop");
        var shop = new Shop(args.key("shop", "SampleShop"));
        return switch (shop.key()) {
            case "y" -> throw new InvalidInput("NOBODY_KNOWS", "shop", "must not be y");
            default -> new Opened(shop, closing, List.of());
        };
    }
}
