package io.menuboard.pricing;

import io.menuboard.kernel.InvalidInput;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Date, or date and time, from which a price counts on the store's own clock. Midnight is the first instant of that local day, also where clocks
 * jump over it.
 *
 * <p>Its text is {@code yyyy-MM-dd} at midnight and {@code yyyy-MM-ddTHH:mm:ss} otherwise, so that texts sort as times
 * do: {@code 2026-03-01} before {@code 2026-03-01T06:00:00} before {@code 2026-03-02}. Keys in the table rely on it.
 *
 * @param local whole seconds, years 1 to 9999
 */
public record EffectiveDate(LocalDateTime local) implements Comparable<EffectiveDate> {
    private static final LocalDateTime FIRST = LocalDateTime.of(1, 1, 1, 0, 0);
    private static final LocalDateTime LAST = LocalDateTime.of(9999, 12, 31, 23, 59, 59);
    private static final ZoneOffset FIRST_CLOCK = ZoneOffset.ofHours(14);
    private static final ZoneOffset LAST_CLOCK = ZoneOffset.ofHours(-12);
    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{1,2})\\.([0-9]{1,2})\\.([0-9]{4})(?: ([0-9]{2}:[0-9]{2}(?::[0-9]{2})?))?");
    private static final DateTimeFormatter WITH_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    /** Refuses with {@link InvalidInput} {@code INVALID_EFFECTIVE_DATE} on {@code effectiveDate}. */
    public EffectiveDate {
        if (!local.equals(local.truncatedTo(ChronoUnit.SECONDS)) || local.isBefore(FIRST) || local.isAfter(LAST)) {
            throw invalid("must be a whole second in the years 1 to 9999");
        }
    }

    /** From the first instant of that day. */
    public static EffectiveDate startOf(LocalDate date) {
        return new EffectiveDate(date.atStartOfDay());
    }

    /**
     * Reads {@code yyyy-MM-dd}, {@code yyyy-MM-ddTHH:mm} or {@code yyyy-MM-ddTHH:mm:ss}.
     *
     * @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} on {@code effectiveDate} for anything else
     */
    public static EffectiveDate parse(String text) {
        try {
            return text.length() == 10 ? startOf(LocalDate.parse(text)) : new EffectiveDate(LocalDateTime.parse(text));
        } catch (DateTimeException e) {
            throw invalid("must be a date such as 2026-03-01, or a date and time such as 2026-03-01T06:00");
        }
    }

    /**
     * Reads what {@link #parse} does, and days with points as much of Europe writes them, with or without a time:
     * {@code 01.12.2026} or {@code 1.12.2026 06:00}.
     *
     * @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} on {@code effectiveDate} for anything else
     */
    public static EffectiveDate parseWritten(String text) {
        var written = WRITTEN.matcher(text);
        return written.matches()
                ? parse("%4$s-%3$02d-%2$02d%5$s"
                        .formatted(
                                text,
                                Integer.parseInt(written.group(1)),
                                Integer.parseInt(written.group(2)),
                                written.group(3),
                                written.group(4) == null ? "" : "T" + written.group(4)))
                : parse(text);
    }

    /** Reads what {@link #toString} wrote into a key; quicker than {@link #parse}, because it need not check. */
    public static EffectiveDate inKey(String text) {
        return text.length() == 10
                ? startOf(LocalDate.of(
                        Integer.parseInt(text, 0, 4, 10),
                        Integer.parseInt(text, 5, 7, 10),
                        Integer.parseInt(text, 8, 10, 10)))
                : parse(text);
    }

    /**
     * The latest effective date that counts at {@code instant}: {@code d.startsAt(zone) <= instant} exactly when
     * {@code d <= latestAt(instant, zone)}. An hour that the clock shows twice counts from its first pass on.
     */
    public static EffectiveDate latestAt(Instant instant, ZoneId zone) {
        if (instant.isBefore(FIRST.plusDays(1).toInstant(ZoneOffset.UTC))) {
            return new EffectiveDate(FIRST);
        }
        if (instant.isAfter(LAST.minusDays(1).toInstant(ZoneOffset.UTC))) {
            return new EffectiveDate(LAST);
        }
        var rules = zone.getRules();
        var offset = rules.getOffset(instant);
        var local = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, offset);
        var jump = rules.getTransition(local);
        return jump != null && jump.isOverlap() && offset.equals(jump.getOffsetAfter())
                ? new EffectiveDate(jump.getDateTimeBefore().minusSeconds(1))
                : new EffectiveDate(local);
    }

    /**
     * The first instant at which the store's clock shows this time, or, where the clock jumps over it, the instant of
     * the jump.
     */
    public Instant startsAt(ZoneId zone) {
        var rules = zone.getRules();
        var offsets = rules.getValidOffsets(local);
        return offsets.isEmpty() ? rules.getTransition(local).getInstant() : local.toInstant(offsets.getFirst());
    }

    /** The instant at which the first of all clocks shows this time: before then it has begun nowhere. */
    public Instant startsSomewhereAt() {
        return startsAt(FIRST_CLOCK);
    }

    /** The instant at which the last of all clocks shows this time: by then it has begun everywhere. */
    public Instant startsEverywhereBy() {
        return startsAt(LAST_CLOCK);
    }

    /**
     * This time for comparing texts: the clock of that zone jumps over some times, which all start at the instant of
     * the jump, and this is the first of them; every other time is itself.
     */
    public EffectiveDate in(ZoneId zone) {
        var rules = zone.getRules();
        // Of times that exist, only the first one after a jump starts at the instant of times that do not.
        var jump = rules.getValidOffsets(local).isEmpty()
                ? rules.getTransition(local)
                : rules.previousTransition(startsAt(zone).plusNanos(1));
        return jump != null && jump.isGap() && !jump.getInstant().isBefore(startsAt(zone))
                ? new EffectiveDate(jump.getDateTimeBefore())
                : this;
    }

    /** True where the clock of that zone jumps over this time, so that several times start at the same instant. */
    public boolean isSkipped(ZoneId zone) {
        return zone.getRules().getValidOffsets(local).isEmpty();
    }

    /** True for a day from its first instant, rather than a time of day. */
    public boolean isStartOfDay() {
        return local.toLocalTime().toSecondOfDay() == 0;
    }

    @Override
    public int compareTo(EffectiveDate other) {
        return local.compareTo(other.local);
    }

    @Override
    public String toString() {
        return isStartOfDay() ? local.toLocalDate().toString() : WITH_TIME.format(local);
    }

    private static InvalidInput invalid(String rule) {
        return new InvalidInput("INVALID_EFFECTIVE_DATE", "effectiveDate", rule);
    }
}
