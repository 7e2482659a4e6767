package io.menuboard.tasks.claims;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Workers as they are, and what they hold. Thread-safe. */
public final class WorkerReads {
    private final DynamoWorkers workers;
    private final TaskReads tasks;

    WorkerReads(DynamoWorkers workers, TaskReads tasks) {
        this.workers = workers;
        this.tasks = tasks;
    }

    /** Workers by name, with the time of their last heartbeat. */
    public Page<WorkerStatus> list(PageRequest page) {
        return workers.list(page);
    }

    /** One worker; empty where it has not asked for work within a day. */
    public Optional<WorkerStatus> find(WorkerId worker) {
        return workers.find(worker);
    }

    /** Those of many that have asked for work within a day; half a read unit each, read together. */
    public List<WorkerStatus> findAll(List<WorkerId> names) {
        return workers.findAll(names);
    }

    /** Pages of what each of these workers holds, as it was submitted; costs as {@link #claims}, for all of them together. */
    List<Page<Task>> held(List<WorkerStatus> statuses, PageRequest page) {
        var claims = claims();
        return statuses.stream()
                .map(status -> workers.page(status.worker(), claims.getOrDefault(status.worker(), List.of()), page))
                .toList();
    }

    /** Every running task by its lease's worker; half a read unit per 4 KB of all of them, and at least for each shard. */
    public Map<WorkerId, List<Task>> claims() {
        return tasks.all(TaskFilter.of(TaskStatus.RUNNING))
                .sorted(Comparator.comparing(Task::id))
                .mapMulti((Task task, Consumer<Task.Running> running) -> {
                    if (task instanceof Task.Running found) {
                        running.accept(found);
                    }
                })
                .collect(Collectors.groupingBy(
                        task -> task.lease().worker(), Collectors.mapping(Task.class::cast, Collectors.toList())));
    }
}
