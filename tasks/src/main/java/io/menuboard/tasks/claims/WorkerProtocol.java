package io.menuboard.tasks.claims;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.Consistency;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Lease;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSight;
import io.menuboard.tasks.TaskSteps;
import io.menuboard.tasks.TaskTransition;
import io.menuboard.tasks.TaskTransition.Step;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Operations of workers on tasks: claim them, extend their leases, and end them. Thread-safe.
 *
 * <p>A task is done at least once, and its steps happen exactly once: a claim is one conditional write that one worker
 * wins, and every step of that worker shows its lease's token, which no other claim has, and nobody else can guess. A worker with side effects must
 * make them so that doing them twice does no harm, or give the fencing token along.
 *
 * <p>All of it takes {@link Permission#TASKS_WORK}. Where that is for one worker, claims for another one are {@link Denied}, and a task
 * that this worker does not hold has no lease that it could lose: whatever is asked of it is {@link TaskResult.LeaseLost}, without
 * the task, as it is of a task that there is not.
 *
 * <p>All instants are server time.
 */
public final class WorkerProtocol {
    private static final Duration OTHER_VERSION_PAUSE = Duration.ofSeconds(30);

    private final DynamoTasks store;
    private final TaskQueue queue;
    private final WorkerPresence presence;
    private final ReservedTasks reserved;
    private final TaskSteps steps;
    private final TaskLimits limits;
    private final ClaimsConfig config;

    /** True if it takes Menuboard's own operations, too. */
    private final boolean operations;

    WorkerProtocol(
            DynamoTasks store,
            TaskQueue queue,
            WorkerPresence presence,
            TaskSteps steps,
            TaskLimits limits,
            ClaimsConfig config) {
        this.store = store;
        this.queue = queue;
        this.presence = presence;
        this.reserved = new ReservedTasks(store, queue, presence);
        this.steps = steps;
        this.limits = limits;
        this.config = config;
        this.operations = false;
    }

    private WorkerProtocol(WorkerProtocol clients) {
        store = clients.store;
        queue = clients.queue;
        presence = clients.presence;
        reserved = clients.reserved;
        steps = clients.steps;
        limits = clients.limits;
        config = clients.config;
        operations = true;
    }

    /**
     * The same for workers in this process, who may have Menuboard's own operations: no {@code RESERVED_TYPE}, no
     * task that is kept for a worker, and waiting claims, which are not counted, poll every
     * {@code menuboard.tasks.operation-poll-interval} for tasks that came another way.
     */
    public WorkerProtocol withOperations() {
        return new WorkerProtocol(this);
    }

    /**
     * Claims one task for a worker. One read unit and three write units.
     *
     * @param lease how long the claim is to last; null for the configured time
     * @return {@link TaskResult.NotAllowed} where it is not pending any more, or kept for another worker; or
     *     {@link TaskResult.NotFound} then, where the permission is for one worker, and the task was another's
     * @throws InvalidInput {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     * @throws Denied where the permission is for other workers
     */
    public TaskResult claim(Access access, TaskId id, WorkerId worker, @Nullable Duration lease) {
        requireWorker(access, worker);
        var sight = sight(access);
        var duration = lease(lease);
        presence.recordHeartbeat(worker);
        return store.find(id, Consistency.STRONG)
                .filter(task -> sight.isAll() || !task.type().isOperation())
                .map(task -> {
                    requireReach("id", task.type());
                    return queue.attempt(task, worker, duration, access.actor())
                            .<TaskResult>map(claimed -> {
                                steps.claimed(claimed);
                                return new TaskResult.Done(claimed);
                            })
                            .orElseGet(() -> {
                                var current = store.find(id, Consistency.STRONG).orElse(task);
                                return sight.has(current)
                                        ? new TaskResult.NotAllowed(
                                                current, "id must be a pending task, which " + id + " is not")
                                        : new TaskResult.NotFound(id);
                            });
                })
                .orElseGet(() -> new TaskResult.NotFound(id));
    }

    /**
     * Claims tasks of some types for a worker, waiting for the first one up to the given time (at most
     * {@code menuboard.tasks.max-wait}) where there is none. A task that is submitted through this instance is handed to
     * a waiting claim at once, one that came another way within {@code menuboard.tasks.poll-interval}.
     *
     * <p>Highest priority first, then oldest, over all shards, among the tasks that were in the index not longer than a
     * second ago and those that came in here since. Where two instances go about the same tasks, the one that loses a
     * claim goes about its next 256 in an order of its own.
     *
     * <p>Each claimed task costs three write units, and one read unit per 4 KB of a payload of more than 300 bytes. A
     * read of the index costs half a read unit for each shard of each type, or per 4 KB of what it finds.
     *
     * @return at most so many, each with its lease and its payload; fewer where the payloads might come to more than 8 MB; empty
     *     where there was none
     * @throws InvalidInput {@code INVALID_MAX}, {@code INVALID_WAIT}, {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for
     *     Menuboard's own operations
     * @throws Denied where the permission is for other workers
     */
    public List<Task> claim(Access access, ClaimTasks claim) {
        return claim(access, claim, payloadBudget());
    }

    /** For the claims of one request. */
    PayloadBudget payloadBudget() {
        return new PayloadBudget(limits.maxPayloadBytes());
    }

    /** The same as one of several claims of a request. */
    List<Task> claim(Access access, ClaimTasks claim, PayloadBudget payloads) {
        requireWorker(access, claim.worker());
        claim.types().forEach(type -> requireReach("types", type));
        if (claim.max() > config.maxClaim()) {
            throw new InvalidInput("INVALID_MAX", "max", "must be at most " + config.maxClaim());
        }
        if (claim.types().size() > limits.maxTypes()) {
            throw new InvalidInput(
                    "INVALID_TYPES", "types", "must name at most " + limits.maxTypes() + " types of tasks");
        }
        if (claim.maxWait().compareTo(maxWait()) > 0) {
            throw new InvalidInput(
                    "INVALID_WAIT",
                    "waitSeconds",
                    "must be at most " + maxWait().toSeconds());
        }
        var actor = access.actor();
        var lease = lease(claim.lease());
        var claimed = queue.claim(
                claim,
                lease,
                operations,
                actor,
                payloads,
                () -> reserved.claim(claim, lease, operations, actor, payloads));
        claimed.forEach(steps::claimed);
        return claimed;
    }

    /** Length of a lease when the worker does not name one. */
    public Duration lease() {
        return config.lease();
    }

    /** Most tasks of one claim. */
    public int maxClaim() {
        return config.maxClaim();
    }

    /** Longest that a claim may wait: one for operations as long as four polls, whatever clients may. */
    public Duration maxWait() {
        return operations ? config.operationPollInterval().multipliedBy(4) : config.maxWait();
    }

    /** Conditional writes that claims needed in this instance so far, and how many of them won their task. */
    public ClaimCounts claimCounts() {
        return new ClaimCounts(queue.attempts(), queue.wins());
    }

    /** See {@link #claimCounts}. */
    public record ClaimCounts(long attempts, long wins) {}

    private Duration lease(@Nullable Duration asked) {
        if (asked == null) {
            return config.lease();
        }
        if (asked.toMillis() < 1 || asked.compareTo(config.maxLease()) > 0) {
            throw new InvalidInput(
                    "INVALID_LEASE",
                    "leaseSeconds",
                    "must be positive and at most " + config.maxLease().toSeconds());
        }
        return asked;
    }

    /**
     * Lets a lease last so long from now, and reports progress. Three write units.
     *
     * @param lease null for the configured time
     * @param progress null to leave it as it is
     * @throws InvalidInput {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult extend(
            Access access, TaskId id, Lease.Token token, @Nullable Duration lease, @Nullable TaskProgress progress) {
        var sight = sight(access);
        var proof = proof(sight, token);
        var now = steps.now();
        var changed = store.extend(id, proof, now, now.plus(lease(lease)), progress, operations);
        if (changed instanceof Changed.Refused(var current) && sight.has(current)) {
            requireReach("id", current.type());
        }
        return result(sight, id, proof, changed, null);
    }

    /**
     * The work is done. Three write units, and one per KB of a result of more than 300 bytes. Saying so again is the same
     * as saying it once.
     *
     * @throws InvalidInput {@code RESULT_TOO_LARGE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult complete(Access access, TaskId id, Lease.Token token, @Nullable Json result) {
        if (result != null && result.bytes() > limits.maxPayloadBytes()) {
            throw new InvalidInput(
                    "RESULT_TOO_LARGE", "result", "must have at most " + limits.maxPayloadBytes() + " bytes of JSON");
        }
        return end(access, id, token, Kind.COMPLETED, null, (task, step) -> task.complete(result, step));
    }

    /**
     * The work could not be done. The task is tried again after a pause that doubles with each failure, until it has
     * failed as often as it may; then, or where trying again is no use, it is dead. Three write units.
     *
     * @param reason for people; 1 to {@value TaskEvent#MAX_REASON} characters
     * @param retryable whether another attempt may succeed
     * @throws InvalidInput {@code INVALID_REASON}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult fail(Access access, TaskId id, Lease.Token token, String reason, boolean retryable) {
        return end(access, id, token, Kind.FAILED, reason, (task, step) -> steps.failure(task, retryable, step));
    }

    /**
     * Gives the task back undone, which is no failure. Three write units.
     *
     * @throws InvalidInput {@code INVALID_REASON}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult release(Access access, TaskId id, Lease.Token token, @Nullable String reason) {
        return end(access, id, token, Kind.RELEASED, reason, (task, step) -> task.release(null, step));
    }

    /** As {@link #release}, half a minute before anybody may claim it: for an instance of another version to have it. */
    public TaskResult releaseToOtherVersion(Access access, TaskId id, Lease.Token token, String reason) {
        return end(
                access,
                id,
                token,
                Kind.RELEASED,
                reason,
                (task, step) -> task.release(step.at().plus(OTHER_VERSION_PAUSE), step));
    }

    /** Ends every wait of a claim: from then on nothing is claimed, and what was claimed is still answered. */
    public void stopWaiting() {
        queue.close();
    }

    private TaskResult end(
            Access access,
            TaskId id,
            Lease.Token token,
            Kind kind,
            @Nullable String reason,
            BiFunction<Task.Running, Step, TaskTransition> ending) {
        var sight = sight(access);
        TaskEvent.checkReason(reason);
        // The lease must be this one, so what was read when it began still holds: only its end changes the failures.
        var proof = proof(sight, token);
        var task = steps.held(id, token.fencingToken()).filter(sight::has);
        if (task.isEmpty()) {
            return result(sight, id, proof, new Changed.Absent(), kind);
        }
        requireReach("id", task.get().type());
        var changed = task.get() instanceof Task.Running running && proof.isOf(running.leaseToken())
                ? steps.save(ending.apply(running, steps.step(kind, access.actor(), running.worker(), reason)))
                : new Changed.Refused(task.get());
        return result(sight, id, proof, changed, kind);
    }

    private Lease.Proof proof(TaskSight sight, Lease.Token token) {
        return new Lease.Proof(token, config.acceptFencingTokens(), sight.workers());
    }

    private static TaskSight sight(Access access) {
        return TaskSight.of(access, Permission.TASKS_WORK);
    }

    static void requireWork(Access access, WorkerId worker) {
        access.require(Permission.TASKS_WORK, Scope.Kind.WORKER, worker.value());
    }

    private void requireWorker(Access access, WorkerId worker) {
        requireWork(access, worker);
        if (!operations) {
            worker.requireClients("worker");
        }
    }

    private void requireReach(String field, TaskType type) {
        if (!operations) {
            type.requireClients(field);
        }
    }

    /** @param kind how the lease was to end; where it has ended so already, this was said before */
    private static TaskResult result(
            TaskSight sight, TaskId id, Lease.Proof proof, Changed changed, @Nullable Kind kind) {
        return switch (changed) {
            // Where the lease was to end, somebody else may have another one by now.
            case Changed.Made(var task) -> new TaskResult.Done(kind == null ? task : task.withoutToken());
            case Changed.Refused(var current) when !sight.has(current) -> new TaskResult.LeaseLost(id, null);
            case Changed.Refused(var current) ->
                kind != null
                                && proof.isOf(current.leaseToken())
                                && current.hasEnded(proof.token().fencingToken(), kind)
                        ? new TaskResult.Done(current)
                        : new TaskResult.LeaseLost(id, current);
            case Changed.Absent() when !sight.isAll() -> new TaskResult.LeaseLost(id, null);
            case Changed.Absent() -> new TaskResult.NotFound(id);
            case Changed.Unreadable(var why) -> throw why;
        };
    }
}
