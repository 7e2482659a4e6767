package io.menuboard.tasks.claims;

import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskListener;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskSteps;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;

/** Claims of one instance on a test's table. */
public final class ClaimsFixture {
    /** Reads of the index within this time are one. */
    public static final Duration SAME_TIME = TaskQueue.SAME_TIME;

    private final DynamoTasks store;
    private final ClaimsConfig config;
    private final TaskQueue queue;
    private final WorkerPresence presence;
    private final WorkerReads workers;

    /** They count as made when the callers know of them. */
    public ClaimsFixture(QueryDb db, DynamoTasks store, TaskReads reads, TaskSettings settings) {
        var stored = new DynamoWorkers(db);
        this.store = store;
        this.config = config(settings);
        this.queue = new TaskQueue(store, reads::now, config);
        this.presence = new WorkerPresence(stored, reads::now, Runnable::run);
        this.workers = new WorkerReads(stored, reads);
    }

    /** Those that an instance's steps tell of what happened. */
    public Stream<TaskListener> listeners() {
        return Stream.of(queue, presence);
    }

    /** The protocol of workers. */
    public WorkerProtocol protocol(TaskSteps steps, TaskLimits limits) {
        return new WorkerProtocol(store, queue, presence, steps, limits, config);
    }

    /** Reads about workers. */
    public WorkerReads workers() {
        return workers;
    }

    /** A sweeper that needs no lease. */
    public TaskSweeper sweeper(TaskSteps steps) {
        return new TaskSweeper(store, steps);
    }

    /** A sweeper that takes turns with those of other holders. */
    public static Sweeper sweeper(TaskSweeper tasks, InstanceLeases leases, InstantSource clock, String holder) {
        return new Sweeper(tasks, leases, clock, holder);
    }

    static ClaimsConfig config(TaskSettings settings) {
        return new ClaimsConfig(
                settings.lease(),
                Duration.ofHours(1),
                settings.pollInterval(),
                settings.pollInterval(),
                Duration.ofSeconds(20),
                1000,
                100,
                false);
    }
}
