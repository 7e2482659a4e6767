package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeRule;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DraftChangeSet;
import io.menuboard.pricing.PriceEnding;
import io.menuboard.pricing.PriceOperation;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.querydb.InvalidInput;
import io.micronaut.http.HttpParameters;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The fields of {@code changes/new} as they are sent: one rule.
 *
 * @param storesBy which of the fields says which stores: {@code ids}, {@code search} or {@code all}
 * @param stores ids, one per line, as are products and channels
 * @param operation one of {@link PriceOperation#NAMES}
 * @param amount of those operations that need one; ignored for the others, as is the percentage
 */
record NewChangeForm(
        ChangeAbout about,
        String storesBy,
        String stores,
        String search,
        String products,
        String channels,
        String operation,
        String amount,
        String percent,
        String ending) {

    private static final String IDS = "ids";
    private static final String SEARCH = "search";
    private static final String ALL = "all";

    /** What the address says already: stores, products and channels. */
    static NewChangeForm prefilled(HttpParameters address) {
        var stores = all(address, "store");
        var products = all(address, "product");
        var channels = all(address, "channel");
        return new NewChangeForm(
                ChangeAbout.EMPTY,
                stores.isEmpty() && !products.isEmpty() ? ALL : IDS,
                String.join("\n", stores),
                "",
                String.join("\n", products),
                channels.isEmpty() ? Channel.ALL.value() : String.join("\n", channels),
                "SET",
                "",
                "",
                "");
    }

    private static List<String> all(HttpParameters address, String name) {
        return address.getAll(name).stream().filter(value -> !value.isBlank()).toList();
    }

    static NewChangeForm of(Map<String, String> fields) {
        return new NewChangeForm(
                ChangeAbout.of(fields),
                text(fields, "storesBy"),
                text(fields, "stores"),
                text(fields, "search"),
                text(fields, "products"),
                text(fields, "channels"),
                text(fields, "operation"),
                text(fields, "amount"),
                text(fields, "percent"),
                text(fields, "ending"));
    }

    private static String text(Map<String, String> fields, String name) {
        return Objects.requireNonNullElse(fields.get(name), "").strip();
    }

    /** @throws InvalidInput naming the field that is wrong */
    DraftChangeSet draft() {
        return about.draft(List.of(new ChangeRule(
                selection(),
                each("products", products, id -> (PriceSubject) new PriceSubject.Product(new ProductId(id))),
                each("channels", channels, Channel::new),
                PriceOperation.of(operation, takes("SET", "ADD") ? amount : "", takes("PERCENT") ? percent : ""),
                ending.isEmpty() ? null : new PriceEnding(ending))));
    }

    private boolean takes(String... operations) {
        return List.of(operations).contains(operation);
    }

    private StoreSelection selection() {
        return switch (storesBy) {
            case IDS -> new StoreSelection.Listed(each("stores", stores, StoreId::new));
            case SEARCH -> new StoreSelection.Found(search);
            case ALL -> new StoreSelection.All();
            default ->
                throw new InvalidInput(
                        "INVALID_STORES", "storesBy", "storesBy must be " + IDS + ", " + SEARCH + " or " + ALL);
        };
    }

    private static <T> List<T> each(String field, String lines, Function<String, T> parse) {
        return lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> one(field, line, parse))
                .toList();
    }

    private static <T> T one(String field, String line, Function<String, T> parse) {
        try {
            return parse.apply(line);
        } catch (InvalidInput e) {
            throw new InvalidInput(
                    e.code(),
                    field,
                    field + " “" + line + "” " + e.getMessage().replaceFirst("^" + e.field() + " ", ""));
        }
    }
}
