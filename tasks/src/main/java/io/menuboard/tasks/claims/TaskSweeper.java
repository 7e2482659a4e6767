package io.menuboard.tasks.claims;

import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends leases whose time is over, and makes pending what has become due. Thread-safe. */
public final class TaskSweeper {
    private static final Actor SYSTEM = Actor.system("menuboard", Actor.Source.SCHEDULER);
    private static final Logger log = LoggerFactory.getLogger(TaskSweeper.class);
    private static final int BATCH = 100;
    private static final int TASKS_AT_ONCE = 32;

    /** Most tasks of one status that are tried before those of the other are looked for again. */
    private static final int MOVED_AT_ONCE = 5_000;

    private final DynamoTasks store;
    private final TaskSteps steps;
    private volatile boolean agreedOnTime;

    TaskSweeper(DynamoTasks store, TaskSteps steps) {
        this.store = store;
        this.steps = steps;
    }

    /**
     * Goes over all tasks whose time has come, some thousands whose leases have ended and then as many that are due, in turn. Which
     * of two instances moves a task is decided by the table. One that cannot be saved keeps no other from being moved, and is tried
     * again by the next sweep. Half a read unit for each shard and status where there is nothing to do,
     * and half a read unit per 4 KB of all types where there is.
     *
     * @param goOn asked before the first task is read, and before each hundred
     * @return how many tasks it moved
     */
    public int sweep(BooleanSupplier goOn) {
        if (!agreedOnTime) {
            // The first answer of the table sets the clock: until then it may be minutes off, and end leases that last.
            askForTime();
            agreedOnTime = true;
        }
        var moved = 0;
        int round;
        do {
            round = sweep(TaskStatus.RUNNING, goOn) + sweep(TaskStatus.SCHEDULED, goOn);
            moved += round;
        } while (round >= MOVED_AT_ONCE);
        return moved;
    }

    private int sweep(TaskStatus status, BooleanSupplier goOn) {
        var now = steps.now();
        var lists = store.lists().of(status, List.of()).stream()
                .map(list -> list.until(now))
                .toList();
        var confirmed = false;
        var moved = 0;
        var failures = new ConcurrentLinkedQueue<QueryDbException>();
        // Each once, past what cannot be read, and what the index has not seen moving yet.
        try (var all = store.lists().all(lists)) {
            var due = all.iterator();
            while (moved + failures.size() < MOVED_AT_ONCE && goOn.getAsBoolean() && due.hasNext()) {
                var batch = new ArrayList<Task>();
                while (batch.size() < BATCH && due.hasNext()) {
                    batch.add(due.next());
                }
                if (!confirmed) {
                    // Where this machine's clock was set, the list's answer has contradicted it, and a second
                    // one that agrees with that corrects it.
                    askForTime();
                    confirmed = true;
                }
                moved += (int) Concurrently.map(TASKS_AT_ONCE, batch, task -> sweep(task, failures)).stream()
                        .filter(swept -> swept)
                        .count();
            }
        } finally {
            var first = failures.peek();
            if (first != null) {
                QueryDbException.warn(
                        log,
                        first,
                        "tasks not moved until the next sweep: status={} tasks={}",
                        status,
                        failures.size());
            }
        }
        return moved;
    }

    /** Any answer of the table tells it. */
    private void askForTime() {
        store.types().all();
    }

    /** False also where it could not be saved. */
    private boolean sweep(Task task, Queue<QueryDbException> failures) {
        try {
            return sweep(task);
        } catch (QueryDbException e) {
            failures.add(e);
            return false;
        }
    }

    /** False also where its time has not come after all: the clock may have been corrected since the sweep began. */
    private boolean sweep(Task task) {
        return switch (task) {
            case Task.Running running when running.lease().endsAt().isAfter(steps.now()) -> false;
            case Task.Scheduled scheduled when scheduled.availableAt().isAfter(steps.now()) -> false;
            case Task.Running running -> {
                var step = steps.step(Kind.LEASE_EXPIRED, SYSTEM, running.worker(), "the lease ended");
                yield steps.save(steps.failure(running, true, step)) instanceof Changed.Made(var now)
                        && now.status() != TaskStatus.RUNNING;
            }
            case Task.Scheduled scheduled ->
                steps.save(scheduled.promote(steps.step(Kind.DUE, SYSTEM, null, null))) instanceof Changed.Made;
            case Task.Pending _, Task.Finished _ -> false;
        };
    }
}
