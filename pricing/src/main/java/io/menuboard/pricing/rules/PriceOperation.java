package io.menuboard.pricing.rules;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Operation on a price. Results are rounded half up to the currency's scale, or to an ending where one is given. */
public sealed interface PriceOperation {

    /**
     * Sets it, whatever it was.
     *
     * @param amount not negative
     * @param currency in which the amount is meant; null for that of the price, or of the store where there is none yet
     */
    record SetTo(BigDecimal amount, @Nullable Currency currency) implements PriceOperation {
        public SetTo {
            Money.refuseNegative(amount);
        }
    }

    /** Adds to it; a negative amount takes away. */
    record Add(BigDecimal amount) implements PriceOperation {}

    /** Adds so many hundredths of it; more than -100. */
    record Percent(BigDecimal percent) implements PriceOperation {
        public Percent {
            if (percent.compareTo(BigDecimal.valueOf(-100)) <= 0 || percent.compareTo(MOST_PERCENT) > 0) {
                throw new InvalidInput(
                        "INVALID_PERCENT",
                        "percent",
                        "must be more than -100 and at most " + MOST_PERCENT.toPlainString());
            }
        }
    }

    /** Leaves it but for the ending. */
    record Round() implements PriceOperation {}

    /** Takes it away: from then on there is no price. */
    record Delete() implements PriceOperation {}

    /** More is a slip of the finger. */
    BigDecimal MOST_PERCENT = BigDecimal.valueOf(10_000);

    /** The names that {@link #of} knows. */
    List<String> NAMES = List.of("SET", "ADD", "PERCENT", "ROUND", "DELETE");

    /**
     * Reads an operation of a form or a file.
     *
     * @param name one of {@link #NAMES}
     * @param amount a plain decimal number for {@code SET} and {@code ADD}, otherwise empty
     * @param percent a plain decimal number for {@code PERCENT}, otherwise empty
     * @throws InvalidInput on {@code operation}, {@code amount} or {@code percent}
     */
    static PriceOperation of(String name, String amount, String percent) {
        if (!NAMES.contains(name)) {
            throw new InvalidInput("INVALID_OPERATION", "operation", "must be one of " + String.join(", ", NAMES));
        }
        refuseGiven("amount", amount, name.equals("SET") || name.equals("ADD"), name);
        refuseGiven("percent", percent, name.equals("PERCENT"), name);
        return switch (name) {
            case "SET" -> new SetTo(Money.decimal("amount", amount), null);
            case "ADD" -> new Add(Money.decimal("amount", amount));
            case "PERCENT" -> new Percent(Money.decimal("percent", percent));
            case "ROUND" -> new Round();
            default -> new Delete();
        };
    }

    private static void refuseGiven(String field, String text, boolean taken, String name) {
        if (!taken && !text.isEmpty()) {
            throw new InvalidInput(
                    "INVALID_" + field.toUpperCase(Locale.ROOT), field, "must be empty where the operation is " + name);
        }
    }

    /**
     * The price afterwards; null for none.
     *
     * @param before null for none
     * @param store what a first price is in
     * @throws InvalidInput naming the rule that the result breaks: {@code NOT_FOUND} where there is no price to change,
     *     {@code CURRENCY_MISMATCH}, {@code NEGATIVE_AMOUNT}, or what {@link Money} refuses
     */
    default @Nullable Money apply(@Nullable Money before, Currency store, @Nullable PriceEnding ending) {
        if (this instanceof SetTo(var amount, var asked)) {
            var currency = before == null ? store : before.currency();
            if (asked != null && !asked.equals(currency)) {
                throw new InvalidInput(
                        "CURRENCY_MISMATCH",
                        "currency",
                        "must be that of the price, " + currency.getCurrencyCode() + ", not "
                                + asked.getCurrencyCode());
            }
            return ending == null ? new Money(amount, currency) : rounded(amount, currency, ending);
        }
        if (before == null) {
            throw new InvalidInput("NOT_FOUND", "product", "must have a price of its own in that channel");
        }
        return switch (this) {
            case SetTo _ -> throw new IllegalStateException("was done before");
            case Add(var amount) -> rounded(before.amount().add(amount), before.currency(), ending);
            case Percent(var percent) ->
                rounded(
                        before.amount()
                                .multiply(BigDecimal.valueOf(100).add(percent))
                                .movePointLeft(2),
                        before.currency(),
                        ending);
            case Round _ -> rounded(before.amount(), before.currency(), ending);
            case Delete _ -> null;
        };
    }

    private static Money rounded(BigDecimal amount, Currency currency, @Nullable PriceEnding ending) {
        var scale = Money.scaleOf(currency);
        Money.refuseNegative(amount);
        return new Money(
                ending == null ? amount.setScale(scale, RoundingMode.HALF_UP) : ending.nearest(amount, scale),
                currency);
    }
}
