package io.menuboard.tasks.workers;

import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskProgress;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One attempt at a task in this process, while its lease is kept up. Thread-safe. */
public final class TaskRun {
    private final Task task;
    private final Thread thread;
    private final AtomicReference<@Nullable TaskProgress> news = new AtomicReference<>();
    private volatile boolean leaseLost;

    TaskRun(Task task, Thread thread) {
        this.task = task;
        this.thread = thread;
    }

    /** As it was claimed, with its payload and lease. */
    public Task task() {
        return task;
    }

    /** Payload of the task. */
    public Json payload() {
        var payload = task.payload();
        if (payload == null) {
            throw new IllegalStateException("task " + task.id() + " was claimed without its payload");
        }
        return payload;
    }

    /** Says how far the work is, as often as one likes: about every second the last word is written. */
    public void progress(TaskProgress progress) {
        news.set(progress);
    }

    @Nullable
    TaskProgress takeNews() {
        return news.getAndSet(null);
    }

    /** News that could not be written, which are the last word unless there are others by now. */
    void putBack(@Nullable TaskProgress unwritten) {
        news.compareAndSet(null, unwritten);
    }

    void loseLease() {
        leaseLost = true;
        thread.interrupt();
    }

    boolean hasLostLease() {
        return leaseLost;
    }
}
