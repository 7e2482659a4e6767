package io.menuboard.tasks.claims;

import io.menuboard.access.Access;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.IdempotencyKeys.Owner;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims that a worker may repeat where it did not hear the answer: it is given the same tasks. What was claimed is written
 * down under the worker's key before it is answered. Of two claims with one key at once, one writes it down; the other gives
 * back what it has, and answers that. An instance that dies in between leaves its claims to the end of their leases, as it
 * does without a key. Thread-safe.
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
     * As {@link WorkerProtocol#claim(Access, ClaimTasks)}, once for each key of a principal and worker: a repetition answers what is left of
     * the first claim that found something, each task with its lease as it is. One read unit and one write unit more, two read units more
     * for a principal with an id, and one
     * read unit for each task of a repetition.
     *
     * @throws InvalidInput {@code INVALID_ID}, or {@code IDEMPOTENCY_KEY_REUSED} where the key belongs to a claim of other
     *     types, of another number or with another lease
     */
    List<Task> claim(Access access, ClaimTasks claim, String idempotencyKey) {
        WorkerProtocol.requireWork(access, claim.worker());
        Ids.check("idempotencyKey", idempotencyKey);
        var key = claim.worker() + "#" + idempotencyKey;
        var before = keys.find(access.principal().id(), key);
        if (before.isPresent()) {
            return held(before.get(), claim);
        }
        var claimed = protocol.claim(access, claim);
        if (claimed.isEmpty()) {
            return claimed;
        }
        var target = target(claimed);
        Owner owner;
        try {
            owner = keys.claim(
                    access.principal().id(),
                    key,
                    target,
                    body(claim),
                    clock.instant().plus(KEPT_FOR));
        } catch (QueryDbException e) {
            // What was claimed must be answered.
            QueryDbException.warn(
                    log, e, "claim cannot be repeated: worker={} tasks={}", claim.worker(), claimed.size());
            return claimed;
        }
        // The target is this claim's also where the write was made and its reply was lost.
        if (owner.target().equals(target)) {
            return claimed;
        }
        claimed.forEach(task -> giveBack(access, task));
        return held(owner, claim);
    }

    private void giveBack(Access access, Task task) {
        try {
            protocol.release(access, task.id(), task.leaseToken(), REASON);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "task not given back, its lease must end first: task={}", task.id());
        }
    }

    private List<Task> held(Owner owner, ClaimTasks claim) {
        if (!owner.body().equals(body(claim))) {
            throw new InvalidInput("IDEMPOTENCY_KEY_REUSED", "idempotencyKey", "must be another one for another claim");
        }
        var tokens = tokens(owner.target());
        return store.findAll(List.copyOf(tokens.keySet())).stream()
                .filter(task -> isHeld(task, claim.worker(), tokens))
                .toList();
    }

    private static boolean isHeld(Task task, WorkerId worker, Map<TaskId, Integer> tokens) {
        var lease = task.lease();
        return lease != null
                && lease.worker().equals(worker)
                && tokens.getOrDefault(task.id(), 0) == lease.fencingToken();
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
