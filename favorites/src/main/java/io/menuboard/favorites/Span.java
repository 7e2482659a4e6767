package io.menuboard.favorites;

import io.menuboard.kernel.InvalidInput;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A window at some time: which marks count, by when they were made.
 *
 * @param from the first instant; null for {@code ALL_TIME}
 * @param to the first instant after it; null where it has no end yet
 */
public record Span(
        FavoriteWindow window,
        @Nullable Instant from,
        @Nullable Instant to) {

    private static final int LAST_YEAR = 9_998;

    /** The one that is under way. */
    public static Span at(FavoriteWindow window, Instant now) {
        return switch (window) {
            case ALL_TIME -> new Span(window, null, null);
            case DAY, WEEK, MONTH -> on(window, now.atOffset(ZoneOffset.UTC).toLocalDate());
            case LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS -> {
                var step = window.step();
                yield new Span(window, now.truncatedTo(step).plus(1, step).minus(window.length()), null);
            }
        };
    }

    /**
     * The day, week or month that has that day of UTC.
     *
     * @throws InvalidInput {@code INVALID_DAY} on {@code on} for a window that is no part of the calendar, and for days of the year
     *     9999, whose windows may end after it
     */
    public static Span on(FavoriteWindow window, LocalDate day) {
        if (day.getYear() > LAST_YEAR) {
            throw new InvalidInput("INVALID_DAY", "on", "must be before the year 9999");
        }
        return switch (window) {
            case DAY -> days(window, day, day.plusDays(1));
            case WEEK -> {
                var monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                yield days(window, monday, monday.plusWeeks(1));
            }
            case MONTH ->
                days(window, day.withDayOfMonth(1), day.withDayOfMonth(1).plusMonths(1));
            case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS ->
                throw new InvalidInput(
                        "INVALID_DAY", "on", "goes with the windows DAY, WEEK and MONTH only, not with " + window);
        };
    }

    private static Span days(FavoriteWindow window, LocalDate first, LocalDate after) {
        return new Span(window, start(first), start(after));
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** The day, week or month before; empty for the other windows. */
    public Optional<Span> previous() {
        return window.isCalendar() ? Optional.of(on(window, first().minusDays(1))) : Optional.empty();
    }

    /** The day, week or month after; empty for the other windows, and where it would begin in the year 9999. */
    public Optional<Span> next() {
        return Optional.ofNullable(to)
                .map(after -> after.atOffset(ZoneOffset.UTC).toLocalDate())
                .filter(day -> day.getYear() <= LAST_YEAR)
                .map(day -> on(window, day));
    }

    /** Time at which a window that moves on did so last; empty for the other ones. */
    Optional<Instant> movedAt(Instant now) {
        return window.isRolling() ? Optional.of(now.truncatedTo(window.step())) : Optional.empty();
    }

    /** First day of UTC; of {@code ALL_TIME}, 1970. */
    public LocalDate first() {
        return (from == null ? Instant.EPOCH : from).atOffset(ZoneOffset.UTC).toLocalDate();
    }

    /** Unique among spans that are ranked: rolling windows have one ranking each, which moves on. */
    String key() {
        return switch (window) {
            case ALL_TIME -> "all";
            case DAY -> "day:" + first();
            case WEEK ->
                String.format(
                        Locale.ROOT,
                        "week:%04d-W%02d",
                        first().get(IsoFields.WEEK_BASED_YEAR),
                        first().get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case MONTH -> "month:" + YearMonth.from(first());
            case LAST_24_HOURS -> "24h";
            case LAST_7_DAYS -> "7d";
            case LAST_30_DAYS -> "30d";
        };
    }

    boolean isOver(Instant now) {
        return to != null && !to.isAfter(now);
    }

    /** Time until which its ranking is kept; empty for one that is kept for ever. */
    Optional<Instant> keptUntil() {
        var kept =
                switch (window) {
                    case DAY -> Duration.ofDays(36);
                    case WEEK -> Duration.ofDays(70);
                    case MONTH -> Duration.ofDays(400);
                    case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS -> Duration.ZERO;
                };
        return Optional.ofNullable(to).map(end -> end.plus(kept));
    }

    boolean contains(Instant instant) {
        return (from == null || !instant.isBefore(from)) && (to == null || instant.isBefore(to));
    }

    /** Those of all windows that are under way. */
    static List<Span> current(Instant now) {
        return Arrays.stream(FavoriteWindow.values())
                .map(window -> at(window, now))
                .toList();
    }
}
