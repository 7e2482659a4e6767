package io.menuboard.webadmin.tasks;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import io.menuboard.tasks.statistics.TaskCounts;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.charts.Chart;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Draws how many tasks were submitted, completed and failed in each minute of the last hour. */
final class TaskRates {
    /** Length of time that is drawn, this minute included. */
    static final Duration SPAN = Duration.ofMinutes(60);

    private static final int MINUTES = (int) SPAN.toMinutes();
    private static final double TOP = 10;
    private static final double FLOOR = 86;
    private static final int MOST_COUNTS = 4;
    private static final int BETWEEN_TIMES = 15;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private final Instant begin;
    private final List<Series> series;
    private final long step;
    private final long top;

    /** @param counts of the last {@link #SPAN}, of any types */
    TaskRates(List<TaskCounts> counts, Instant now) {
        this.begin = begin(now);
        this.series = List.of(
                series("submitted", "Submitted", counts, TaskCounts::submitted),
                series("completed", "Completed", counts, TaskCounts::completed),
                series("failed", "Failed", counts, TaskCounts::failed));
        var most = series.stream().mapToLong(Series::most).max().orElse(0);
        this.step = step(most);
        this.top = Math.max(1, Math.ceilDiv(most, step)) * step;
    }

    /** The first minute that is drawn. */
    static Instant begin(Instant now) {
        return now.truncatedTo(ChronoUnit.MINUTES).minus(SPAN).plus(1, ChronoUnit.MINUTES);
    }

    RateChart draw() {
        var counts = LongStream.rangeClosed(0, top / step)
                .mapToObj(i -> new Chart.Tick(percent(y(i * step)), Counts.of(i * step), "end", false))
                .toList();
        return new RateChart(
                "Tasks per minute",
                description(),
                "Times in UTC. Attempts that failed count each time. The last minute is not over.",
                14 + 7 * Counts.of(top).length(),
                counts,
                times(),
                series.stream().map(this::line).toList(),
                minutes());
    }

    private String description() {
        var text = new StringBuilder("Three lines, in the last hour: ");
        for (var one : series) {
            text.append(one.label.toLowerCase(Locale.ROOT))
                    .append(" ")
                    .append(Counts.of(one.total()))
                    .append(", at most ")
                    .append(Counts.of(one.most()))
                    .append(" a minute; ");
        }
        return text.append("the table below has every minute.").toString();
    }

    private RateChart.Line line(Series one) {
        var d = new StringBuilder();
        for (var minute = 0; minute < MINUTES; minute++) {
            d.append(minute == 0 ? "M" : "L")
                    .append(coordinate(x(minute)))
                    .append(" ")
                    .append(coordinate(y(one.perMinute[minute])));
        }
        return new RateChart.Line("chart-" + one.kind, one.label, Counts.of(one.total()), d.toString());
    }

    private List<Chart.Tick> times() {
        var ticks = new ArrayList<Chart.Tick>();
        for (var minute = 0; minute < MINUTES; minute++) {
            var time = time(minute);
            if (time.atOffset(ZoneOffset.UTC).getMinute() % BETWEEN_TIMES == 0) {
                var x = x(minute);
                var anchor = x < 5 ? "start" : x > 95 ? "end" : "middle";
                ticks.add(new Chart.Tick(percent(x), label(time), anchor, false));
            }
        }
        return ticks;
    }

    private List<RateChart.Minute> minutes() {
        return IntStream.range(0, MINUTES)
                .filter(minute -> series.stream().anyMatch(one -> one.perMinute[minute] > 0))
                .mapToObj(minute -> new RateChart.Minute(
                        label(time(minute)),
                        Counts.of(series.get(0).perMinute[minute]),
                        Counts.of(series.get(1).perMinute[minute]),
                        Counts.of(series.get(2).perMinute[minute])))
                .toList();
    }

    private Series series(String kind, String label, List<TaskCounts> counts, ToLongFunction<TaskCounts> what) {
        Map<Instant, Long> sums = counts.stream().collect(groupingBy(TaskCounts::minute, summingLong(what)));
        var perMinute = IntStream.range(0, MINUTES)
                .mapToLong(minute -> sums.getOrDefault(time(minute), 0L))
                .toArray();
        return new Series(kind, label, perMinute);
    }

    private Instant time(int minute) {
        return begin.plus(minute, ChronoUnit.MINUTES);
    }

    /** 1, 2 or 5 of a power of ten, so that few of them reach the most. */
    private static long step(long most) {
        return Stream.iterate(1L, power -> power * 10)
                .flatMap(power -> Stream.of(power, 2 * power, 5 * power))
                .filter(candidate -> candidate * MOST_COUNTS >= most)
                .findFirst()
                .orElseThrow();
    }

    private static double x(int minute) {
        return 100.0 * minute / (MINUTES - 1);
    }

    private double y(long count) {
        return FLOOR - (FLOOR - TOP) * count / top;
    }

    private static String label(Instant time) {
        return TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }

    private static String coordinate(double percent) {
        return String.format(Locale.ROOT, "%.1f", percent * 10);
    }

    /** One line's counts, by minute from {@link #begin} on. */
    private static final class Series {
        private final String kind;
        private final String label;
        private final long[] perMinute;

        Series(String kind, String label, long[] perMinute) {
            this.kind = kind;
            this.label = label;
            this.perMinute = perMinute;
        }

        long total() {
            return LongStream.of(perMinute).sum();
        }

        long most() {
            return LongStream.of(perMinute).max().orElse(0);
        }
    }
}
