package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.util.regex.Pattern;

/** Numbers with a comma before their decimals, as spreadsheets of much of Europe write them, with semicolons between cells. */
public final class DecimalComma {
    /** A number such as 1.234: over a thousand where a comma marks decimals, a little over one where a point does. */
    private static final Pattern AMBIGUOUS = Pattern.compile("-?[1-9][0-9]{0,2}\\.[0-9]{3}");

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
}
