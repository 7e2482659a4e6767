package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a task, for {@code components :: progress}.
 *
 * @param total null while it is not known
 */
public record TaskProgressBar(
        String label, long done, @Nullable Long total, String detail) {

    private static final Duration LEAST_MEASURED = Duration.ofSeconds(1);

    /** Null where the task has reported nothing. */
    public static @Nullable TaskProgressBar of(Task task) {
        var progress = task.progress();
        if (progress == null) {
            return null;
        }
        var total = progress.total();
        var detail = new StringBuilder(Counts.of(progress.done()));
        if (total != null) {
            detail.append(" of ").append(Counts.of(total));
        }
        var rate = task.rate();
        if (rate > 0 && isMeasured(task)) {
            detail.append(", ").append(rate(rate));
            if (total != null && total > progress.done() && task.status() == TaskStatus.RUNNING) {
                detail.append(", about ")
                        .append(Moments.span(Duration.ofSeconds((long) ((total - progress.done()) / rate))))
                        .append(" left");
            }
        }
        return new TaskProgressBar(
                "Progress" + (progress.message() == null ? "" : ": " + progress.message()),
                progress.done(),
                total == null ? null : Long.valueOf(Math.max(1, total)),
                detail.toString());
    }

    /** Progress of the first instants says nothing about the rest. */
    private static boolean isMeasured(Task task) {
        return task.startedAt() != null
                && task.progressAt() != null
                && Duration.between(task.startedAt(), task.progressAt()).compareTo(LEAST_MEASURED) >= 0;
    }

    private static String rate(double perSecond) {
        return perSecond >= 1
                ? Counts.of(Math.round(perSecond)) + " a second"
                : Counts.of(Math.max(1, Math.round(perSecond * 60))) + " a minute";
    }
}
