package io.menuboard.bench;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.ClaimTasks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Tasks submitted, claimed and completed, against the same writes made with the SDK's client alone, interleaved in one
 * run. The instances are application contexts of this process, with everything but the server.
 */
final class TaskBenchmark implements AutoCloseable {
    private static final int WORKERS = 8;
    private static final int INSTANCES = 4;
    private static final int WARM_UP = 6_000;
    private static final int ROUNDS = 6;
    private static final int EACH = 2_000;
    private static final int PER_SECOND = 500;
    private static final Duration PACED = Duration.ofMinutes(1);

    private static final TaskType TYPE = new TaskType("labels.print");
    private static final Json PAYLOAD = Json.parse("payload", "{\"store\":\"DE-0001\",\"labels\":12}");
    private static final Access ACCESS =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "bench", Actor.Source.WORKER));

    private final List<ApplicationContext> instances;
    private final RawTasks raw;

    TaskBenchmark(URI table) {
        System.setProperty("aws.region", "eu-central-1");
        System.setProperty("aws.endpointUrlDynamoDb", table.toString());
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        instances = IntStream.range(0, INSTANCES)
                .mapToObj(_ -> ApplicationContext.run(Map.<String, Object>of("micrometer.enabled", true)))
                .toList();
        raw = new RawTasks(table);
    }

    private TasksInstance tasks(int instance) {
        return TasksInstance.of(instances.get(instance)::getBean);
    }

    String report() throws InterruptedException, ExecutionException {
        lifeCycles(1, WARM_UP);
        raw.lifeCycles(WORKERS, WARM_UP);
        lifeCycles(INSTANCES, WARM_UP);
        var out = new StringBuilder("""
                ## Tasks
                A life cycle is a task submitted, claimed and completed, each a conditional write of an item below 1 KB
                that is in an index. *Raw* makes the same three writes of the same items, with the same conditions and answers, with the
                SDK's client alone: no poll for work, nothing read. %d threads each do one life cycle after the other,
                claiming whatever comes first; all take turns, %d rounds of %d.

                | caller | life cycles/s | to raw | claim attempts per claim | WCU per life cycle |
                | --- | ---: | ---: | ---: | ---: |
                """.formatted(WORKERS, ROUNDS, EACH));
        var raws = 0.0;
        var one = Runs.NONE;
        var many = Runs.NONE;
        for (var round = 0; round < ROUNDS; round++) {
            raws += EACH / raw.lifeCycles(WORKERS, EACH);
            one = one.and(lifeCycles(1, EACH));
            many = many.and(lifeCycles(INSTANCES, EACH));
        }
        raws /= ROUNDS;
        out.append("| raw, SDK client | %.0f | 1.00 | – | %.2f |%n".formatted(raws, raw.unitsEach()));
        out.append(one.row("one instance", raws));
        out.append(many.row("spread over " + INSTANCES + " instances", raws));
        var half = (int) (raws / 2);
        out.append("""

                Submitted through one instance at a steady rate, whether or not the workers keep up, who are %d there with one task
                at a time each. A rate of more life cycles a second than the table takes on this machine (above) shows how
                tasks pile up, half of that how long one takes to find its worker.

                | submitted a second | for | done a second | to raw | submit to start, p50 | p95 | claim attempts per claim |
                | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                """.formatted(WORKERS));
        out.append(paced(half, raws)).append(paced(PER_SECOND, raws)).append("\n");
        return out.toString();
    }

    /** What came of some rounds. */
    private record Runs(double seconds, long tasks, long attempts, double units) {
        static final Runs NONE = new Runs(0, 0, 0, 0);

        Runs and(Runs other) {
            return new Runs(
                    seconds + other.seconds, tasks + other.tasks, attempts + other.attempts, units + other.units);
        }

        String row(String caller, double raws) {
            return "| %s | %.0f | %.2f | %.3f | %.2f |%n"
                    .formatted(
                            caller, tasks / seconds, tasks / seconds / raws, (double) attempts / tasks, units / tasks);
        }
    }

    private Runs lifeCycles(int over, int count) throws InterruptedException, ExecutionException {
        var units = units();
        var attempts = attempts();
        var begin = System.nanoTime();
        var left = new AtomicInteger(count);
        together(IntStream.range(0, WORKERS)
                .<Callable<Void>>mapToObj(worker -> () -> {
                    var tasks = tasks(worker % over);
                    while (left.getAndDecrement() > 0) {
                        submit(tasks);
                        work(tasks, worker, Duration.ofSeconds(10));
                    }
                    return null;
                })
                .toList());
        var seconds = (System.nanoTime() - begin) / 1e9;
        return new Runs(seconds, count, attempts() - attempts, units() - units);
    }

    /** So many a second, whether or not they are done: how long a task waits for its worker. */
    private String paced(int perSecond, double raws) throws InterruptedException, ExecutionException {
        var count = (int) (perSecond * PACED.toSeconds());
        var attempts = attempts();
        var done = new ConcurrentLinkedQueue<Task>();
        var over = new AtomicBoolean();
        var begin = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var workers = IntStream.range(0, WORKERS)
                    .mapToObj(worker -> threads.submit(() -> {
                        while (!over.get() || done.size() < count) {
                            done.addAll(work(tasks(0), worker, Duration.ofSeconds(1)));
                        }
                        return null;
                    }))
                    .toList();
            var submitters = new ArrayList<Future<?>>();
            for (var i = 0; i < count; i++) {
                var due = begin + (long) (i * 1e9 / perSecond);
                while (System.nanoTime() - due < 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                submitters.add(threads.submit(() -> submit(tasks(0))));
            }
            for (var submitter : submitters) {
                submitter.get();
            }
            over.set(true);
            for (var worker : workers) {
                worker.get();
            }
        }
        var seconds = (System.nanoTime() - begin) / 1e9;
        var waits = done.stream()
                .mapToLong(
                        task -> Duration.between(task.submittedAt(), java.util.Objects.requireNonNull(task.startedAt()))
                                .toNanos())
                .toArray();
        var samples = new Samples(waits, Duration.ofNanos((long) (seconds * 1e9)), Duration.ZERO);
        return "| %d | %d s | %.0f | %.2f | %.0f ms | %.0f ms | %.3f |%n"
                .formatted(
                        perSecond,
                        PACED.toSeconds(),
                        done.size() / seconds,
                        done.size() / seconds / raws,
                        samples.percentileMillis(50),
                        samples.percentileMillis(95),
                        (double) (attempts() - attempts) / done.size());
    }

    private static Task submit(TasksInstance tasks) {
        return switch (tasks.submission().submit(ACCESS, SubmitTask.of(TYPE, PAYLOAD))) {
            case SubmitResult.Created(var task, var _) -> task;
            case SubmitResult other -> throw new IllegalStateException(other.toString());
        };
    }

    private static List<Task> work(TasksInstance tasks, int worker, Duration wait) {
        var claimed = tasks.protocol()
                .claim(ACCESS, new ClaimTasks(new WorkerId("worker-" + worker), List.of(TYPE), 1, wait, null));
        for (var task : claimed) {
            if (!(tasks.protocol().complete(ACCESS, task.id(), task.leaseToken(), null) instanceof TaskResult.Done)) {
                throw new IllegalStateException("not completed: " + task);
            }
        }
        return claimed;
    }

    private long attempts() {
        return IntStream.range(0, INSTANCES)
                .mapToLong(instance -> tasks(instance).protocol().claimCounts().attempts())
                .sum();
    }

    /** Write units as the table reports them. */
    private double units() {
        return instances.stream()
                .flatMap(instance ->
                        instance.getBean(MeterRegistry.class).find("menuboard.table.write.units").counters().stream())
                .mapToDouble(Counter::count)
                .sum();
    }

    static void together(List<Callable<Void>> work) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newFixedThreadPool(work.size())) {
            for (var ended : threads.invokeAll(work)) {
                ended.get();
            }
        }
    }

    @Override
    public void close() {
        instances.forEach(ApplicationContext::close);
        raw.close();
    }
}
