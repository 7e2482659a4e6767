package io.menuboard.kernel;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An amount in one currency, exact: {@code amount} always has the currency's own scale (ISO 4217 minor unit: 2 for EUR,
 * 0 for JPY, 3 for KWD), so equal amounts are equal records.
 *
 * @param amount at most 15 digits before the point; fewer decimals are filled up, more are refused unless they are zeros
 * @param currency ISO 4217 currency that has a minor unit
 */
public record Money(BigDecimal amount, Currency currency) {
    private static final int MAX_DIGITS = 15;
    private static final Map<String, Currency> CURRENCIES =
            Currency.availableCurrencies().collect(toUnmodifiableMap(Currency::getCurrencyCode, identity()));

    /** Decimal numbers as spreadsheets write them and no program misreads them: no exponent, no grouping. */
    private static final Pattern PLAIN_DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?");

    /** Refuses with {@link InvalidInput} {@code TOO_MANY_DECIMALS}, {@code AMOUNT_TOO_LARGE} or {@code INVALID_CURRENCY}. */
    public Money {
        var scale = scaleOf(currency);
        if (amount.precision() - amount.scale() > MAX_DIGITS) {
            throw new InvalidInput(
                    "AMOUNT_TOO_LARGE", "amount", "must have at most " + MAX_DIGITS + " digits before the point");
        }
        if (amount.scale() > scale && amount.stripTrailingZeros().scale() > scale) {
            throw new InvalidInput(
                    "TOO_MANY_DECIMALS",
                    "amount",
                    "must have at most " + scale + " decimals in " + currency.getCurrencyCode());
        }
        amount = amount.setScale(scale, RoundingMode.UNNECESSARY);
    }

    /**
     * The currency with this ISO 4217 code.
     *
     * @throws InvalidInput {@code INVALID_CURRENCY} on {@code currency} when there is none, or it has no minor unit
     */
    public static Currency currencyOf(String code) {
        var currency = CURRENCIES.get(code);
        if (currency == null) {
            throw new InvalidInput("INVALID_CURRENCY", "currency", "must be an ISO 4217 code, such as EUR");
        }
        scaleOf(currency);
        return currency;
    }

    /**
     * The number that a text without exponent and separators says.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on that field where the text is no plain decimal number
     */
    public static BigDecimal decimal(String field, String text) {
        if (!PLAIN_DECIMAL.matcher(text).matches()) {
            throw new InvalidInput(
                    "INVALID_AMOUNT",
                    field,
                    "must be a plain decimal number such as 4.50: a point before decimals, no exponent, no"
                            + " separators");
        }
        return new BigDecimal(text);
    }

    /**
     * Refuses a credit.
     *
     * @throws InvalidInput {@code NEGATIVE_AMOUNT} on {@code amount}
     */
    public void refuseNegative() {
        refuseNegative(amount);
    }

    /**
     * Refuses less than zero.
     *
     * @throws InvalidInput {@code NEGATIVE_AMOUNT} on {@code amount}
     */
    public static void refuseNegative(BigDecimal amount) {
        if (amount.signum() < 0) {
            throw new InvalidInput("NEGATIVE_AMOUNT", "amount", "must not be negative");
        }
    }

    /** The amount and its currency's code: {@code 4.99 EUR}. */
    public String text() {
        return amount.toPlainString() + " " + currency.getCurrencyCode();
    }

    /** The money that {@link #text} wrote. */
    public static Money of(String text) {
        var parts = text.split(" ", 2);
        return new Money(new BigDecimal(parts[0]), currencyOf(parts[1]));
    }

    /** Decimals of the currency's minor unit. */
    public static int scaleOf(Currency currency) {
        var scale = currency.getDefaultFractionDigits();
        if (scale < 0) {
            throw new InvalidInput("INVALID_CURRENCY", "currency", "must have a minor unit, as EUR has cents");
        }
        return scale;
    }
}
