package io.menuboard.tasks;

import io.menuboard.querydb.InvalidInput;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The id of one task, a ULID: 48 bits of milliseconds since 1970 and 80 random ones, in Crockford's base 32. Ids sort as
 * their tasks were submitted.
 *
 * @param value 26 capital letters and digits; anything else is refused with {@link InvalidInput} {@code INVALID_ID} on
 *     field {@code id}
 * @see <a href="https://github.com/ulid/spec">ULID specification</a>
 */
public record TaskId(String value) implements Comparable<TaskId> {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Pattern FORM = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    private static final int TIME_DIGITS = 10;
    private static final int BITS = 5;

    public TaskId {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidInput("INVALID_ID", "id", "id must be a task's id of 26 letters and digits");
        }
    }

    static TaskId random(Instant now, RandomGenerator random) {
        var text = new StringBuilder(26);
        append(text, now.toEpochMilli(), TIME_DIGITS);
        append(text, random.nextLong(), 8);
        append(text, random.nextLong(), 8);
        return new TaskId(text.toString());
    }

    /** The least id, by order, of that millisecond: whatever was submitted then or later has no lesser one. */
    static String earliest(Instant instant) {
        var text = new StringBuilder(26);
        append(text, Math.max(0, instant.toEpochMilli()), TIME_DIGITS);
        append(text, 0, 16);
        return text.toString();
    }

    /** To the millisecond. */
    public Instant submittedAt() {
        var millis = 0L;
        for (var i = 0; i < TIME_DIGITS; i++) {
            millis = millis << BITS | DIGITS.indexOf(value.charAt(i));
        }
        return Instant.ofEpochMilli(millis);
    }

    private static void append(StringBuilder text, long bits, int digits) {
        for (var i = digits - 1; i >= 0; i--) {
            text.append(DIGITS.charAt((int) (bits >>> (i * BITS)) & 31));
        }
    }

    @Override
    public int compareTo(TaskId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
