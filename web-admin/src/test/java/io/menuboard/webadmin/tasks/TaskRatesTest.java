package io.menuboard.webadmin.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.statistics.TaskCounts;
import io.menuboard.webadmin.ui.charts.Chart;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TaskRatesTest {
    private static final Instant NOW = Instant.parse("2026-03-06T13:05:42Z");

    @Test
    void addUpTheTypesOfEachMinute() {
        var chart = draw(counts("a", "2026-03-06T13:04:00Z", 7), counts("b", "2026-03-06T13:04:00Z", 5));

        assertThat(rows(chart)).containsExactly(List.of("13:04", "12", "24", "36"));
        assertThat(chart.lines())
                .extracting(Chart.Line::legend)
                .containsExactly(
                        new Chart.Legend("Submitted", "12"),
                        new Chart.Legend("Completed", "24"),
                        new Chart.Legend("Failed", "36"));
    }

    @Test
    void goBackAnHourThisMinuteIncluded() {
        assertThat(TaskRates.begin(NOW)).isEqualTo("2026-03-06T12:06:00Z");
        var chart = draw(
                counts("a", "2026-03-06T12:05:00Z", 1),
                counts("a", "2026-03-06T12:06:00Z", 2),
                counts("a", "2026-03-06T13:05:00Z", 3));

        assertThat(rows(chart)).extracting(List::getFirst).containsExactly("12:06", "13:05");
        assertThat(chart.lines().getFirst().d()).startsWith("M0.0 ").contains("L1000.0 ");
    }

    @Test
    void haveRoundCountsThatReachTheMost() {
        assertThat(ticks(draw(counts("a", "2026-03-06T13:04:00Z", 13)))).containsExactly("0", "10", "20", "30", "40");
        assertThat(ticks(draw())).containsExactly("0", "1");
    }

    private static List<String> ticks(Chart chart) {
        return chart.amounts().stream().map(Chart.Tick::label).toList();
    }

    private static List<List<String>> rows(Chart chart) {
        return Objects.requireNonNull(chart.table()).rows();
    }

    private static Chart draw(TaskCounts... counts) {
        return new TaskRates(List.of(counts), NOW).draw();
    }

    /** So many submitted, twice as many completed, three times as many failed. */
    private static TaskCounts counts(String type, String minute, long count) {
        return new TaskCounts(Instant.parse(minute), new TaskType(type), count, 0, 2 * count, 3 * count, 0);
    }
}
