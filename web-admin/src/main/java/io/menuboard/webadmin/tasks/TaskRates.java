package io.menuboard.webadmin.tasks;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import io.menuboard.tasks.statistics.TaskCounts;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.charts.AmountScale;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.charts.Plot;
import java.math.BigDecimal;
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
    private static final int BETWEEN_TIMES = 15;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private final Instant begin;
    private final List<Series> series;
    private final Plot plot;

    /** @param counts of the last {@link #SPAN}, of any types */
    TaskRates(List<TaskCounts> counts, Instant now) {
        this.begin = begin(now);
        this.series = List.of(
                series("submitted", "Submitted", counts, TaskCounts::submitted),
                series("completed", "Completed", counts, TaskCounts::completed),
                series("failed", "Failed", counts, TaskCounts::failed));
        var most = series.stream().mapToLong(Series::most).max().orElse(0);
        this.plot = new Plot(AmountScale.fromZero(List.of(BigDecimal.valueOf(most)), BigDecimal.ONE));
    }

    /** The first minute that is drawn. */
    static Instant begin(Instant now) {
        return now.truncatedTo(ChronoUnit.MINUTES).minus(SPAN).plus(1, ChronoUnit.MINUTES);
    }

    Chart draw() {
        return new Chart(
                "rates",
                "chart-rates",
                new Chart.Text(
                        "Tasks per minute",
                        description(),
                        "Times in UTC. Attempts that failed count each time. The last minute is not over."),
                plot.amounts((count, _) -> Counts.of(count.longValueExact())),
                times(),
                null,
                List.of(),
                series.stream().map(this::line).toList(),
                List.of(),
                List.of(),
                new Chart.Table(
                        "Tasks per minute",
                        Stream.concat(Stream.of("Minute"), series.stream().map(one -> one.label))
                                .toList(),
                        minutes()));
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

    private Chart.Line line(Series one) {
        var spots = IntStream.range(0, MINUTES)
                .mapToObj(minute -> new Plot.Spot(x(minute), BigDecimal.valueOf(one.perMinute[minute])))
                .toList();
        return new Chart.Line(
                "chart-" + one.kind, plot.straight(spots), new Chart.Legend(one.label, Counts.of(one.total())));
    }

    private List<Chart.Tick> times() {
        var ticks = new ArrayList<Chart.Tick>();
        for (var minute = 0; minute < MINUTES; minute++) {
            var time = time(minute);
            if (time.atOffset(ZoneOffset.UTC).getMinute() % BETWEEN_TIMES == 0) {
                ticks.add(Plot.time(x(minute), label(time), false));
            }
        }
        return ticks;
    }

    /** Those in which something happened. */
    private List<List<String>> minutes() {
        return IntStream.range(0, MINUTES)
                .filter(minute -> series.stream().anyMatch(one -> one.perMinute[minute] > 0))
                .mapToObj(minute -> Stream.concat(
                                Stream.of(label(time(minute))),
                                series.stream().map(one -> Counts.of(one.perMinute[minute])))
                        .toList())
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

    private static double x(int minute) {
        return 100.0 * minute / (MINUTES - 1);
    }

    private static String label(Instant time) {
        return TIME.format(time.atOffset(ZoneOffset.UTC));
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
