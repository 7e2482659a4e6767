package io.menuboard.favorites;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Rollup by hour, day and month of UTC: numbers of marks of a restaurant that are left of those made in each; hours and days of
 * the last time only. A part of it may be less than zero for a while, where taking a mark back was counted before making it.
 * Months of which none is left stay as zeros: the ledger has their events.
 *
 * @param version number of changes
 * @param latest time of the last event that it counts; {@link Instant#EPOCH} for nothing yet
 * @param corrections number of times that events of this restaurant were reconciled which were never delivered
 */
record Rollup(
        long version,
        Instant latest,
        long corrections,
        SortedMap<Instant, Long> hours,
        SortedMap<LocalDate, Long> days,
        SortedMap<YearMonth, Long> months) {

    static final Rollup NOTHING = new Rollup(
            0,
            Instant.EPOCH,
            0,
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap());

    /** The one that is there before the first: it has a version, and counts nothing. */
    static Rollup first(long corrections) {
        return NOTHING.corrected(corrections);
    }

    /** The next version, which counts the same, and knows of so many corrections. */
    Rollup corrected(long newCorrections) {
        return new Rollup(version + 1, latest, newCorrections, hours, days, months);
    }

    /** Hours that are kept: the 24 of a window, and two for clocks that differ. */
    private static final Duration HOURS_KEPT = Duration.ofHours(26);

    /** Days that are kept: the longest month, and what belongs to a week at its begin. */
    static final int DAYS_KEPT = 38;

    Rollup {
        hours = Collections.unmodifiableSortedMap(new TreeMap<>(hours));
        days = Collections.unmodifiableSortedMap(new TreeMap<>(days));
        months = Collections.unmodifiableSortedMap(new TreeMap<>(months));
    }

    /** With these events, each of which it must not have yet. */
    Rollup plus(Collection<MarkEvent> events, Instant now) {
        var newLatest = latest;
        var changes = new TreeMap<Instant, Long>();
        for (var event : events) {
            newLatest = event.at().isAfter(newLatest) ? event.at() : newLatest;
            changes.merge(event.created().truncatedTo(ChronoUnit.HOURS), event.change(), Long::sum);
        }
        return plus(changes, newLatest, now);
    }

    /** With so many more, or less, of each hour. */
    Rollup plus(Map<Instant, Long> changesByHour, Instant newLatest, Instant now) {
        var newHours = new TreeMap<>(hours);
        var newDays = new TreeMap<>(days);
        var newMonths = new TreeMap<>(months);
        changesByHour.forEach((hour, change) -> {
            newHours.merge(hour, change, Long::sum);
            newDays.merge(day(hour), change, Long::sum);
            newMonths.merge(YearMonth.from(day(hour)), change, Long::sum);
        });
        newHours.headMap(oldestHour(now)).clear();
        newDays.headMap(oldestDay(now)).clear();
        newHours.values().removeIf(count -> count == 0);
        newDays.values().removeIf(count -> count == 0);
        return new Rollup(version + 1, newLatest, corrections, newHours, newDays, newMonths);
    }

    /**
     * This part of a sum, changed so that the sum becomes what it is to be. The version is the same.
     *
     * @param sum of all parts
     * @param wanted whose hours and days are those that are kept
     */
    Rollup corrected(Rollup sum, Rollup wanted, Instant now) {
        var known = sum.known(now);
        return new Rollup(
                version,
                latest,
                corrections,
                nonZero(corrected(hours, known.hours, wanted.hours)),
                nonZero(corrected(days, known.days, wanted.days)),
                corrected(months, sum.months, wanted.months));
    }

    private static <K> SortedMap<K, Long> corrected(
            SortedMap<K, Long> part, SortedMap<K, Long> sum, SortedMap<K, Long> wanted) {
        var corrected = new TreeMap<>(part);
        sum.forEach((key, count) -> corrected.merge(key, -count, Long::sum));
        wanted.forEach((key, count) -> corrected.merge(key, count, Long::sum));
        return corrected;
    }

    /** Without the hours and days that are not kept any more, wherever they still are, and without zeros. */
    Rollup known(Instant now) {
        return new Rollup(
                version,
                latest,
                corrections,
                nonZero(hours.tailMap(oldestHour(now))),
                nonZero(days.tailMap(oldestDay(now))),
                nonZero(months));
    }

    private static <K> SortedMap<K, Long> nonZero(SortedMap<K, Long> counts) {
        var nonZero = new TreeMap<>(counts);
        nonZero.values().removeIf(count -> count == 0);
        return nonZero;
    }

    /** True if both have the same counts. */
    boolean countsAs(Rollup other) {
        return hours.equals(other.hours) && days.equals(other.days) && months.equals(other.months);
    }

    /** The first hour of which it is known how many there are. */
    static Instant oldestHour(Instant now) {
        return now.minus(HOURS_KEPT).truncatedTo(ChronoUnit.HOURS);
    }

    /** The first day of which it is known how many there are. */
    static LocalDate oldestDay(Instant now) {
        return day(now).minusDays(DAYS_KEPT);
    }

    /** Time from which on it has not the number of marks of a week any more, though its ranking is kept; empty for other windows. */
    static Optional<Instant> knownUntil(Span span) {
        return Optional.of(span)
                .filter(one -> one.window() == FavoriteWindow.WEEK)
                .map(week -> week.first()
                        .plusDays(DAYS_KEPT + 1)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant());
    }

    /** True if it has the number of marks of that time. */
    static boolean knows(Span span, Instant now) {
        return switch (span.window()) {
            case ALL_TIME, MONTH -> true;
            case DAY, WEEK, LAST_7_DAYS, LAST_30_DAYS -> !span.first().isBefore(oldestDay(now));
            case LAST_24_HOURS -> true;
        };
    }

    static LocalDate day(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC).toLocalDate();
    }

    /** All of them together. */
    static Rollup sum(Collection<Rollup> rollups) {
        return new Rollup(
                rollups.stream().mapToLong(Rollup::version).sum(),
                rollups.stream().map(Rollup::latest).max(Instant::compareTo).orElse(Instant.EPOCH),
                rollups.stream().mapToLong(Rollup::corrections).max().orElse(0),
                sum(rollups, Rollup::hours),
                sum(rollups, Rollup::days),
                sum(rollups, Rollup::months));
    }

    private static <K> SortedMap<K, Long> sum(Collection<Rollup> rollups, Function<Rollup, SortedMap<K, Long>> part) {
        var sum = new TreeMap<K, Long>();
        rollups.forEach(rollup -> part.apply(rollup).forEach((key, count) -> sum.merge(key, count, Long::sum)));
        return sum;
    }

    /** Number of marks that are left of those made in that time; never less than none. */
    long count(Span span) {
        var counts =
                switch (span.window()) {
                    case ALL_TIME -> months;
                    case MONTH -> {
                        var month = YearMonth.from(span.first());
                        yield months.subMap(month, month.plusMonths(1));
                    }
                    case DAY, WEEK -> days.subMap(span.first(), day(Objects.requireNonNull(span.to())));
                    case LAST_24_HOURS -> hours.tailMap(from(span));
                    case LAST_7_DAYS, LAST_30_DAYS -> days.tailMap(span.first());
                };
        return Math.max(0, counts.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Time at which the count of a window that moves on changes next by itself; empty where it does not. */
    Optional<Instant> changes(Span span) {
        return switch (span.window()) {
            case ALL_TIME, DAY, WEEK, MONTH -> Optional.empty();
            case LAST_24_HOURS ->
                first(hours.tailMap(from(span)))
                        .map(hour -> hour.plus(span.window().length()));
            case LAST_7_DAYS, LAST_30_DAYS ->
                first(days.tailMap(span.first())).map(day -> day.atStartOfDay(ZoneOffset.UTC)
                        .toInstant()
                        .plus(span.window().length()));
        };
    }

    private static Instant from(Span span) {
        return span.from() == null ? Instant.MIN : span.from();
    }

    private static <K> Optional<K> first(SortedMap<K, Long> counts) {
        return counts.isEmpty() ? Optional.empty() : Optional.of(counts.firstKey());
    }
}
