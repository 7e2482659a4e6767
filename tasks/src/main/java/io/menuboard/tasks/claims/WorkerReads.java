package io.menuboard.tasks.claims;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSight;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Workers as they are, and what they hold. Reads take {@link Permission#TASKS_READ}; where that is for one worker, there is no
 * other one, and lists of all workers are denied. Thread-safe.
 */
public final class WorkerReads {
    private static final Access SYSTEM = Access.ofSystem("tasks", Actor.Source.WORKER);

    private final DynamoWorkers workers;
    private final TaskReads tasks;

    WorkerReads(DynamoWorkers workers, TaskReads tasks) {
        this.workers = workers;
        this.tasks = tasks;
    }

    /** Workers by name, with the time of their last heartbeat. */
    public Page<WorkerStatus> list(Access access, PageRequest page) {
        access.requireForAll(Permission.TASKS_READ);
        return workers.list(page);
    }

    /** One worker; empty where it has not asked for work within a day. */
    public Optional<WorkerStatus> find(Access access, WorkerId worker) {
        if (!TaskSight.of(access, Permission.TASKS_READ).has(worker)) {
            return Optional.empty();
        }
        return workers.find(worker);
    }

    /** Those of many that have asked for work within a day; half a read unit each, read together. */
    public List<WorkerStatus> findAll(Access access, List<WorkerId> names) {
        var sight = TaskSight.of(access, Permission.TASKS_READ);
        return workers.findAll(names.stream().filter(sight::has).toList());
    }

    /** Pages of what each of these workers holds, as it was submitted; costs as {@link #claims}, for all of them together. */
    List<Page<Task>> held(Access access, List<WorkerStatus> statuses, PageRequest page) {
        var sight = TaskSight.of(access, Permission.TASKS_READ);
        var names = statuses.stream().map(WorkerStatus::worker).toList();
        var seen = names.stream().filter(sight::has).collect(Collectors.toSet());
        var claims = claims(SYSTEM, seen::contains);
        return names.stream()
                .map(worker -> workers.page(worker, claims.getOrDefault(worker, List.of()), page))
                .toList();
    }

    /** Every running task by its lease's worker; half a read unit per 4 KB of all of them, and at least for each shard. */
    public Map<WorkerId, List<Task>> claims(Access access) {
        return claims(access, _ -> true);
    }

    /** Those of some workers are all that is in memory at once. */
    private Map<WorkerId, List<Task>> claims(Access access, Predicate<WorkerId> which) {
        return tasks
                .all(access, TaskFilter.of(TaskStatus.RUNNING))
                .mapMulti((Task task, Consumer<Task.Running> running) -> {
                    if (task instanceof Task.Running found
                            && which.test(found.lease().worker())) {
                        running.accept(found);
                    }
                })
                .sorted(Comparator.comparing(Task::id))
                // One whose lease is extended meanwhile moves on in its list, and is found once more.
                .collect(Collectors.toMap(Task::id, Function.identity(), (_, later) -> later, LinkedHashMap::new))
                .values()
                .stream()
                .collect(Collectors.groupingBy(
                        task -> task.lease().worker(), Collectors.mapping(Task.class::cast, Collectors.toList())));
    }
}
