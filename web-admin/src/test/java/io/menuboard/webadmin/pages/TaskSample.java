package io.menuboard.webadmin.pages;

import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskPriority;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.workers.TaskWorkers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Tasks in every state that the pages must cope with, on a server of their own. Tests add tasks of types of their own.
 *
 * @param pending one of a hostile type
 * @param running held by {@link #PRINTER}, with progress
 * @param longHistory of {@value #LONG_HISTORY} events
 * @param operation a long operation of the application that is running
 */
public record TaskSample(
        PagesServer server,
        TaskId pending,
        TaskId scheduled,
        TaskId running,
        TaskId completed,
        TaskId dead,
        TaskId cancelled,
        TaskId longHistory,
        TaskId operation) {
    /** Of tests that change what others list. */
    public static final String LOCK = "sample of tasks";

    static final Access STAFF = CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE));
    static final Access CLIENT =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "till 7", Actor.Source.GRAPHQL));
    static final Access WORKER =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "printers", Actor.Source.WORKER));

    /** More than a page of them is pending, and as many are completed. */
    public static final TaskType MANY = new TaskType("menus.publish");

    public static final int MANY_COUNT = 150;
    public static final TaskType HOSTILE = new TaskType(PriceSample.ATTACK);
    static final TaskType LONG = new TaskType("warehouse.replenishment.forecast.recalculation.all-regions.v1");
    static final TaskType PRINT = new TaskType("labels.print");
    static final TaskType IMPORT = new TaskType("menuboard.import");
    static final WorkerId PRINTER = new WorkerId("printer-2");
    static final WorkerId HOSTILE_WORKER = new WorkerId(PriceSample.ATTACK);
    public static final String KEY = "order-4711";
    public static final String IMPORT_ID = "0123456789abcdef";
    public static final int LONG_HISTORY = 81;

    private static final List<TaskPriority> PRIORITIES =
            List.of(TaskPriority.LOW, TaskPriority.NORMAL, TaskPriority.HIGH);
    private static final Duration LONG_LEASE = Duration.ofHours(1);

    /** Made at the first call, never stopped. */
    public static TaskSample shared() {
        return Shared.INSTANCE;
    }

    private static TaskSample start() {
        var server = PagesServer.start("task-pages");
        var tasks = TasksInstance.of(server::bean);
        many(tasks);
        submit(tasks, SubmitTask.of(LONG, Json.EMPTY));
        var pending = submit(
                tasks,
                SubmitTask.of(HOSTILE, Json.of(Map.of("note", PriceSample.ATTACK)))
                        .priority(TaskPriority.URGENT));
        var scheduled = submit(
                tasks,
                SubmitTask.of(new TaskType("reports.weekly"), Json.EMPTY)
                        .notBefore(tasks.reads().now().plus(Duration.ofDays(3))));
        var cancelled = submit(tasks, SubmitTask.of(new TaskType("orders.resend"), Json.EMPTY));
        done(tasks.administration().cancel(STAFF, cancelled, PriceSample.ATTACK));
        return new TaskSample(
                server,
                pending,
                scheduled,
                running(tasks),
                completed(tasks),
                dead(tasks),
                cancelled,
                longHistory(tasks),
                operation(server));
    }

    private static void many(TasksInstance tasks) {
        var done = new TaskType("menus.published");
        ids(tasks.submission()
                .submit(
                        CLIENT,
                        IntStream.range(0, MANY_COUNT)
                                .mapToObj(number -> SubmitTask.of(done, Json.EMPTY))
                                .toList()));
        for (var left = MANY_COUNT; left > 0; ) {
            var claimed = claim(tasks, done, new WorkerId("publisher-1"), 50);
            claimed.parallelStream()
                    .forEach(task -> done(tasks.protocol().complete(WORKER, task.id(), task.leaseToken(), null)));
            left -= claimed.size();
        }
        ids(tasks.submission()
                .submit(
                        CLIENT,
                        IntStream.range(0, MANY_COUNT)
                                .mapToObj(number -> SubmitTask.of(MANY, Json.of(Map.of("store", number)))
                                        .priority(PRIORITIES.get(number % PRIORITIES.size())))
                                .toList()));
    }

    private static TaskId running(TasksInstance tasks) {
        submit(tasks, SubmitTask.of(PRINT, Json.of(Map.of("store", "DE-0001", "copies", 40))));
        var task = claim(tasks, PRINT, PRINTER, 1).getFirst();
        done(tasks.protocol()
                .extend(
                        WORKER,
                        task.id(),
                        task.leaseToken(),
                        LONG_LEASE,
                        new TaskProgress(12, 40L, "printing <b>aisle</b> 3")));
        var urgent = new TaskType("hostile.held");
        submit(tasks, SubmitTask.of(urgent, Json.EMPTY));
        claim(tasks, urgent, HOSTILE_WORKER, 1);
        return task.id();
    }

    /** With an idempotency key and a result that is too long to be kept in the item. */
    private static TaskId completed(TasksInstance tasks) {
        var type = new TaskType("prices.export");
        submit(
                tasks,
                SubmitTask.of(type, Json.of(Map.of("stores", List.of("DE-0001", "JP-0001"))))
                        .idempotencyKey(KEY));
        var task = claim(tasks, type, new WorkerId("exporter-1"), 1).getFirst();
        var result = Json.of(Map.of("rows", IntStream.range(0, 200).boxed().toList(), "note", PriceSample.ATTACK));
        done(tasks.protocol().complete(WORKER, task.id(), task.leaseToken(), result));
        return task.id();
    }

    private static TaskId dead(TasksInstance tasks) {
        var type = new TaskType("mail.send");
        submit(tasks, SubmitTask.of(type, Json.of(Map.of("to", "nobody@example.com"))));
        var task = claim(tasks, type, new WorkerId("mailer-1"), 1).getFirst();
        done(tasks.protocol().fail(WORKER, task.id(), task.leaseToken(), "no such address: " + "x".repeat(300), false));
        return task.id();
    }

    private static TaskId longHistory(TasksInstance tasks) {
        var id = submit(tasks, SubmitTask.of(new TaskType("labels.sort"), Json.EMPTY));
        for (var i = 0; i < LONG_HISTORY / 2; i++) {
            var claimed = done(tasks.protocol().claim(WORKER, id, PRINTER, LONG_LEASE));
            done(tasks.protocol().release(WORKER, id, claimed.leaseToken(), "out of paper"));
        }
        return id;
    }

    /** Goes on until it is cancelled. */
    private static TaskId operation(PagesServer server) {
        var begun = new CompletableFuture<TaskId>();
        var command = SubmitTask.of(IMPORT, Json.of(Map.of("import", IMPORT_ID)));
        Thread.startVirtualThread(() -> server.bean(TaskWorkers.class).perform(STAFF, command, run -> {
            run.progress(new TaskProgress(2_000, 8_000L, "prices.csv"));
            begun.complete(run.task().id());
            new CountDownLatch(1).await();
            return null;
        }));
        var id = begun.join();
        var tasks = TasksInstance.of(server::bean);
        await().until(() -> tasks.reads().find(STAFF, id).orElseThrow().progress() != null);
        return id;
    }

    public TasksInstance tasks() {
        return TasksInstance.of(server::bean);
    }

    /** New pending tasks of a type. */
    public List<TaskId> submit(TaskType type, int count) {
        return ids(tasks().submission()
                .submit(
                        CLIENT,
                        IntStream.range(0, count)
                                .mapToObj(number -> SubmitTask.of(type, Json.of(Map.of("number", number))))
                                .toList()));
    }

    /** The same, dead. */
    public List<TaskId> dead(TaskType type, int count) {
        var submitted = submit(type, count);
        for (var left = count; left > 0; ) {
            var claimed = claim(tasks(), type, new WorkerId("worker-of-" + type), left);
            for (var task : claimed) {
                done(tasks().protocol().fail(WORKER, task.id(), task.leaseToken(), "broken", false));
            }
            left -= claimed.size();
        }
        return submitted;
    }

    /** The same, with a worker that keeps them for an hour. */
    public void running(TaskType type, int count) {
        submit(type, count);
        for (var left = count; left > 0; ) {
            left -= claim(tasks(), type, new WorkerId("worker-of-" + type), left)
                    .size();
        }
    }

    /** Has a pending task done. */
    public void complete(TaskType type) {
        var task = claim(tasks(), type, new WorkerId("worker-of-" + type), 1).getFirst();
        done(tasks().protocol().complete(WORKER, task.id(), task.leaseToken(), Json.EMPTY));
    }

    private static List<Task> claim(TasksInstance tasks, TaskType type, WorkerId worker, int max) {
        return tasks.protocol()
                .claim(WORKER, new ClaimTasks(worker, List.of(type), max, Duration.ofSeconds(10), LONG_LEASE));
    }

    private static TaskId submit(TasksInstance tasks, SubmitTask command) {
        return ids(List.of(tasks.submission().submit(CLIENT, command))).getFirst();
    }

    private static List<TaskId> ids(List<SubmitResult> results) {
        return results.stream()
                .map(result -> switch (result) {
                    case SubmitResult.Created(var task, var _) -> task.id();
                    default -> throw new IllegalStateException("not submitted: " + result);
                })
                .toList();
    }

    private static Task done(TaskResult result) {
        if (result instanceof TaskResult.Done(var task)) {
            return task;
        }
        throw new IllegalStateException("not done: " + result);
    }

    /** Addresses of every kind of page of tasks, in every state that looks different. */
    public List<String> pages() {
        return List.of(
                "/tasks?first=16",
                "/tasks?status=SCHEDULED",
                "/tasks?status=RUNNING",
                "/tasks?status=DEAD&type=mail.send",
                "/tasks?status=CANCELLED&type=nothing.like-this",
                "/tasks?submittedFrom=2026-03-02T00:00&submittedBefore=2026-03-01T00:00",
                "/tasks?after=forged",
                page(pending()),
                page(scheduled()),
                page(running()),
                page(completed()),
                page(dead()),
                page(cancelled()) + "?did=cancel",
                page(longHistory()) + "?last=16",
                page(running()) + "/cancel",
                page(running()) + "/reassign",
                page(dead()) + "/retry",
                "/tasks/workers?first=16",
                "/tasks/workers/printer-2",
                "/tasks/workers/mailer-1",
                "/tasks/bulk?action=RETRY&status=DEAD&type=mail.send",
                "/tasks/bulk?action=CANCEL&type=nothing.like-this",
                "/operations",
                "/tasks/nonsense");
    }

    public static String page(TaskId id) {
        return "/tasks/" + id;
    }

    private static final class Shared {
        static final TaskSample INSTANCE = start();
    }
}
