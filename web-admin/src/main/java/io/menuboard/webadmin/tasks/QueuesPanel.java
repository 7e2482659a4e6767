package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.statistics.QueueStatistics;
import io.menuboard.tasks.statistics.TaskCounts;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.charts.Chart;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of the queues, for the top of {@code tasks/list}.
 *
 * @param summary all of it in a line
 * @param queues those in which something waits or moves, the one that has waited longest first; only the first few
 * @param others the rest of them
 * @param idle how many others there are, in words; null where there are none
 * @param chart null where nothing happened within its time
 */
record QueuesPanel(
        String asOf,
        String summary,
        List<Queue> queues,
        List<Queue> others,
        @Nullable String idle,
        @Nullable Chart chart) {

    private static final int FIRST = 5;

    /** A rate that is written as 0.0 is as good as none. */
    private static final double LEAST_SHOWN = 0.05;

    static QueuesPanel of(List<QueueStatistics> statistics, List<TaskCounts> counts, Instant now) {
        var died = counts.stream()
                .collect(Collectors.groupingBy(TaskCounts::type, Collectors.summingLong(TaskCounts::dead)));
        var busy = statistics.stream()
                .filter(queue -> queue.pending() > 0
                        || queue.claimsPerSecond() >= LEAST_SHOWN
                        || died.getOrDefault(queue.type(), 0L) > 0)
                .sorted(Comparator.comparing(
                        QueueStatistics::oldestPending, Comparator.nullsLast(Comparator.naturalOrder())))
                .map(queue -> Queue.of(queue, died.getOrDefault(queue.type(), 0L), now))
                .toList();
        return new QueuesPanel(
                Moments.utcSeconds(now),
                summary(statistics, counts, now),
                busy.subList(0, Math.min(FIRST, busy.size())),
                busy.subList(Math.min(FIRST, busy.size()), busy.size()),
                idle(busy.size(), statistics.size() - busy.size()),
                counts.isEmpty() ? null : new TaskRates(counts, now).draw());
    }

    private static String summary(List<QueueStatistics> statistics, List<TaskCounts> counts, Instant now) {
        var pending = statistics.stream().mapToLong(QueueStatistics::pending).sum();
        var least = statistics.stream().anyMatch(QueueStatistics::pendingIsLeast);
        var waiting = statistics.stream()
                .flatMap(queue -> Stream.ofNullable(queue.oldestPending()))
                .min(Comparator.naturalOrder())
                .map(oldest -> ", the oldest submitted " + Moments.ago(oldest, now))
                .orElse("");
        return (least ? "at least " : "") + Counts.of(pending) + " pending" + waiting + ". In the last hour "
                + sum(counts, TaskCounts::submitted) + " submitted, " + sum(counts, TaskCounts::completed)
                + " completed, " + sum(counts, TaskCounts::dead) + " dead.";
    }

    private static String sum(List<TaskCounts> counts, ToLongFunction<TaskCounts> what) {
        return Counts.of(counts.stream().mapToLong(what).sum());
    }

    private static @Nullable String idle(int busy, int idle) {
        if (idle == 0) {
            return null;
        }
        var others = idle == 1 ? "1 type" : Counts.of(idle) + " types";
        return (busy == 0 ? others : others + " more") + (idle == 1 ? " has" : " have") + " nothing pending.";
    }

    /**
     * @param href address of the pending tasks of this type
     * @param died how many have become dead within the time of the chart
     * @param diedHref address of the dead ones, null where none has died
     */
    record Queue(
            String type,
            String href,
            String pending,
            String oldest,
            String claims,
            String died,
            @Nullable String diedHref) {
        static Queue of(QueueStatistics queue, long died, Instant now) {
            var oldest = queue.oldestPending();
            return new Queue(
                    queue.type().value(),
                    Link.to("tasks").with("type", queue.type().value()).toString(),
                    (queue.pendingIsLeast() ? "at least " : "") + Counts.of(queue.pending()),
                    oldest == null ? "" : Moments.ago(oldest, now),
                    String.format(Locale.ENGLISH, "%.1f", queue.claimsPerSecond()),
                    Counts.of(died),
                    died == 0
                            ? null
                            : Link.to("tasks")
                                    .with("status", TaskStatus.DEAD.name())
                                    .with("type", queue.type().value())
                                    .toString());
        }
    }
}
