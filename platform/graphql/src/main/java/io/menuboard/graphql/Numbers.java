package io.menuboard.graphql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bound of numbers that clients send. A few characters with an exponent stand for millions of digits, which take seconds to
 * compare or to write.
 */
final class Numbers {
    /** The scalar {@code JSON} keeps as many exactly. */
    static final int MAX_DIGITS = 500;

    static final String CODE = "NUMBER_TOO_LONG";
    static final String RULE = "may take at most " + MAX_DIGITS + " digits when it is written without an exponent";

    private static final BigInteger TOO_LARGE = BigInteger.TEN.pow(MAX_DIGITS);

    private Numbers() {}

    static boolean isShort(BigDecimal number) {
        return Math.abs((long) number.scale()) + number.precision() <= MAX_DIGITS;
    }

    static boolean isShort(BigInteger number) {
        return number.abs().compareTo(TOO_LARGE) < 0;
    }

    /**
     * Checks every number of a value that was read as JSON. Throws {@link RefusedRequest} for one that is too long.
     *
     * @param name of the value, for the message
     */
    static void requireShort(String name, @Nullable Object value) {
        var tooLong = pathToLong(value);
        if (tooLong != null) {
            throw refused(name + tooLong);
        }
    }

    /** Refusal of a request with a number that is too long. */
    static RefusedRequest refused(String what) {
        return new RefusedRequest(400, CODE, GraphQlError.excerpt(what) + " " + RULE);
    }

    /** Path to the first number that is too long, each step after a dot; null where there is none. */
    private static @Nullable String pathToLong(@Nullable Object value) {
        return switch (value) {
            case BigDecimal number -> isShort(number) ? null : "";
            case BigInteger number -> isShort(number) ? null : "";
            case List<?> array -> {
                for (var i = 0; i < array.size(); i++) {
                    var path = pathToLong(array.get(i));
                    if (path != null) {
                        yield "." + i + path;
                    }
                }
                yield null;
            }
            case Map<?, ?> object -> {
                for (var member : object.entrySet()) {
                    var path = pathToLong(member.getValue());
                    if (path != null) {
                        yield "." + member.getKey() + path;
                    }
                }
                yield null;
            }
            case null, default -> null;
        };
    }
}
