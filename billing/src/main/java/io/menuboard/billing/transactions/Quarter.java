package io.menuboard.billing.transactions;

import io.menuboard.kernel.InvalidInput;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;

/**
 * A quarter hour of UTC: 00, 15, 30 and 45 minutes past the hour.
 *
 * @param start first instant; the quarter ends before the next one
 */
public record Quarter(Instant start) implements Comparable<Quarter> {
    /** Its length. */
    public static final Duration LENGTH = Duration.ofMinutes(15);

    private static final DateTimeFormatter LABEL =
            DateTimeFormatter.ofPattern("uuuuMMddHHmm").withZone(ZoneOffset.UTC);

    /** Throws {@link IllegalArgumentException} for an instant at which no quarter begins. */
    public Quarter {
        if (Math.floorMod(start.getEpochSecond(), LENGTH.toSeconds()) != 0 || start.getNano() != 0) {
            throw new IllegalArgumentException("no quarter hour begins at " + start);
        }
    }

    /** The quarter that the instant is in. */
    public static Quarter of(Instant instant) {
        var seconds = instant.getEpochSecond();
        return new Quarter(Instant.ofEpochSecond(seconds - Math.floorMod(seconds, LENGTH.toSeconds())));
    }

    /**
     * Reads a {@link #label}.
     *
     * @throws InvalidInput {@code INVALID_QUARTER} on that field for anything else
     */
    public static Quarter parse(String field, String label) {
        try {
            return new Quarter(Instant.from(LABEL.parse(label)));
        } catch (DateTimeException | IllegalArgumentException _) {
            throw new InvalidInput(
                    "INVALID_QUARTER",
                    field,
                    "must be a quarter hour of UTC such as 202611220045, with minutes 00, 15, 30 or 45");
        }
    }

    /** {@code YYYYMMDDHHmm}; labels sort as quarters do. */
    public String label() {
        return LABEL.format(start);
    }

    public Quarter next() {
        return plus(1);
    }

    public Quarter plus(long quarters) {
        return new Quarter(start.plus(LENGTH.multipliedBy(quarters)));
    }

    /** Its month in UTC. */
    public YearMonth month() {
        return YearMonth.from(start.atOffset(ZoneOffset.UTC));
    }

    /** The first quarter of a month. */
    public static Quarter of(YearMonth month) {
        return new Quarter(month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** All quarters from this one on, before the other. */
    public Stream<Quarter> until(Quarter end) {
        return Stream.iterate(this, quarter -> quarter.compareTo(end) < 0, Quarter::next);
    }

    @Override
    public int compareTo(Quarter other) {
        return start.compareTo(other.start);
    }

    @Override
    public String toString() {
        return label();
    }
}
