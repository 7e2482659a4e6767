package io.menuboard.pricing;

import io.menuboard.querydb.InvalidInput;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code ChangeRuleInput} to {@link ChangeRule}. */
record ChangeRuleInput(Map<String, Object> fields) {

    /** Throws {@link InvalidInput} naming field and rule. */
    ChangeRule rule() {
        var ending = fields.get("ending");
        return new ChangeRule(
                stores(),
                subjects(),
                list("channels").stream()
                        .map(channel -> new Channel(channel.toString()))
                        .toList(),
                operation(ending != null),
                ending == null ? null : new PriceEnding(ending.toString()));
    }

    private StoreSelection stores() {
        var choices = new ArrayList<StoreSelection>();
        if (fields.get("stores") != null) {
            choices.add(new StoreSelection.Listed(list("stores").stream()
                    .map(id -> new StoreId(id.toString()))
                    .toList()));
        }
        if (fields.get("storeSearch") != null) {
            choices.add(new StoreSelection.Found(String.valueOf(fields.get("storeSearch"))));
        }
        if (Boolean.TRUE.equals(fields.get("allStores"))) {
            choices.add(new StoreSelection.All());
        }
        return only(choices, "stores", "exactly one of stores, storeSearch and allStores must be given");
    }

    private List<PriceSubject> subjects() {
        var products = list("products").stream()
                .<PriceSubject>map(id -> new PriceSubject.Product(new ProductId(id.toString())));
        var swaps = list("swaps").stream()
                .map(swap -> (Map<?, ?>) swap)
                .<PriceSubject>map(swap -> new PriceSubject.Swap(
                        new ComboId(String.valueOf(swap.get("combo"))),
                        new OptionId(String.valueOf(swap.get("option")))));
        return Stream.concat(products, swaps).toList();
    }

    private PriceOperation operation(boolean rounds) {
        var choices = new ArrayList<PriceOperation>();
        if (fields.get("setTo") instanceof BigDecimal amount) {
            choices.add(new PriceOperation.SetTo(amount, currency(fields.get("currency"))));
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

    private static @Nullable Currency currency(@Nullable Object given) {
        return given == null ? null : Money.currencyOf(given.toString());
    }

    private static <T> T only(List<T> choices, String field, String rule) {
        if (choices.size() != 1) {
            throw new InvalidInput("INVALID_RULE", field, rule);
        }
        return choices.getFirst();
    }

    private List<?> list(String name) {
        return fields.get(name) instanceof List<?> list ? list : List.of();
    }
}
