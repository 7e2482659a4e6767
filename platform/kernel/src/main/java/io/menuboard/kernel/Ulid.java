package io.menuboard.kernel;

import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Texts for ids that sort as they were made: 48 bits of milliseconds since 1970 and 80 random ones, as 26 characters of
 * Crockford's base 32.
 *
 * @see <a href="https://github.com/ulid/spec">ULID specification</a>
 */
public final class Ulid {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Pattern FORM = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    private static final int TIME_DIGITS = 10;
    private static final int BITS = 5;

    private Ulid() {}

    /** One of that millisecond. */
    public static String random(Instant now, RandomGenerator random) {
        var text = new StringBuilder(26);
        append(text, now.toEpochMilli(), TIME_DIGITS);
        append(text, random.nextLong(), 8);
        append(text, random.nextLong(), 8);
        return text.toString();
    }

    /** The least of that millisecond: whatever was made then or later is not less. */
    public static String earliest(Instant instant) {
        var text = new StringBuilder(26);
        append(text, Math.max(0, instant.toEpochMilli()), TIME_DIGITS);
        append(text, 0, 16);
        return text.toString();
    }

    /** Time at which it was made, to the millisecond. */
    public static Instant instant(String ulid) {
        var millis = 0L;
        for (var i = 0; i < TIME_DIGITS; i++) {
            millis = millis << BITS | DIGITS.indexOf(ulid.charAt(i));
        }
        return Instant.ofEpochMilli(millis);
    }

    /** Whether it is such a text. */
    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    /** Refuses with {@link InvalidInput} {@code INVALID_ID} on that field what is no such text. */
    public static void check(String field, String text) {
        if (!isValid(text)) {
            throw new InvalidInput("INVALID_ID", field, "must be an id of 26 capital letters and digits");
        }
    }

    private static void append(StringBuilder text, long bits, int digits) {
        for (var i = digits - 1; i >= 0; i--) {
            text.append(DIGITS.charAt((int) (bits >>> (i * BITS)) & 31));
        }
    }
}
