package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Tells whether imports that have not ended still go on, or will. Thread-safe. */
record ImportLife(Clock clock, ImportConfig config, TaskReads tasks) {
    /** Who sees an import need not see tasks. */
    private static final Access SYSTEM = Access.ofSystem("imports", Actor.Source.SCHEDULER);

    /**
     * Shows those as interrupted that have been silent for too long. Uploads may wait as long as it takes, while there is a task
     * that will be done: of those that have waited for so long, the tasks are read together, one read unit each.
     */
    UnaryOperator<ImportStatus> of(List<ImportStatus> imports) {
        var waiting = imports.stream()
                .filter(this::isSilent)
                .flatMap(status -> task(status).stream())
                .toList();
        var goingOn = waiting.isEmpty()
                ? Set.<TaskId>of()
                : tasks.findAll(SYSTEM, waiting).stream()
                        .filter(task -> task.status() != TaskStatus.CANCELLED && task.status() != TaskStatus.DEAD)
                        .map(Task::id)
                        .collect(Collectors.toSet());
        return status -> isSilent(status) && !isAwaited(status, goingOn) ? interrupted(status) : status;
    }

    private boolean isSilent(ImportStatus status) {
        return status.state().isOpen()
                && status.updatedAt().plus(config.interruptedAfter()).isBefore(clock.instant());
    }

    private static boolean isWaitingForTask(ImportStatus status) {
        return status.state() == ImportState.WAITING && status.upload() != null;
    }

    private static boolean isAwaited(ImportStatus status, Set<TaskId> goingOn) {
        return isWaitingForTask(status) && task(status).map(goingOn::contains).orElse(true);
    }

    /** What one that waits waits for; empty where an earlier version has begun it, and does not say. */
    private static Optional<TaskId> task(ImportStatus status) {
        var upload = status.upload();
        return status.state() != ImportState.WAITING || upload == null || upload.task() == null
                ? Optional.empty()
                : Optional.of(upload.task());
    }

    private static ImportStatus interrupted(ImportStatus status) {
        var why = isWaitingForTask(status)
                ? "What was to run this import was cancelled or given up. "
                : "What ran this import has stopped without a word. ";
        return status.state(ImportState.INTERRUPTED, why + ImportRun.AGAIN);
    }
}
