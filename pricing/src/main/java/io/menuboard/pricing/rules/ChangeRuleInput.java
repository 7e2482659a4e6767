package io.menuboard.pricing.rules;

import io.menuboard.graphql.GlobalId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code ChangeRuleInput} to {@link ChangeRule}. */
public record ChangeRuleInput(Map<String, Object> fields) {

    /** Throws {@link InvalidInput} naming field and rule. */
    public ChangeRule rule() {
        var ending = fields.get("ending");
        return new ChangeRule(
                stores(),
                subjects(),
                each("channels", channel -> new Channel(channel.toString())),
                operation(ending != null),
                ending == null ? null : new PriceEnding(ending.toString()));
    }

    private StoreSelection stores() {
        var choices = new ArrayList<StoreSelection>();
        if (fields.get("stores") != null) {
            choices.add(new StoreSelection.Listed(each("stores", id -> new StoreId(key(PricingInput.STORE, id)))));
        }
        if (fields.get("storeSearch") instanceof String search) {
            choices.add(as("storeSearch", () -> new StoreSelection.Found(search)));
        }
        if (fields.get("countries") != null) {
            choices.add(new StoreSelection.Countries(each("countries", Object::toString)));
        }
        if (Boolean.TRUE.equals(fields.get("allStores"))) {
            choices.add(new StoreSelection.All());
        }
        return only(choices, "stores", "exactly one of stores, storeSearch, countries and allStores must be given");
    }

    private List<PriceSubject> subjects() {
        var subjects = new ArrayList<PriceSubject>();
        subjects.addAll(each("products", id -> new PriceSubject.Product(new ProductId(key(PricingInput.PRODUCT, id)))));
        var swaps = list("swaps");
        for (var i = 0; i < swaps.size(); i++) {
            var swap = (Map<?, ?>) swaps.get(i);
            subjects.add(new PriceSubject.Swap(
                    as("swaps." + i + ".combo", () -> new ComboId(key(PricingInput.COMBO, swap.get("combo")))),
                    as("swaps." + i + ".option", () -> new OptionId(key(PricingInput.OPTION, swap.get("option"))))));
        }
        return subjects;
    }

    private PriceOperation operation(boolean rounds) {
        var choices = new ArrayList<PriceOperation>();
        if (fields.get("setTo") instanceof BigDecimal amount) {
            var currency = currency(fields.get("currency"));
            choices.add(as("setTo", () -> new PriceOperation.SetTo(amount, currency)));
        } else if (fields.get("currency") != null) {
            throw new InvalidInput("INVALID_RULE", "currency", "must not be given without setTo");
        }
        if (fields.get("add") instanceof BigDecimal amount) {
            choices.add(new PriceOperation.Add(amount));
        }
        if (fields.get("percent") instanceof BigDecimal percent) {
            choices.add(new PriceOperation.Percent(percent));
        }
        if (Boolean.TRUE.equals(fields.get("delete"))) {
            choices.add(new PriceOperation.Delete());
        }
        if (choices.isEmpty() && rounds) {
            choices.add(new PriceOperation.Round());
        }
        return only(choices, "setTo", "exactly one of setTo, add, percent, delete and ending alone must be given");
    }

    /** Key of what an {@code ID} names. */
    private static String key(String type, @Nullable Object id) {
        return GlobalId.keyOf(type, "id", String.valueOf(id));
    }

    private static @Nullable Currency currency(@Nullable Object given) {
        return given == null ? null : Money.currencyOf(given.toString());
    }

    private static <T> T only(List<T> choices, String field, String rule) {
        if (choices.size() != 1) {
            throw InvalidInput.sentence("INVALID_RULE", field, rule);
        }
        return choices.getFirst();
    }

    /** Each element of a list, refused under its own number. */
    private <T> List<T> each(String name, Function<Object, T> parse) {
        var given = list(name);
        var parsed = new ArrayList<T>();
        for (var i = 0; i < given.size(); i++) {
            var element = given.get(i);
            parsed.add(as(name + "." + i, () -> parse.apply(element)));
        }
        return parsed;
    }

    private List<?> list(String name) {
        return fields.get(name) instanceof List<?> list ? list : List.of();
    }

    /** Refuses under the name that a value has here what is refused under the one that it has elsewhere. */
    private static <T> T as(String field, Supplier<T> parse) {
        try {
            return parse.get();
        } catch (InvalidInput e) {
            throw e.isSentence()
                    ? new InvalidInput(e.code(), field, "must be right: " + e.getMessage())
                    : e.renamed(field);
        }
    }
}
