package io.menuboard.tasks.workers;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TasksInstance;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Workers of a test's instance, not started. */
public final class WorkersFixture {
    private static final AtomicInteger INSTANCES = new AtomicInteger();

    static {
        // A worker whose process dies in one class must not fail another one that waits at the time.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    private WorkersFixture() {}

    /** Does tasks of that instance. */
    public static TaskWorkers workers(TasksInstance tasks, TaskWork... works) {
        return workers(TaskSettings.QUICK, tasks, List.of(works));
    }

    /** Does tasks here and now, with leases that are longer than any test. */
    public static TaskWorkers patientWorkers(TasksInstance tasks) {
        return workers(TaskSettings.USUAL, tasks, List.of());
    }

    /** An attempt of this thread at a task that it has claimed. */
    public static TaskRun run(Task task) {
        return new TaskRun(task, Thread.currentThread());
    }

    /** What an attempt has last said of how far it is; null where it said nothing since this was asked. */
    public static @Nullable TaskProgress said(TaskRun run) {
        return run.takeNews();
    }

    static TaskWorkers workers(TaskSettings settings, TasksInstance tasks, List<TaskWork> works) {
        var sweeper = tasks.leasedSweeper("instance " + INSTANCES.incrementAndGet());
        var upkeep = new TaskUpkeep(sweeper, tasks.statistics(), settings.sweepInterval());
        return new TaskWorkers(tasks.protocol(), tasks.submission(), tasks.reads(), upkeep, works, settings.lease());
    }
}
