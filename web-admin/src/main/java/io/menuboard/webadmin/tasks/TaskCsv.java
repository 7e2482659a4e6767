package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.webadmin.ui.Actors;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tasks and their events as rows of files, in the order of their columns. */
final class TaskCsv {
    static final List<String> TASK_COLUMNS = List.of(
            "task",
            "type",
            "status",
            "priority",
            "submitted",
            "by",
            "through",
            "attempt",
            "failures",
            "maxAttempts",
            "worker",
            "leaseEnds",
            "available",
            "started",
            "finished",
            "reason",
            "idempotencyKey",
            "clonedFrom");

    static final List<String> EVENT_COLUMNS =
            List.of("task", "number", "at", "event", "status", "attempt", "worker", "by", "through", "reason");

    private TaskCsv() {}

    static List<String> row(Task task) {
        var lease = task.lease();
        var by = Actors.cells(task.submittedBy());
        return List.of(
                task.id().value(),
                task.type().value(),
                task.status().name(),
                task.priority().name(),
                task.submittedAt().toString(),
                by.getFirst(),
                by.getLast(),
                Integer.toString(task.attempt()),
                Integer.toString(task.failures()),
                Integer.toString(task.maxAttempts()),
                text(task.worker()),
                lease == null ? "" : lease.endsAt().toString(),
                task.availableAt().toString(),
                text(task.startedAt()),
                text(task.finishedAt()),
                text(task.reason()),
                text(task.idempotencyKey()),
                text(task.clonedFrom()));
    }

    static List<String> row(String task, TaskEvent event) {
        var by = Actors.cells(event.actor());
        return List.of(
                task,
                Integer.toString(event.number()),
                event.at().toString(),
                event.kind().name(),
                event.status().name(),
                Integer.toString(event.attempt()),
                text(event.worker()),
                by.getFirst(),
                by.getLast(),
                text(event.reason()));
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "");
    }
}
