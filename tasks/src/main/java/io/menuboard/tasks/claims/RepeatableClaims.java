package io.menuboard.tasks.claims;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.IdempotencyKeys.Owner;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSight;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims that a worker may repeat where it did not hear the answer: it is given the same tasks. What was claimed is written
 * down under the worker's key before it is answered. Of two claims with one key at once, one writes it down; the other gives
 * back what it has, and answers that. An instance that dies in between leaves its claims to the end of their leases, as it
 * does without a key. Claims of one task and of several have keys of one kind. Thread-safe.
 */
final class RepeatableClaims {
    private static final Duration KEPT_FOR = Duration.ofDays(1);
    private static final String REASON = "claimed twice by one request";
    private static final Logger log = LoggerFactory.getLogger(RepeatableClaims.class);

    private final WorkerProtocol protocol;
    private final DynamoTasks store;
    private final IdempotencyKeys keys;
    private final InstantSource clock;

    RepeatableClaims(WorkerProtocol protocol, DynamoTasks store, IdempotencyKeys keys, InstantSource clock) {
        this.protocol = protocol;
        this.store = store;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * As {@link WorkerProtocol#claim(Access, ClaimTasks, PayloadBudget)}, once for each key of a principal and worker: a repetition
     * answers what is left of the first claim that found something, each task with its lease as it is, whatever the payloads come to
     * with those of other claims. So does one that finds nothing itself, because the first was quicker, once that is written down; until
     * then it answers none. One read unit and one write unit more, or two read units where there is none, two read units more for a
     * principal with an id, and one read unit for each task of a repetition.
     *
     * @throws InvalidInput {@code INVALID_ID}, or {@code IDEMPOTENCY_KEY_REUSED} where the key belongs to another claim: of other
     *     types, of another number, with another lease, or of one task
     */
    List<Task> claim(Access access, ClaimTasks claim, String idempotencyKey, PayloadBudget payloads) {
        var request = request(access, claim.worker(), idempotencyKey, body(claim));
        var before = held(request);
        before.ifPresent(tasks -> tasks.forEach(payloads::spend));
        return before.orElseGet(() -> {
            var claimed = protocol.claim(access, claim, payloads);
            return claimed.isEmpty() ? held(request).orElse(claimed) : answer(access, request, claimed);
        });
    }

    /**
     * As {@link WorkerProtocol#claim(Access, TaskId, WorkerId, Duration)}, once for each key of a principal and worker: a repetition
     * answers the task with its lease as it is. Where that lease has ended, it is {@link TaskResult.NotAllowed}, also where the task
     * could be claimed again, which takes another key; so may be one of two at once, until the other one is written down. Costs more as
     * {@link #claim(Access, ClaimTasks, String, PayloadBudget)} does.
     *
     * @throws InvalidInput {@code INVALID_ID}, or {@code IDEMPOTENCY_KEY_REUSED} where the key belongs to another claim: of another
     *     task, with another lease, or of several tasks
     */
    TaskResult claim(Access access, TaskId id, WorkerId worker, @Nullable Duration lease, String idempotencyKey) {
        var request = request(access, worker, idempotencyKey, body(id, lease));
        var before = held(request);
        if (before.isPresent()) {
            return result(access, id, before.get());
        }
        var claimed = protocol.claim(access, id, worker, lease);
        return switch (claimed) {
            case TaskResult.Done(var task) -> result(access, id, answer(access, request, List.of(task)));
            // The same request may have been quicker, and written it down since.
            case TaskResult.NotAllowed(var task, var _)
            when isWith(worker, task) ->
                held(request).map(held -> result(access, id, held)).orElse(claimed);
            case TaskResult.NotAllowed _, TaskResult.NotFound _, TaskResult.LeaseLost _ -> claimed;
        };
    }

    /** @param body tells apart claims with one key */
    private record Request(@Nullable String owner, WorkerId worker, String key, String body) {}

    private static Request request(Access access, WorkerId worker, String idempotencyKey, String body) {
        WorkerProtocol.requireWork(access, worker);
        Ids.check("idempotencyKey", idempotencyKey);
        return new Request(access.principal().id(), worker, worker + "#" + idempotencyKey, body);
    }

    /** Has time for it also where whoever asked has none left: a repetition is answered what is written down now. */
    private List<Task> answer(Access access, Request request, List<Task> claimed) {
        return Workload.current().withAtLeast(TaskQueue.PATIENCE).call(() -> written(access, request, claimed));
    }

    /** Writes down what was claimed, which is the answer unless another claim with that key was quicker. */
    private List<Task> written(Access access, Request request, List<Task> claimed) {
        var target = target(claimed);
        Owner owner;
        try {
            owner = keys.claim(
                    request.owner(),
                    request.key(),
                    target,
                    request.body(),
                    clock.instant().plus(KEPT_FOR));
        } catch (QueryDbException e) {
            // What was claimed must be answered.
            QueryDbException.warn(
                    log, e, "claim cannot be repeated: worker={} tasks={}", request.worker(), claimed.size());
            return claimed;
        }
        // The target is this claim's also where the write was made and its reply was lost.
        if (owner.target().equals(target)) {
            return claimed;
        }
        claimed.forEach(task -> giveBack(access, task));
        return held(owner, request);
    }

    private void giveBack(Access access, Task task) {
        try {
            protocol.release(access, task.id(), task.leaseToken(), REASON);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "task not given back, its lease must end first: task={}", task.id());
        }
    }

    /** What is left of the claim with that key; empty where there was none that found something. */
    private Optional<List<Task>> held(Request request) {
        return keys.find(request.owner(), request.key()).map(owner -> held(owner, request));
    }

    private List<Task> held(Owner owner, Request request) {
        if (!owner.body().equals(request.body())) {
            throw new InvalidInput("IDEMPOTENCY_KEY_REUSED", "idempotencyKey", "must be another one for another claim");
        }
        var tokens = tokens(owner.target());
        return store.findAll(List.copyOf(tokens.keySet())).stream()
                .filter(task -> isHeld(task, request.worker(), tokens))
                .toList();
    }

    private TaskResult result(Access access, TaskId id, List<Task> held) {
        if (!held.isEmpty()) {
            return new TaskResult.Done(held.getFirst());
        }
        return store.find(id, Consistency.STRONG)
                .filter(TaskSight.of(access, Permission.TASKS_WORK)::has)
                .<TaskResult>map(task -> new TaskResult.NotAllowed(
                        task,
                        "id must be of a task that the claim with this idempotencyKey still holds: another claim of it takes"
                                + " another key"))
                .orElseGet(() -> new TaskResult.NotFound(id));
    }

    private boolean isHeld(Task task, WorkerId worker, Map<TaskId, Integer> tokens) {
        var lease = task.lease();
        return lease != null
                && lease.worker().equals(worker)
                && tokens.getOrDefault(task.id(), 0) == lease.fencingToken()
                && lease.endsAt().isAfter(clock.instant());
    }

    private static boolean isWith(WorkerId worker, Task task) {
        var lease = task.lease();
        return lease != null && lease.worker().equals(worker);
    }

    /** Begins with no number, as those of claims of several tasks do. */
    private static String body(TaskId id, @Nullable Duration lease) {
        return "task#" + id + "#" + lease;
    }

    private static String body(ClaimTasks claim) {
        var types = claim.types().stream().map(Object::toString).sorted().collect(Collectors.joining("#"));
        return claim.max() + "#" + claim.lease() + "#" + types;
    }

    private static String target(List<Task> claimed) {
        return claimed.stream().map(task -> task.id() + " " + task.token()).collect(Collectors.joining(","));
    }

    private static Map<TaskId, Integer> tokens(String target) {
        var tokens = new LinkedHashMap<TaskId, Integer>();
        for (var part : target.split(",", -1)) {
            var idAndToken = part.split(" ", 2);
            tokens.put(new TaskId(idAndToken[0]), Integer.valueOf(idAndToken[1]));
        }
        return tokens;
    }
}
