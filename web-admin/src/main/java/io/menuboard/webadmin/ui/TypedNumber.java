package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Numbers as people type them into a form: also with a decimal comma, a typographic minus or a percent sign. */
public final class TypedNumber {
    private static final Pattern OUTER_BLANKS = Pattern.compile("^[\\s\\p{Z}]+|[\\s\\p{Z}]+$");
    private static final Pattern PERCENT_SIGN = Pattern.compile("[\\s\\p{Z}]*%$");
    private static final Pattern FORM = Pattern.compile("-?[0-9]{1,30}([.,][0-9]{1,30})?");

    /** A thousand and more to some people, one and a bit to others. */
    private static final Pattern AMBIGUOUS = Pattern.compile("-?[1-9][0-9]{0,2}[.,][0-9]{3}");

    private TypedNumber() {}

    /**
     * The plain decimal number that is meant, with a point before decimals.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on {@code amount}
     */
    public static String amount(String typed) {
        return plain("amount", typed, "4.50 or 4,50");
    }

    /**
     * As {@link #amount}, with or without a percent sign.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on {@code percent}
     */
    public static String percent(String typed) {
        return plain("percent", PERCENT_SIGN.matcher(stripped(typed)).replaceFirst(""), "5, 2.5 or 2,5");
    }

    /**
     * As {@link #amount}, a share of one.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on {@code commissionRate}
     */
    public static String rate(String typed) {
        return plain("commissionRate", typed, "0.15 or 0,15");
    }

    private static String plain(String field, String typed, String examples) {
        var number = stripped(typed).replace('−', '-');
        if (number.contains(".") && number.contains(",")) {
            throw invalid(field, "must have one separator, before the decimals, such as 1234.50 or 1234,50");
        }
        if (AMBIGUOUS.matcher(number).matches()) {
            throw invalid(
                    field,
                    "must be written " + number.replaceFirst("[.,]", "") + " or " + withOtherDecimals(number) + ": “"
                            + number + "” may mean either");
        }
        if (!FORM.matcher(number).matches()) {
            throw invalid(field, "must be a number such as " + examples);
        }
        return number.replace(',', '.');
    }

    /** The text of a field that already has that number. */
    public static String of(BigDecimal number) {
        var plain = number.toPlainString();
        return AMBIGUOUS.matcher(plain).matches() ? withOtherDecimals(plain) : plain;
    }

    /** The same number with another count of decimals than three, which nobody takes for thousands. */
    private static String withOtherDecimals(String number) {
        var plain = number.replace(',', '.');
        return plain.endsWith("0") ? plain.substring(0, plain.length() - 1) : plain + "0";
    }

    /** Also of the blanks that do not break, which {@link String#strip} leaves. */
    private static String stripped(String typed) {
        return OUTER_BLANKS.matcher(typed).replaceAll("");
    }

    private static InvalidInput invalid(String field, String rule) {
        return new InvalidInput("INVALID_AMOUNT", field, rule);
    }
}
