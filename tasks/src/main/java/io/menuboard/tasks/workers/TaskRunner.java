package io.menuboard.tasks.workers;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.claims.WorkerProtocol;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs handlers on the calling thread, extends their tasks' leases meanwhile, and writes the outcomes. Thread-safe. */
final class TaskRunner {
    private static final Logger log = LoggerFactory.getLogger(TaskRunner.class);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

    /** For so long an outcome is tried to be written while somebody waits for it; otherwise until the lease must have expired. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String UNREADABLE = "this version cannot read what it is about";

    private final WorkerProtocol protocol;
    private final Access access;
    private final Duration lease;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /** @param lease of the tasks that it is given */
    TaskRunner(WorkerProtocol protocol, Access access, Duration lease) {
        this.protocol = protocol;
        this.access = access;
        this.lease = lease;
    }

    /** Handlers that run now. */
    int running() {
        return running.size();
    }

    /** Interrupts every handler, whose task is then given back. */
    void interrupt() {
        stopping = true;
        running.forEach(Thread::interrupt);
    }

    void run(Task task, TaskHandler handler) {
        var run = new TaskRun(task, Thread.currentThread());
        var ended = new CountDownLatch(1);
        running.add(Thread.currentThread());
        var upkeep = Thread.ofVirtual().start(() -> keepUp(run, ended));
        Supplier<TaskResult> end;
        try {
            var result = handler.handle(run);
            end = () -> protocol.complete(access, task.id(), task.leaseToken(), result);
        } catch (TaskFailed e) {
            end = e.givenBack()
                    ? () -> protocol.releaseToOtherVersion(access, task.id(), task.leaseToken(), e.reason())
                    : () -> protocol.fail(access, task.id(), task.leaseToken(), e.reason(), e.retryable());
        } catch (InterruptedException e) {
            end = () -> release(task);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            if (Thread.currentThread().isInterrupted()) {
                // A request that was interrupted fails with an exception of its own.
                end = () -> release(task);
            } else if (UnreadableItem.isCauseOf(e)) {
                log.warn("task left to another version: task={} type={}", task.id(), task.type(), e);
                end = () -> protocol.releaseToOtherVersion(access, task.id(), task.leaseToken(), UNREADABLE);
            } else {
                var errorId =
                        HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
                log.error("task failed: errorId={} task={} type={}", errorId, task.id(), task.type(), e);
                end = () -> protocol.fail(
                        access, task.id(), task.leaseToken(), "unexpected; the log has error " + errorId, true);
            }
        } finally {
            ended.countDown();
            running.remove(Thread.currentThread());
        }
        join(upkeep);
        if (!run.hasLostLease()) {
            var outcome = end;
            var workload = Workload.current();
            if (workload.hasDeadline()) {
                // Whoever waits may have no time left, and the task is not to wait for the end of its lease.
                workload.goingOn(PATIENCE).run(() -> reportOutcome(run, outcome, PATIENCE));
            } else {
                reportOutcome(run, outcome, lease);
            }
        } else if (!stopping) {
            // It was for the handler. Whoever had the task done goes on, and may read what came of it.
            Thread.interrupted();
        }
    }

    TaskResult release(Task task) {
        return protocol.release(access, task.id(), task.leaseToken(), "what worked on it was stopped");
    }

    /**
     * Writes the last progress and the outcome of a task, retrying for so long. Interrupts are for the handler, also one that
     * comes while the outcome is written.
     */
    private void reportOutcome(TaskRun run, Supplier<TaskResult> end, Duration patience) {
        var id = run.task().id();
        var interrupted = Thread.interrupted();
        var last = run.takeNews();
        var deadline = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                try {
                    if (last != null) {
                        protocol.extend(access, id, run.task().leaseToken(), null, last);
                        last = null;
                    }
                    if (end.get() instanceof TaskResult.LeaseLost) {
                        log.warn("task ended after its lease: task={}", id);
                    }
                    return;
                } catch (InvalidInput e) {
                    log.error("what came of a task is refused: task={}", id, e);
                    last = null;
                    end = () -> protocol.fail(
                            access, id, run.task().leaseToken(), "what came of it is refused: " + e.code(), false);
                } catch (UnreadableItem e) {
                    log.warn("task ended after another version had changed it: task={}", id, e);
                    return;
                } catch (QueryDbException e) {
                    if (System.nanoTime() - deadline > 0) {
                        log.error("end of a task could not be written, it will be done again: task={}", id, e);
                        return;
                    }
                    interrupted |= Thread.interrupted() || isInterruptedWithin(RETRY_PAUSE);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isInterruptedWithin(Duration duration) {
        try {
            Thread.sleep(duration);
            return false;
        } catch (InterruptedException _) {
            return true;
        }
    }

    /** Extends the lease, often enough that two attempts may fail, and whenever there is progress. */
    private void keepUp(TaskRun run, CountDownLatch ended) {
        var third = lease.toNanos() / 3;
        var extendedAt = System.nanoTime();
        try {
            while (!ended.await(Math.min(third, PROGRESS_INTERVAL.toNanos()), TimeUnit.NANOSECONDS)) {
                var news = run.takeNews();
                if (news == null && System.nanoTime() - extendedAt < third) {
                    continue;
                }
                try {
                    if (!(protocol.extend(access, run.task().id(), run.task().leaseToken(), null, news)
                            instanceof TaskResult.Done)) {
                        run.loseLease();
                        return;
                    }
                    extendedAt = System.nanoTime();
                } catch (UnreadableItem e) {
                    log.warn(
                            "lease lost to another version: task={}", run.task().id(), e);
                    run.loseLease();
                    return;
                } catch (QueryDbException e) {
                    run.putBack(news);
                    QueryDbException.warn(
                            log,
                            e,
                            "lease not extended yet: task={}",
                            run.task().id());
                } catch (RuntimeException e) {
                    // The edge of this thread, which must go on.
                    log.error("lease not extended yet: task={}", run.task().id(), e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        var interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
