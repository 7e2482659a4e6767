package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Tells whether imports that have not ended still go on, or will. Thread-safe. */
record ImportLife(Clock clock, ImportConfig config, TaskReads tasks) {
    /** Who sees an import need not see its task, nor the change set that it has drafted. */
    static final Access SYSTEM = Access.ofSystem("imports", Actor.Source.SCHEDULER);

    /**
     * Shows those as interrupted that have been silent for too long. Uploads may wait as long as it takes, also for another
     * instance that takes them over, while there is a task that will be done: of those that have been silent for so long, the
     * tasks are read together, one read unit each.
     */
    UnaryOperator<ImportStatus> of(List<ImportStatus> imports) {
        var silent = imports.stream()
                .filter(this::isSilent)
                .flatMap(status -> task(status).stream())
                .toList();
        var goingOn = silent.isEmpty()
                ? Set.<TaskId>of()
                : tasks.findAll(SYSTEM, silent).stream()
                        .filter(this::isGoingOn)
                        .map(Task::id)
                        .collect(Collectors.toSet());
        return status -> isSilent(status) && !isAwaited(status, goingOn) ? interrupted(status) : status;
    }

    private boolean isSilent(ImportStatus status) {
        return status.state().isOpen() && isLongAgo(status.updatedAt());
    }

    private boolean isLongAgo(Instant time) {
        return time.plus(config.interruptedAfter()).isBefore(clock.instant());
    }

    private boolean isGoingOn(Task task) {
        return switch (task.status()) {
            case SCHEDULED, PENDING, RUNNING -> true;
            // Just now, the import may have ended since it was read.
            case COMPLETED -> !isLongAgo(task.changedAt());
            case DEAD, CANCELLED -> false;
        };
    }

    private static boolean isAwaited(ImportStatus status, Set<TaskId> goingOn) {
        return task(status)
                .map(goingOn::contains)
                // An earlier version has begun it, and does not say which task it waits for.
                .orElse(status.state() == ImportState.WAITING && status.upload() != null);
    }

    /** What an import of an upload is done by; empty where the files are with an instance, or an earlier version has begun it. */
    private static Optional<TaskId> task(ImportStatus status) {
        return Optional.ofNullable(status.upload()).map(ImportStatus.Upload::task);
    }

    private static ImportStatus interrupted(ImportStatus status) {
        var why = task(status).isPresent()
                ? "What was to run this import was cancelled or given up, or ended before the import did. "
                : "What ran this import has stopped without a word. ";
        return status.state(ImportState.INTERRUPTED, why + ImportRun.AGAIN);
    }
}
