package io.menuboard.webadmin;

import io.menuboard.tasks.QueueStatistics;
import io.menuboard.tasks.TaskCounts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the queues stand, for the top of {@code tasks/list}.
 *
 * @param queues those in which something waits or moves, the one that has waited longest first; only the first few
 * @param others the rest of them
 * @param idle how many others there are, in words; null where there are none
 * @param chart null where nothing happened within its time
 */
record QueuesPanel(
        String asOf,
        List<Queue> queues,
        List<Queue> others,
        @Nullable String idle,
        @Nullable RateChart chart) {

    private static final int FIRST = 5;

    /** What is written as 0.0 is as good as nothing. */
    private static final double LEAST_SHOWN = 0.05;

    static QueuesPanel of(List<QueueStatistics> statistics, List<TaskCounts> counts, Instant now) {
        var busy = statistics.stream()
                .filter(queue -> queue.pending() > 0 || queue.claimsPerSecond() >= LEAST_SHOWN)
                .sorted(Comparator.comparing(
                        QueueStatistics::oldestPending, Comparator.nullsLast(Comparator.naturalOrder())))
                .map(queue -> Queue.of(queue, now))
                .toList();
        return new QueuesPanel(
                Moments.utcSeconds(now),
                busy.subList(0, Math.min(FIRST, busy.size())),
                busy.subList(Math.min(FIRST, busy.size()), busy.size()),
                idle(busy.size(), statistics.size() - busy.size()),
                counts.isEmpty() ? null : new TaskRates(counts, now).draw());
    }

    private static @Nullable String idle(int busy, int idle) {
        if (idle == 0) {
            return null;
        }
        var others = idle == 1 ? "1 type" : Counts.of(idle) + " types";
        return (busy == 0 ? others : others + " more") + (idle == 1 ? " has" : " have") + " nothing pending.";
    }

    /** @param href address of the pending tasks of this type */
    record Queue(String type, String href, String pending, String oldest, String claims) {
        static Queue of(QueueStatistics queue, Instant now) {
            var oldest = queue.oldestPending();
            return new Queue(
                    queue.type().value(),
                    Link.to("tasks").with("type", queue.type().value()).toString(),
                    (queue.pendingIsLeast() ? "at least " : "") + Counts.of(queue.pending()),
                    oldest == null ? "" : Moments.ago(oldest, now),
                    String.format(Locale.ENGLISH, "%.1f", queue.claimsPerSecond()));
        }
    }
}
