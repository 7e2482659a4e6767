package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.util.Currency;
import java.util.regex.Pattern;

/** Numbers with a comma before their decimals, as spreadsheets of much of Europe write them, with semicolons between cells. */
public final class DecimalComma {
    /** A number such as 1.234: over a thousand where a comma marks decimals, a little over one where a point does. */
    private static final Pattern AMBIGUOUS = Pattern.compile("-?[1-9][0-9]{0,2}\\.[0-9]{3}");

    /** A number such as 1,000: a thousand where a comma groups digits, one where it marks decimals. */
    private static final Pattern THOUSANDS = Pattern.compile("-?[1-9][0-9]{0,2},[0-9]{3}");

    private DecimalComma() {}

    /**
     * The same number with a point. What has no comma, or a point too, stays as it is, for {@link Money#decimal} to judge.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on that field for {@code 1.234}, which may mean 1234
     */
    public static String toPoint(String field, String text) {
        if (AMBIGUOUS.matcher(text).matches()) {
            throw new InvalidInput(
                    "INVALID_AMOUNT",
                    field,
                    "must be written " + text.replace(".", "") + " or " + text.replace('.', ',') + ": “" + text
                            + "” may mean either");
        }
        return text.contains(".") ? text : text.replace(',', '.');
    }

    /**
     * Refuses three decimals in a currency that has fewer, zeros though they may be.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on that field for {@code 1,000} euros, which may mean 1000
     */
    static void refuseThousands(String field, String text, Currency currency) {
        var decimals = Money.scaleOf(currency);
        if (decimals < 3 && THOUSANDS.matcher(text).matches()) {
            throw new InvalidInput(
                    "INVALID_AMOUNT",
                    field,
                    "must be written " + text.replace(",", "") + ", or with at most " + decimals + " decimals in "
                            + currency.getCurrencyCode() + ": “" + text + "” may mean either");
        }
    }
}
