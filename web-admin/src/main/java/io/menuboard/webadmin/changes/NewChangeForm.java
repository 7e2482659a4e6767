package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceEnding;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.webadmin.ui.Countries;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.TypedNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of {@code changes/new} as they are sent: one rule.
 *
 * @param storesBy which of the fields says which stores: {@code ids}, {@code search}, {@code countries} or {@code all}
 * @param stores ids, one per line, as are products and channels
 * @param countries codes or English names, as {@link Countries} reads them
 * @param operation one of {@link PriceOperation#NAMES}
 * @param amount of those operations that need one; ignored for the others, as are the percentage and the ending
 */
public record NewChangeForm(
        ChangeAbout about,
        String storesBy,
        String stores,
        String search,
        String countries,
        String products,
        String channels,
        String operation,
        String amount,
        String percent,
        String ending) {

    private static final String IDS = "ids";
    private static final String SEARCH = "search";
    private static final String COUNTRIES = "countries";
    private static final String ALL = "all";

    /** A valid one: with one part replaced, what is refused is that part. */
    static final ChangeRule RIGHT = new ChangeRule(
            new StoreSelection.All(),
            List.of(new PriceSubject.Product(new ProductId("P"))),
            List.of(Channel.ALL),
            new PriceOperation.Delete(),
            null);

    /**
     * The form for what was chosen on another page.
     *
     * @param chosen values of {@code store}, {@code product} and {@code channel}, empty for none
     */
    static NewChangeForm prefilled(Function<String, List<String>> chosen) {
        var stores = all(chosen, "store");
        var products = all(chosen, "product");
        var channels = all(chosen, "channel");
        return new NewChangeForm(
                ChangeAbout.EMPTY,
                stores.isEmpty() && !products.isEmpty() ? ALL : IDS,
                String.join("\n", stores),
                "",
                "",
                String.join("\n", products),
                channels.isEmpty() ? Channel.ALL.value() : String.join("\n", channels),
                "SET",
                "",
                "",
                "");
    }

    private static List<String> all(Function<String, List<String>> chosen, String name) {
        return chosen.apply(name).stream().filter(value -> !value.isBlank()).toList();
    }

    static NewChangeForm of(Map<String, String> fields) {
        return new NewChangeForm(
                ChangeAbout.of(fields),
                text(fields, "storesBy"),
                text(fields, "stores"),
                text(fields, "search"),
                text(fields, "countries"),
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

    /**
     * As an earlier set has it.
     *
     * @param rule only of products; an amount that it sets is in no currency of its own
     */
    static NewChangeForm like(ChangeAbout about, ChangeRule rule) {
        var stores = rule.stores();
        var operation = rule.operation();
        var ending = rule.ending();
        return new NewChangeForm(
                about,
                switch (stores) {
                    case StoreSelection.Listed _ -> IDS;
                    case StoreSelection.Found _ -> SEARCH;
                    case StoreSelection.Countries _ -> COUNTRIES;
                    case StoreSelection.All _ -> ALL;
                },
                stores instanceof StoreSelection.Listed(var ids) ? lines(ids) : "",
                stores instanceof StoreSelection.Found(var search) ? search : "",
                stores instanceof StoreSelection.Countries(var codes) ? Countries.names(codes) : "",
                lines(rule.subjects().stream().map(PriceSubject::name).toList()),
                lines(rule.channels()),
                switch (operation) {
                    case PriceOperation.SetTo _ -> "SET";
                    case PriceOperation.Add _ -> "ADD";
                    case PriceOperation.Percent _ -> "PERCENT";
                    case PriceOperation.Round _ -> "ROUND";
                    case PriceOperation.Delete _ -> "DELETE";
                },
                switch (operation) {
                    case PriceOperation.SetTo(var amount, var _) -> TypedNumber.of(amount);
                    case PriceOperation.Add(var amount) -> TypedNumber.of(amount);
                    default -> "";
                },
                operation instanceof PriceOperation.Percent(var percent) ? TypedNumber.of(percent) : "",
                ending == null ? "" : ending.digits());
    }

    /** The form with nothing but what an earlier set says of itself. */
    static NewChangeForm about(ChangeAbout about) {
        return new NewChangeForm(about, IDS, "", "", "", "", Channel.ALL.value(), "SET", "", "", "");
    }

    private static String lines(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    /** Everything that {@link #draft} would be refused for, in the order of the form. */
    Problems problems() {
        var checks = new ArrayList<Supplier<? extends @Nullable Object>>(List.of(
                this::selection,
                () -> new ChangeRule(RIGHT.stores(), subjects(), RIGHT.channels(), RIGHT.operation(), null),
                () -> new ChangeRule(RIGHT.stores(), RIGHT.subjects(), inChannels(), RIGHT.operation(), null),
                this::priceOperation,
                this::priceEnding,
                () -> new ChangeRule(
                        RIGHT.stores(), RIGHT.subjects(), RIGHT.channels(), priceOperation(), priceEnding())));
        checks.addAll(about.checks());
        return Problems.of(checks);
    }

    /** @throws InvalidInput naming a field that is wrong; all of them are {@link #problems} */
    DraftChangeSet draft() {
        return about.draft(
                List.of(new ChangeRule(selection(), subjects(), inChannels(), priceOperation(), priceEnding())));
    }

    private StoreSelection selection() {
        return switch (storesBy) {
            case IDS -> new StoreSelection.Listed(each("stores", stores, StoreId::new));
            case SEARCH -> new StoreSelection.Found(search);
            case COUNTRIES -> new StoreSelection.Countries(Countries.codes(countries));
            case ALL -> new StoreSelection.All();
            default ->
                throw new InvalidInput(
                        "INVALID_STORES",
                        "storesBy",
                        "must be " + IDS + ", " + SEARCH + ", " + COUNTRIES + " or " + ALL);
        };
    }

    private List<PriceSubject> subjects() {
        return each("products", products, id -> (PriceSubject) new PriceSubject.Product(new ProductId(id)));
    }

    private List<Channel> inChannels() {
        return each("channels", channels, Channel::new);
    }

    private PriceOperation priceOperation() {
        return PriceOperation.of(
                operation,
                takes("SET", "ADD") ? TypedNumber.amount(amount) : "",
                takes("PERCENT") ? TypedNumber.percent(percent) : "");
    }

    private @Nullable PriceEnding priceEnding() {
        return ending.isEmpty() || takes("DELETE") ? null : new PriceEnding(ending);
    }

    private boolean takes(String... operations) {
        return List.of(operations).contains(operation);
    }

    /** Each line that is not blank, refused under the name of the field. */
    public static <T> List<T> each(String field, String lines, Function<String, T> parse) {
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
            throw new InvalidInput(e.code(), field, "“" + line + "” " + e.rule());
        }
    }
}
