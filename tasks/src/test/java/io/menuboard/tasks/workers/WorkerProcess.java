package io.menuboard.tasks.workers;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Lease;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A worker in a process of its own, which tests stop and kill. What it has to say, it prints, a line each. */
final class WorkerProcess implements AutoCloseable {
    private static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final Writer input;
    private volatile boolean killed;

    private WorkerProcess(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName()));
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::listen);
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    private void listen() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            if (!killed) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** One that claims a task for two seconds, says so, and then waits to be told what to do with it. */
    static WorkerProcess holding(TableDefinition table, TaskId task) {
        return new WorkerProcess("hold", endpoint(), table.name(), task.value());
    }

    /** One that works on tasks until it is killed, and says its name when it begins the first. */
    static WorkerProcess working(TableDefinition table, Duration clockIsOff) {
        return new WorkerProcess("work", endpoint(), table.name(), clockIsOff.toString());
    }

    private static String endpoint() {
        return LocalDynamoDb.shared().endpoint().toString();
    }

    /** Waits for the next line. */
    String says() {
        return says(PATIENCE).orElseThrow(() -> new IllegalStateException("the worker says nothing: " + process));
    }

    /** Waits for the next line, as long as that. */
    Optional<String> says(Duration patience) {
        try {
            return Optional.ofNullable(output.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    void tell(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** STOP and CONT, which Java cannot send. */
    void signal(String signal) throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("kill -" + signal + " failed");
        }
    }

    /** Ends it between two instructions of whatever it does: SIGKILL. */
    @Override
    public void close() {
        killed = true;
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var off = args[0].equals("work") ? Duration.parse(args[3]) : Duration.ZERO;
        var clock = new TableClock(Clock.offset(Clock.systemUTC(), off));
        var client = DynamoDbClient.builder()
                .endpointOverride(URI.create(args[1]))
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClient(ApacheHttpClient.create())
                .overrideConfiguration(
                        QueryDb.clientOverrides().addExecutionInterceptor(clock).build())
                .build();
        var db = new QueryDb(
                TableDefinition.menuboard(args[2]),
                clock,
                new Requests(new Bulkhead(client, RetryPolicy.standard(), 8), Meter.NONE),
                FreshTable.CURSOR_KEY);
        if (args[0].equals("work")) {
            var config = TaskSettings.QUICK.lease(TasksFixture.LEASE_OF_PROCESSES);
            work(db, TasksFixture.tasks(db, clock, config));
        } else {
            hold(TasksFixture.tasks(db, clock, TaskSettings.QUICK), new TaskId(args[3]));
        }
    }

    private static void work(QueryDb db, TasksInstance tasks) throws InterruptedException {
        var begun = new AtomicBoolean();
        TaskHandler handler = run -> {
            var task = run.task();
            if (!begun.getAndSet(true)) {
                System.out.println(task.worker());
            }
            // The side effect, once for each attempt: a second one would fail here.
            db.save(
                    Item.at(execution(task.id(), task.attempt()))
                            .type("execution")
                            .string("worker", String.valueOf(task.worker()))
                            .string("nonce", UUID.randomUUID().toString())
                            .build(),
                    SaveMode.INIT);
            return null;
        };
        try (var workers = WorkersFixture.workers(tasks, new TaskWork(TasksFixture.PRINT, THREADS, handler))) {
            workers.start();
            Thread.currentThread().join();
        }
    }

    /** What a worker leaves behind that did that attempt of the task. */
    static Key execution(TaskId task, int attempt) {
        return new Key("EXECUTIONS#" + task, "%04d".formatted(attempt));
    }

    private static void hold(TasksInstance tasks, TaskId id) throws IOException {
        var actor = TasksFixture.WORKER;
        var claimed = tasks.protocol().claim(actor, id, new WorkerId("held"), Duration.ofSeconds(2));
        System.out.println(claimed.getClass().getSimpleName());
        var token = claimed instanceof TaskResult.Done(var task) ? task.leaseToken() : Lease.Token.NONE;
        var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var order = orders.readLine(); order != null; order = orders.readLine()) {
            var result =
                    switch (order) {
                        case "complete" -> tasks.protocol().complete(actor, id, token, Json.of("late"));
                        case "fail" -> tasks.protocol().fail(actor, id, token, "late", true);
                        case "release" -> tasks.protocol().release(actor, id, token, "late");
                        case "extend" ->
                            tasks.protocol().extend(actor, id, token, null, new TaskProgress(1, 2L, "late"));
                        default -> throw new IllegalArgumentException(order);
                    };
            System.out.println(result.getClass().getSimpleName());
        }
    }
}
