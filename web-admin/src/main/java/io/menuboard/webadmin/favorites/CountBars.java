package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Rankings;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.charts.AmountScale;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.charts.Plot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Marks of a restaurant by time: drawn, and in numbers. */
final class CountBars {
    private static final int HOURS = 24;
    private static final int DAYS = 30;
    private static final int LEAST_MONTHS = 12;
    private static final int MOST_LABELS = 6;
    private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMM uuuu", Locale.ENGLISH);

    private final By by;
    private final List<Part> parts;

    private CountBars(By by, List<Part> parts) {
        this.by = by;
        this.parts = parts;
    }

    /** Length of time that a bar stands for. */
    enum By {
        HOURS("hour", "Last 24 hours"),
        DAYS("day", "Last 30 days"),
        MONTHS("month", "Months");

        private final String one;
        private final String label;

        By(String one, String label) {
            this.one = one;
            this.label = label;
        }

        String label() {
            return label;
        }

        /** As addresses have it; null for the usual. */
        @Nullable
        String parameter() {
            return this == DAYS ? null : name().toLowerCase(Locale.ROOT);
        }

        /** @throws InvalidInput {@code INVALID_PART} on {@code by} */
        static By of(@Nullable String parameter) {
            return Stream.of(values())
                    .filter(by -> Objects.equals(by.parameter(), parameter)
                            || by.name().toLowerCase(Locale.ROOT).equals(parameter))
                    .findFirst()
                    .orElseThrow(() -> new InvalidInput("INVALID_PART", "by", "must be hours, days or months"));
        }
    }

    /**
     * A time and its count.
     *
     * @param label below its bar
     */
    private record Part(String name, String label, long count) {
        BigDecimal amount() {
            return BigDecimal.valueOf(count);
        }
    }

    static CountBars of(By by, Rankings.Counts counts, Instant now) {
        var today = now.atOffset(ZoneOffset.UTC).toLocalDate();
        return new CountBars(
                by,
                switch (by) {
                    case HOURS -> {
                        var first = now.truncatedTo(ChronoUnit.HOURS).minus(HOURS - 1L, ChronoUnit.HOURS);
                        yield IntStream.range(0, HOURS)
                                .mapToObj(i -> first.plus(i, ChronoUnit.HOURS))
                                .map(hour -> new Part(
                                        Moments.utc(hour),
                                        HOUR.format(hour.atOffset(ZoneOffset.UTC)),
                                        counts.hours().getOrDefault(hour, 0L)))
                                .toList();
                    }
                    case DAYS ->
                        IntStream.range(0, DAYS)
                                .mapToObj(i -> today.minusDays(DAYS - 1L - i))
                                .map(day -> new Part(
                                        day.toString(),
                                        DAY.format(day),
                                        counts.days().getOrDefault(day, 0L)))
                                .toList();
                    case MONTHS -> {
                        var last = YearMonth.from(today);
                        var least = last.minusMonths(LEAST_MONTHS - 1L);
                        var first = counts.months().isEmpty()
                                        || counts.months().firstKey().isAfter(least)
                                ? least
                                : counts.months().firstKey();
                        yield Stream.iterate(first, month -> !month.isAfter(last), month -> month.plusMonths(1))
                                .map(month -> new Part(
                                        Moments.month(month),
                                        MONTH.format(month),
                                        counts.months().getOrDefault(month, 0L)))
                                .toList();
                    }
                });
    }

    boolean isEmpty() {
        return parts.stream().allMatch(part -> part.count == 0);
    }

    Chart draw() {
        var plot =
                new Plot(AmountScale.fromZero(parts.stream().map(Part::amount).toList(), BigDecimal.ONE));
        var title = "Marks by " + by.one;
        return new Chart(
                "marks-by-" + by.one,
                "chart-bars",
                new Chart.Text(title, description(), caption()),
                plot.amounts((count, _) -> Counts.of(count.longValueExact())),
                labels(),
                plot.zero(),
                IntStream.range(0, parts.size())
                        .filter(i -> parts.get(i).count > 0)
                        .mapToObj(i -> bar(plot, i))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                new Chart.Table(title + ", the latest first", List.of(column(), "Marks"), rows()));
    }

    private Chart.Bar bar(Plot plot, int i) {
        var part = parts.get(i);
        return plot.bar(i, parts.size(), part.amount(), part.name + ": " + Counts.of(part.count));
    }

    private String caption() {
        return "Marks by the " + by.one
                + " of UTC in which they were made, without those that were taken back. The last " + by.one
                + " is not over.";
    }

    /** A few of them, the last one always. */
    private List<Chart.Tick> labels() {
        var every = Math.ceilDiv(parts.size(), MOST_LABELS);
        return IntStream.range(0, parts.size())
                .filter(i -> (parts.size() - 1 - i) % every == 0)
                .mapToObj(i -> Plot.time(i, parts.size(), parts.get(i).label, (parts.size() - 1 - i) / every % 2 == 1))
                .toList();
    }

    private String description() {
        var most = parts.stream().max(Comparator.comparingLong(Part::count)).orElseThrow();
        return "A bar for each " + by.one + ". Most: " + Counts.of(most.count) + " in " + most.name + ". Last: "
                + Counts.of(parts.getLast().count) + " in " + parts.getLast().name
                + ". The table below has every one with any.";
    }

    /** Times with any, the latest first. */
    private List<List<String>> rows() {
        return parts.reversed().stream()
                .filter(part -> part.count > 0)
                .map(part -> List.of(part.name, Counts.of(part.count)))
                .toList();
    }

    private String column() {
        return by.one.substring(0, 1).toUpperCase(Locale.ROOT) + by.one.substring(1);
    }
}
