package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.batches.BatchedChangeSets;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskWorkers;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has runs of change sets done: small ones while the caller waits, large ones by any instance that is free; and tells batches of
 * changes of their sets.
 */
final class ChangeSetTasks implements BatchedChangeSets {
    private static final int NEWEST = 200;

    private static final Access SYSTEM = Access.ofSystem("pricing", Actor.Source.SCHEDULER);

    private final TaskSubmission submission;
    private final TaskReads tasks;
    private final TaskWorkers workers;
    private final ChangeSetRuns runs;
    private final DynamoChangeSets sets;
    private final int inline;

    /** @param inline most lines of a small set */
    ChangeSetTasks(
            TaskSubmission submission,
            TaskReads tasks,
            TaskWorkers workers,
            ChangeSetRuns runs,
            DynamoChangeSets sets,
            int inline) {
        this.submission = submission;
        this.tasks = tasks;
        this.workers = workers;
        this.runs = runs;
        this.sets = sets;
        this.inline = inline;
    }

    boolean isInline(ChangeSet set) {
        var summary = set.summary();
        return summary == null || summary.written() <= inline;
    }

    /**
     * Has the run done.
     *
     * @return the set as it is while that goes on; empty where it is done, or something else was begun with the set
     */
    Optional<ChangeSet> start(Access access, ChangeSet set, ChangeSetCommand command) {
        if (isInline(set)) {
            perform(access, command);
            return Optional.empty();
        }
        return startLater(access, set, command);
    }

    /** Does it here and now, as a task that another instance takes up should this one die. */
    private void perform(Access access, ChangeSetCommand command) {
        workers.perform(access, command.task(), task -> {
            runs.run(access, command, task);
            return null;
        });
    }

    /** Has it done by any instance that is free, and says at once whether it has been begun. */
    Optional<ChangeSet> startLater(Access access, ChangeSet set, ChangeSetCommand command) {
        return submit(access, command.task().sharedKey(command.key()))
                .flatMap(by -> runs.begin(access.actor(), set, command, by));
    }

    private Optional<TaskId> submit(Access access, SubmitTask request) {
        return switch (submission.submit(access, request)) {
            case SubmitResult.Created(var created, var _) -> Optional.of(created.id());
            // One that was cancelled before it began the run never will.
            case SubmitResult.Replayed(var before, var _) ->
                before.status().isFinished() ? submit(access, request.idempotencyKey(null)) : Optional.of(before.id());
            case SubmitResult.Conflict _ -> Optional.empty();
            case SubmitResult.Invalid(var refusal) -> throw refusal;
        };
    }

    /** True where the run of the set has ended for good before its work was done. */
    boolean isGivenUp(ChangeSet set) {
        return set.task() != null && isOver(set.task());
    }

    /**
     * True where a task that is not over does that with the set.
     *
     * @param date to which it moves the set; null otherwise
     */
    boolean isDoing(ChangeSet set, ChangeSetCommand.Action action, @Nullable EffectiveDate date) {
        if (!(set instanceof ChangeSet.Applying(var _, var task, var _)) || task == null) {
            return false;
        }
        try {
            var found = tasks.find(SYSTEM, task).filter(by -> !by.status().isFinished());
            var command = found.isEmpty() ? null : ChangeSetCommand.of(found.get());
            return command != null && command.action() == action && Objects.equals(command.date(), date);
        } catch (TaskFailed | UnreadableItem _) {
            return false; // another version knows
        }
    }

    private boolean isOver(TaskId task) {
        try {
            return tasks.find(SYSTEM, task)
                    .map(found -> found.status() == TaskStatus.CANCELLED || found.status() == TaskStatus.DEAD)
                    .orElse(true);
        } catch (UnreadableItem _) {
            return false; // the version that wrote it decides
        }
    }

    @Override
    public Optional<Attribution> attribution(ChangeSetId set) {
        return sets.attribution(set);
    }

    /** Reads the newest {@value #NEWEST} sets: about 25 read units, and one for each set that is in progress or being previewed. */
    @Override
    public int countStuck() {
        return (int) sets.newest(NEWEST).stream().filter(this::isGivenUp).count();
    }
}
