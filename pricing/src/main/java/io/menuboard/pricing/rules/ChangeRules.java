package io.menuboard.pricing.rules;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/** Rules of change sets as they are kept: fields and their parts with separators that no id contains. */
public final class ChangeRules {
    private static final String FIELD = "\t";
    private static final String PART = "\n";

    private ChangeRules() {}

    public static String text(ChangeRule rule) {
        var ending = rule.ending();
        return String.join(
                FIELD,
                stores(rule.stores()),
                rule.subjects().stream().map(PriceSubject::toString).collect(joining(PART)),
                rule.channels().stream().map(Channel::value).collect(joining(PART)),
                operation(rule.operation()),
                ending == null ? "" : ending.digits());
    }

    public static ChangeRule of(String text) {
        var fields = text.split(FIELD, -1);
        return new ChangeRule(
                stores(fields[0]),
                parts(fields[1]).map(PriceSubject::of).toList(),
                parts(fields[2]).map(Channel::new).toList(),
                operation(fields[3]),
                fields[4].isEmpty() ? null : new PriceEnding(fields[4]));
    }

    private static String stores(StoreSelection stores) {
        return switch (stores) {
            case StoreSelection.All() -> "ALL";
            case StoreSelection.Found(var search) -> "FOUND" + PART + search;
            case StoreSelection.Countries(var codes) ->
                Stream.concat(Stream.of("COUNTRIES"), codes.stream()).collect(joining(PART));
            case StoreSelection.Listed(var ids) ->
                Stream.concat(Stream.of("LISTED"), ids.stream().map(StoreId::value))
                        .collect(joining(PART));
        };
    }

    private static StoreSelection stores(String text) {
        var parts = parts(text).toList();
        return switch (parts.getFirst()) {
            case "ALL" -> new StoreSelection.All();
            case "FOUND" -> new StoreSelection.Found(parts.get(1));
            case "COUNTRIES" ->
                new StoreSelection.Countries(parts.stream().skip(1).toList());
            case "LISTED" ->
                new StoreSelection.Listed(
                        parts.stream().skip(1).map(StoreId::new).toList());
            default -> throw new IllegalStateException("no selection of stores: " + text);
        };
    }

    private static String operation(PriceOperation operation) {
        return switch (operation) {
            case PriceOperation.SetTo(var amount, var currency) ->
                "SET" + PART + amount.toPlainString() + PART + (currency == null ? "" : currency.getCurrencyCode());
            case PriceOperation.Add(var amount) -> "ADD" + PART + amount.toPlainString();
            case PriceOperation.Percent(var percent) -> "PERCENT" + PART + percent.toPlainString();
            case PriceOperation.Round() -> "ROUND";
            case PriceOperation.Delete() -> "DELETE";
        };
    }

    private static PriceOperation operation(String text) {
        List<String> parts = parts(text).toList();
        return switch (parts.getFirst()) {
            case "SET" ->
                new PriceOperation.SetTo(
                        new BigDecimal(parts.get(1)), parts.get(2).isEmpty() ? null : Money.currencyOf(parts.get(2)));
            case "ADD" -> new PriceOperation.Add(new BigDecimal(parts.get(1)));
            case "PERCENT" -> new PriceOperation.Percent(new BigDecimal(parts.get(1)));
            case "ROUND" -> new PriceOperation.Round();
            case "DELETE" -> new PriceOperation.Delete();
            default -> throw new IllegalStateException("no operation: " + text);
        };
    }

    private static Stream<String> parts(String text) {
        return Stream.of(text.split(PART, -1));
    }
}
