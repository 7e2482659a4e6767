package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.mutation;
import static io.menuboard.tasks.TasksInput.worker;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.UserError;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Lease;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queries about workers, and their mutations, of {@code tasks.graphqls} to use cases. */
final class ClaimsGraphQl implements GraphQlModule {
    private static final String WAITS_END = ClaimsGraphQl.class.getName() + ".waitsEnd";
    private static final String PAYLOADS = ClaimsGraphQl.class.getName() + ".payloads";

    private final WorkerProtocol protocol;
    private final RepeatableClaims repeatable;
    private final WorkerReads workers;

    ClaimsGraphQl(WorkerProtocol protocol, RepeatableClaims repeatable, WorkerReads workers) {
        this.protocol = protocol;
        this.repeatable = repeatable;
        this.workers = workers;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("worker", args -> workers.find(
                        args.access(), Arguments.named("id", () -> new WorkerId(args.key("id", "Worker"))))
                .orElse(null));
        parts.query("workers", args -> workers.list(args.access(), args.page()));
        parts.node(
                        "Worker",
                        WorkerStatus.class,
                        ClaimsGraphQl::key,
                        SchemaParts.NodeReader.of(WorkerId::new, workers::findAll, ClaimsGraphQl::key))
                .field("key", ClaimsGraphQl::key)
                .field("firstSeenAt", WorkerStatus::firstSeen)
                .field("lastSeenAt", WorkerStatus::lastSeen)
                .batch("tasks", (all, args) -> workers.held(args.access(), all, args.page()));
        parts.<Object>mutation("claimTasks", this::claimTasks);
        mutation(parts, "claimTask", this::claimTask);
        mutation(
                parts,
                "extendLease",
                args -> protocol.extend(args.access(), id(args), token(args), lease(args), progress(args)));
        mutation(parts, "completeTask", args -> {
            var result = args.find("result");
            return protocol.complete(
                    args.access(), id(args), token(args), result == null ? null : Json.of("result", result));
        });
        mutation(
                parts,
                "failTask",
                args -> protocol.fail(
                        args.access(), id(args), token(args), args.text("reason"), args.get("retryable", true)));
        mutation(
                parts,
                "releaseTask",
                args -> protocol.release(args.access(), id(args), token(args), args.find("reason")));
    }

    private static String key(WorkerStatus status) {
        return status.worker().value();
    }

    private TaskResult claimTask(Arguments args) {
        String key = args.find("idempotencyKey");
        var result = key == null
                ? protocol.claim(args.access(), id(args), worker(args), lease(args))
                : repeatable.claim(args.access(), id(args), worker(args), lease(args), key);
        if (result instanceof TaskResult.Done(var task)) {
            payloads(args).spend(task);
        }
        return result;
    }

    private PayloadBudget payloads(Arguments args) {
        return args.shared(PAYLOADS, protocol::payloadBudget);
    }

    record ClaimTasksPayload(List<Task> tasks, List<UserError> errors) {}

    /** Lets a claim that may have to wait do so on a thread of its own, so that the request's thread is free meanwhile. */
    private Object claimTasks(Arguments args) {
        WorkerProtocol.requireWork(args.access(), worker(args));
        return args.number("waitSeconds") > 0 ? args.await(() -> claim(args)) : claim(args);
    }

    private ClaimTasksPayload claim(Arguments args) {
        var claim = new ClaimTasks(worker(args), types(args), args.get("max", 1), wait(args), lease(args));
        String key = args.find("idempotencyKey");
        var claimed = key == null
                ? protocol.claim(args.access(), claim, payloads(args))
                : repeatable.claim(args.access(), claim, key, payloads(args));
        return new ClaimTasksPayload(claimed, List.of());
    }

    private static List<TaskType> types(Arguments args) {
        List<String> names = args.get("types", List.of());
        return IntStream.range(0, names.size())
                .mapToObj(i -> Arguments.at("types." + i, () -> {
                    var type = new TaskType(names.get(i));
                    type.requireClients("type");
                    return type;
                }))
                .toList();
    }

    /** As long as was asked for, but not longer than the first claim of this request might have waited. */
    private Duration wait(Arguments args) {
        var asked = Duration.ofSeconds(args.number("waitSeconds"));
        var maxWait = protocol.maxWait();
        long end = args.shared(WAITS_END, () -> System.nanoTime() + maxWait.toNanos());
        var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        return asked.compareTo(maxWait) <= 0 && asked.compareTo(left) > 0 ? left : asked;
    }

    /** Either is optional for the schema alone: without both, it is a token that no lease has. */
    private static Lease.Token token(Arguments args) {
        String token = args.find("leaseToken");
        return token == null ? Lease.Token.ofEarlierVersion(args.number("fencingToken")) : Lease.Token.parse(token);
    }

    private static @Nullable Duration lease(Arguments args) {
        Integer seconds = args.find("leaseSeconds");
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    private static @Nullable TaskProgress progress(Arguments args) {
        Map<String, Object> progress = args.find("progress");
        return progress == null
                ? null
                : Arguments.within(
                        "progress",
                        () -> TaskProgress.reported(
                                progress.get("done") instanceof Long done ? done : 0,
                                (Long) progress.get("total"),
                                (String) progress.get("message")));
    }
}
