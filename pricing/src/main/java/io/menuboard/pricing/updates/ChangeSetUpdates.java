package io.menuboard.pricing.updates;

import static java.util.stream.Collectors.toMap;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.graphql.streams.Watches;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskReads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Change sets that somebody watches, as {@link ChangeSets} finds them: one read unit per interval for each, and with the progress
 * of what is being done with them one more for the task that does it. Thread-safe.
 */
public final class ChangeSetUpdates {
    /** Who sees a set may know how far it is, and need not see tasks for that. */
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    private final TaskReads tasks;
    private final Watches<Watched, State> watches;

    ChangeSetUpdates(ChangeSets sets, TaskReads tasks, Duration interval, ScheduledExecutorService timer) {
        this.tasks = tasks;
        // None is the last: what was applied can be undone.
        watches = new Watches<>(
                watched -> sets.find(watched.access, watched.id)
                        .map(set -> new State(set, watched.hasProgress ? progress(set.task()) : null)),
                _ -> false,
                interval,
                timer);
    }

    private record Watched(Access access, ChangeSetId id, boolean hasProgress) {}

    private record State(ChangeSet set, @Nullable TaskProgress progress) {}

    /**
     * The set as it is, and each time that it is another one; a subscriber that does not keep up misses states between.
     * Nothing, where it is not to be seen.
     */
    public Publisher<ChangeSet> of(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_READ);
        return watches.watch(new Watched(access, id, false), State::set);
    }

    /** The same, and each time that what is being done with the set is further. */
    public Publisher<ChangeSet> withProgress(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_READ);
        return watches.watch(new Watched(access, id, true), State::set);
    }

    private @Nullable TaskProgress progress(@Nullable TaskId id) {
        try {
            var task = id == null ? null : tasks.find(SYSTEM, id).orElse(null);
            return task == null ? null : task.progress();
        } catch (UnreadableItem _) {
            return null; // the set is told of all the same
        }
    }

    /**
     * Tasks that have said how far they are with what is being done with sets that whoever asks sees, in the order of the sets; null
     * where none has, or nothing is being done. One read unit per 4 KB of each task, read together.
     */
    List<@Nullable Task> tasks(Access access, List<ChangeSet> sets) {
        access.require(Permission.PRICES_READ);
        var ids = sets.stream()
                .flatMap(set -> Stream.ofNullable(set.task()))
                .distinct()
                .toList();
        var found = tasks.findAll(SYSTEM, ids).stream()
                .filter(task -> task.progress() != null)
                .collect(toMap(Task::id, Function.identity()));
        return sets.stream()
                .<@Nullable Task>map(set -> set.task() == null ? null : found.get(set.task()))
                .toList();
    }
}
