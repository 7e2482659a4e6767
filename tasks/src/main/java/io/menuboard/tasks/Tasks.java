package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Turns;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.DynamoTasks.Step;
import io.menuboard.tasks.TaskCounts.Count;
import io.menuboard.tasks.TaskEvent.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use cases of the task queue. Thread-safe. What a caller can do something about is a {@link TaskResult} or a
 * {@link SubmitResult}; input that breaks a rule throws {@link InvalidInput} and changes nothing.
 *
 * <p>A task is done at least once, and its steps happen exactly once: a claim is one conditional write that one worker
 * wins, and every step of that worker shows its fencing token, which no later claim has. Whoever makes side effects must
 * make them so that doing them twice does no harm, or give the token along.
 *
 * <p>All instants are by the clock of the table, which instances agree on.
 */
public final class Tasks {
    /** Longest reason, in characters. */
    public static final int MAX_REASON = 500;

    private static final Actor SYSTEM = new Actor(Actor.Kind.SYSTEM, "menuboard", Actor.Source.SCHEDULER);
    private static final int SUBMITTED_AT_ONCE = 32;
    private static final int HASH_CHARS = 32;
    private static final Duration BETWEEN_SIGHTS = Duration.ofSeconds(5);
    private static final Duration BETWEEN_NOTES = Duration.ofSeconds(60);
    private static final int NOTED_AT_ONCE = 16;
    private static final int SWEPT_AT_ONCE = 100;
    private static final int RACES = 8;
    private static final int MANY_FAILURES = 5;
    private static final Duration BACKLOG_HOLDS = Duration.ofMinutes(3);
    private static final Duration UNTIL_ANOTHER_VERSION = Duration.ofSeconds(30);
    private static final long HELD_BYTES = 32_000_000;
    private static final int TASK_BYTES = 2_000;
    private static final Logger log = LoggerFactory.getLogger(Tasks.class);

    private final DynamoTasks store;
    private final IdempotencyKeys keys;
    private final DynamoWorkers workers;
    private final DynamoTaskCounts counts;
    private final TaskQueue queue;
    private final AuditTrail audit;
    private final Clock clock;
    private final RandomGenerator random;
    private final Executor background;
    private final Turns turns;
    private final TasksConfig config;
    private final Semaphore notes = new Semaphore(NOTED_AT_ONCE);

    /** Tasks as they were claimed here, so that completing them needs no read. */
    private final Cache<TaskId, Task> held = Caffeine.newBuilder()
            .maximumWeight(HELD_BYTES)
            .weigher((TaskId _, Task task) -> TASK_BYTES
                    + (task.payload() == null ? 0 : 2 * task.payload().text().length()))
            .build();

    private final Cache<WorkerId, Instant> seen =
            Caffeine.newBuilder().maximumSize(10_000).build();

    private volatile boolean agreedOnTime;
    private volatile @Nullable TaskBacklog backlog;

    /**
     * @param clock of the table; gives tasks their instants and ends leases
     * @param background does what no caller is to wait for
     * @param turns in which instances sweep
     */
    Tasks(
            DynamoTasks store,
            IdempotencyKeys keys,
            DynamoWorkers workers,
            DynamoTaskCounts counts,
            AuditTrail audit,
            Clock clock,
            RandomGenerator random,
            Executor background,
            Turns turns,
            TasksConfig config) {
        this.store = store;
        this.keys = keys;
        this.workers = workers;
        this.counts = counts;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
        this.background = background;
        this.turns = turns;
        this.config = config;
        this.queue = new TaskQueue(store, this::now, config);
    }

    // ---- submitting

    /**
     * Makes a task, once for each idempotency key. Two write units, one more with a key, and one per KB of a payload of
     * more than 300 bytes. A replay costs one write unit and one read unit.
     */
    public SubmitResult submit(SubmitTask command, Actor actor) {
        return submit(command, null, actor);
    }

    private SubmitResult submit(SubmitTask command, @Nullable TaskId clonedFrom, Actor actor) {
        var now = now();
        try {
            check(command, now);
        } catch (InvalidInput e) {
            return new SubmitResult.Invalid(e);
        }
        var id = TaskId.random(now, random);
        var key = command.idempotencyKey();
        if (key == null) {
            return new SubmitResult.Created(create(id, command, now, clonedFrom, actor), null);
        }
        var body = body(command, clonedFrom);
        var owner = keys.claim(key, id.value(), body, now.plus(config.keyRetention()));
        var target = new TaskId(owner.target());
        if (!owner.body().equals(body) && !isOfEarlierVersion(owner.body(), command, clonedFrom)) {
            return new SubmitResult.Conflict(target, key);
        }
        if (owner.claimed()) {
            return new SubmitResult.Created(create(id, command, now, clonedFrom, actor), owner.expiresAt());
        }
        // Who claimed the key may have died before it made the task, or be about to: then this makes it.
        var task =
                store.find(target, Consistency.STRONG).orElseGet(() -> create(target, command, now, clonedFrom, actor));
        return new SubmitResult.Replayed(task, owner.expiresAt());
    }

    /** Which gave operations fewer attempts; its keys are kept for a day. */
    private static boolean isOfEarlierVersion(String body, SubmitTask command, @Nullable TaskId clonedFrom) {
        return command.type().isOperation()
                && body.equals(body(command.maxAttempts(SubmitTask.DEFAULT_ATTEMPTS), clonedFrom));
    }

    /**
     * As {@link #submit(SubmitTask, Actor)} for many, some of them at the same time; one result per command, in order.
     *
     * @throws InvalidInput {@code TOO_MANY} for more than {@code menuboard.tasks.max-submit}
     */
    public List<SubmitResult> submit(List<SubmitTask> commands, Actor actor) {
        return submitEach(
                commands.stream()
                        .<Supplier<SubmitTask>>map(command -> () -> command)
                        .toList(),
                actor);
    }

    /** As {@link #submit(List, Actor)} for commands some of which cannot be made: those are invalid. */
    List<SubmitResult> submitEach(List<Supplier<SubmitTask>> commands, Actor actor) {
        if (commands.size() > config.maxSubmit()) {
            throw new InvalidInput("TOO_MANY", "inputs", "inputs must be at most " + config.maxSubmit());
        }
        return together(commands, command -> {
            try {
                return submit(command.get(), actor);
            } catch (InvalidInput e) {
                return new SubmitResult.Invalid(e);
            }
        });
    }

    private Task create(TaskId id, SubmitTask command, Instant now, @Nullable TaskId clonedFrom, Actor actor) {
        var notBefore = command.notBefore();
        var later = notBefore != null && notBefore.isAfter(now);
        var step = new Step(Kind.SUBMITTED, actor, now, null, null);
        var task = store.create(id, command, notBefore != null && later ? notBefore : now, later, clonedFrom, step)
                .payload(command.payload());
        counts.add(task.type(), Count.SUBMITTED);
        queue.offer(task);
        return task;
    }

    /**
     * Makes a task that its submitter works on at once: it is running from the beginning, and nobody else can claim it
     * unless its lease ends. Without an idempotency key. Cost as of {@link #submit(SubmitTask, Actor)}.
     *
     * @throws InvalidInput {@code PAYLOAD_TOO_LARGE}
     */
    Task begin(SubmitTask command, WorkerId worker, Actor actor) {
        var now = now();
        check(command, now);
        var step = new Step(Kind.SUBMITTED, actor, now, worker, null);
        var task = store.begin(TaskId.random(now, random), command, worker, now.plus(config.lease()), step)
                .payload(command.payload());
        counts.add(task.type(), Count.SUBMITTED);
        claimed(task);
        return task;
    }

    private void check(SubmitTask command, Instant now) {
        if (command.payload().bytes() > config.maxPayloadBytes()) {
            throw new InvalidInput(
                    "PAYLOAD_TOO_LARGE",
                    "payload",
                    "payload must have at most " + config.maxPayloadBytes() + " bytes of JSON");
        }
        store.admit(command.type(), now);
    }

    /** A hash of everything but the key, so that the record of a key stays small. */
    private static String body(SubmitTask command, @Nullable TaskId clonedFrom) {
        var text = String.join(
                "\n",
                clonedFrom == null ? "" : clonedFrom.value(),
                command.type().value(),
                command.priority().name(),
                String.valueOf(command.notBefore()),
                Integer.toString(command.maxAttempts()),
                command.payload().text());
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, HASH_CHARS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    // ---- working

    /**
     * Claims one task for a worker. One read unit and three write units.
     *
     * @param lease how long the claim is to last; null for the configured time
     * @return {@link TaskResult.NotAllowed} where it is not pending any more, or kept for another worker
     * @throws InvalidInput {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult claim(TaskId id, WorkerId worker, @Nullable Duration lease, Actor actor) {
        var duration = lease(lease);
        note(worker, List.of());
        return store.find(id, Consistency.STRONG)
                .map(task -> {
                    requireNotReserved("id", task.type());
                    var mine = task.status() == TaskStatus.PENDING || worker.equals(task.reservedFor());
                    return (mine ? queue.attempt(task, worker, duration, actor) : Optional.<Task>empty())
                            .<TaskResult>map(this::claimed)
                            .orElseGet(() -> {
                                var current = store.find(id, Consistency.STRONG).orElse(task);
                                return new TaskResult.NotAllowed(
                                        current, "id must be a pending task, which " + id + " is not");
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
     * look costs half a read unit for each shard of each type, or per 4 KB of what it finds.
     *
     * @return at most so many, each with its lease and its payload; empty where there was none
     * @throws InvalidInput {@code INVALID_MAX}, {@code INVALID_WAIT}, {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for
     *     Menuboard's own operations
     */
    public List<Task> claim(ClaimTasks claim, Actor actor) {
        claim.types().forEach(type -> requireNotReserved("types", type));
        return claim(claim, config.pollInterval(), actor);
    }

    /** The same, of any type, looking for tasks that came another way so often. */
    List<Task> claim(ClaimTasks claim, Duration pollInterval, Actor actor) {
        if (claim.max() > config.maxClaim()) {
            throw new InvalidInput("INVALID_MAX", "max", "max must be at most " + config.maxClaim());
        }
        if (claim.types().size() > config.maxTypes()) {
            throw new InvalidInput(
                    "INVALID_TYPES", "types", "types must name at most " + config.maxTypes() + " types of tasks");
        }
        if (claim.maxWait().compareTo(config.maxWait()) > 0) {
            throw new InvalidInput(
                    "INVALID_WAIT",
                    "wait",
                    "wait must be at most " + config.maxWait().toSeconds() + " seconds");
        }
        var lease = lease(claim.lease());
        var claimed = queue.claim(claim, lease, pollInterval, actor, () -> reserved(claim, lease, actor));
        claimed.forEach(this::claimed);
        return claimed;
    }

    private TaskResult claimed(Task task) {
        held.put(task.id(), task);
        counts.add(task.type(), Count.CLAIMED);
        return new TaskResult.Done(task);
    }

    private Duration lease(@Nullable Duration asked) {
        if (asked == null) {
            return config.lease();
        }
        if (asked.toMillis() < 1 || asked.compareTo(config.maxLease()) > 0) {
            throw new InvalidInput(
                    "INVALID_LEASE",
                    "lease",
                    "lease must be positive and at most " + config.maxLease().toSeconds() + " seconds");
        }
        return asked;
    }

    /** Notes that the worker is there, and claims what is kept for it. */
    private List<Task> reserved(ClaimTasks claim, Duration lease, Actor actor) {
        var got = new ArrayList<Task>();
        try {
            var ids = sight(claim.worker(), claim.types());
            for (var id : ids) {
                store.findReadable(id)
                        .filter(task -> claim.worker().equals(task.reservedFor()))
                        .flatMap(task -> queue.attempt(task, claim.worker(), lease, actor))
                        .ifPresent(got::add);
            }
            if (!ids.isEmpty()) {
                workers.collected(claim.worker(), Set.copyOf(ids));
            }
        } catch (QueryDbException e) {
            // The rest at the next look; what was claimed must be answered.
            seen.invalidate(claim.worker());
            QueryDbException.warn(log, e, "reserved tasks not collected: worker={} got={}", claim.worker(), got.size());
        }
        return got;
    }

    /** The tasks that are kept for a worker, looked for every few seconds. */
    private List<TaskId> sight(WorkerId worker, List<TaskType> types) {
        var now = now();
        if (!isToBeSeen(worker, now)) {
            return List.of();
        }
        var sight = workers.look(worker);
        note(worker, types, sight, now);
        return sight.reserved();
    }

    private boolean isToBeSeen(WorkerId worker, Instant now) {
        var before = seen.getIfPresent(worker);
        if (before != null && before.plus(BETWEEN_SIGHTS).isAfter(now)) {
            return false;
        }
        seen.put(worker, now);
        return true;
    }

    private void note(WorkerId worker, List<TaskType> types) {
        var now = now();
        if (isToBeSeen(worker, now)) {
            inBackground(() -> note(worker, types, workers.look(worker), now));
        }
    }

    private void note(WorkerId worker, List<TaskType> types, DynamoWorkers.Sight sight, Instant now) {
        var notedAt = sight.notedAt();
        var since = now.minus(BETWEEN_NOTES);
        if (notedAt == null || !notedAt.isAfter(since)) {
            inBackground(() -> workers.seen(worker, types, now, since));
        }
    }

    /** Not where there is much of it already: the next sight of the worker does it. */
    private void inBackground(Runnable note) {
        if (!notes.tryAcquire()) {
            return;
        }
        background.execute(() -> {
            try {
                note.run();
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "worker not noted");
            } finally {
                notes.release();
            }
        });
    }

    /**
     * Lets a lease last so long from now, and says how far the work is. Three write units.
     *
     * @param lease null for the configured time
     * @param progress null to leave it as it is
     * @throws InvalidInput {@code INVALID_LEASE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult extend(TaskId id, int fencingToken, @Nullable Duration lease, @Nullable TaskProgress progress) {
        return extend(id, fencingToken, lease, progress, false);
    }

    /** As {@link #extend}, of whatever type: for the instance that works on it. */
    TaskResult extendOwn(TaskId id, int fencingToken, @Nullable TaskProgress progress) {
        return extend(id, fencingToken, null, progress, true);
    }

    private TaskResult extend(
            TaskId id, int token, @Nullable Duration lease, @Nullable TaskProgress progress, boolean own) {
        var now = now();
        var changed = store.extend(id, token, now, now.plus(lease(lease)), progress, own);
        if (changed instanceof Changed.Refused(var current) && !own) {
            requireNotReserved("id", current.type());
        }
        return leaseResult(id, token, changed, null);
    }

    /**
     * The work is done. Three write units, and one per KB of a result of more than 300 bytes. Saying so again is the same
     * as saying it once.
     *
     * @throws InvalidInput {@code RESULT_TOO_LARGE}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult complete(TaskId id, int fencingToken, @Nullable Json result, Actor actor) {
        return complete(id, fencingToken, result, actor, false);
    }

    /** As {@link #complete}, of whatever type: for the instance that works on it. */
    TaskResult completeOwn(TaskId id, int fencingToken, @Nullable Json result, Actor actor) {
        return complete(id, fencingToken, result, actor, true);
    }

    private TaskResult complete(TaskId id, int token, @Nullable Json result, Actor actor, boolean own) {
        if (result != null && result.bytes() > config.maxPayloadBytes()) {
            throw new InvalidInput(
                    "RESULT_TOO_LARGE",
                    "result",
                    "result must have at most " + config.maxPayloadBytes() + " bytes of JSON");
        }
        var known = known(id, token, own);
        if (known.isEmpty()) {
            return new TaskResult.NotFound(id);
        }
        var step = new Step(Kind.COMPLETED, actor, now(), known.get().worker(), null);
        return ended(known.get(), token, store.complete(known.get(), token, result, step), Kind.COMPLETED);
    }

    /**
     * The work could not be done. The task is tried again after a pause that doubles with each failure, until it has
     * failed as often as it may; then, or where trying again is no use, it is dead. Three write units.
     *
     * @param reason for people; 1 to {@value #MAX_REASON} characters
     * @param retryable whether another attempt may succeed
     * @throws InvalidInput {@code INVALID_REASON}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult fail(TaskId id, int fencingToken, String reason, boolean retryable, Actor actor) {
        return end(id, fencingToken, Kind.FAILED, reason, actor, false, (task, step) -> failed(task, step, retryable));
    }

    /** As {@link #fail}, of whatever type: for the instance that works on it. */
    TaskResult failOwn(TaskId id, int fencingToken, String reason, boolean retryable, Actor actor) {
        return end(id, fencingToken, Kind.FAILED, reason, actor, true, (task, step) -> failed(task, step, retryable));
    }

    /**
     * Gives the task back undone, which is no failure. Three write units.
     *
     * @throws InvalidInput {@code INVALID_REASON}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult release(TaskId id, int fencingToken, @Nullable String reason, Actor actor) {
        return end(id, fencingToken, Kind.RELEASED, reason, actor, false, this::released);
    }

    /** As {@link #release}, of whatever type: for the instance that works on it. */
    TaskResult releaseOwn(TaskId id, int fencingToken, @Nullable String reason, Actor actor) {
        return end(id, fencingToken, Kind.RELEASED, reason, actor, true, this::released);
    }

    /** Gives back what this version cannot do, so that an instance of another one may have it: after a pause. */
    TaskResult giveBackOwn(TaskId id, int fencingToken, String reason, Actor actor) {
        return end(
                id,
                fencingToken,
                Kind.RELEASED,
                reason,
                actor,
                true,
                (task, step) -> store.again(task, step.at().plus(UNTIL_ANOTHER_VERSION), task.failures(), step));
    }

    private TaskResult end(
            TaskId id,
            int token,
            Kind kind,
            @Nullable String reason,
            Actor actor,
            boolean own,
            BiFunction<Task, Step, Changed> ending) {
        checkReason(reason);
        // The lease must be this one, so what was read when it began still holds: only its end changes the failures.
        var known = known(id, token, own);
        if (known.isEmpty()) {
            return new TaskResult.NotFound(id);
        }
        var task = known.get();
        if (task.lease() == null || task.token() != token) {
            return ended(task, token, new Changed.Refused(task), kind);
        }
        var step = new Step(kind, actor, now(), task.worker(), reason);
        return ended(task, token, ending.apply(task, step), kind);
    }

    private Changed released(Task task, Step step) {
        return store.again(task, null, task.failures(), step);
    }

    private Changed failed(Task task, Step step, boolean retryable) {
        var failures = task.failures() + 1;
        if (!retryable || failures >= task.maxAttempts()) {
            return store.die(task, failures, step);
        }
        // A worker that dies is no reason to wait; but where one after the other does, trying on is no use.
        var pause = step.kind() == Kind.FAILED || failures >= MANY_FAILURES ? backoff(failures) : Duration.ZERO;
        return store.again(task, pause.isZero() ? null : step.at().plus(pause), failures, step);
    }

    /** Doubles with each failure, and then is between half of that and all of it. */
    private Duration backoff(int failures) {
        var most = config.backoff().toMillis();
        var limit = config.maxBackoff().toMillis();
        for (var i = 1; i < failures && most < limit; i++) {
            most *= 2;
        }
        most = Math.min(most, limit);
        return Duration.ofMillis(most - (most > 1 ? random.nextLong(most / 2) : 0));
    }

    private Optional<Task> known(TaskId id, int token, boolean own) {
        var here = held.getIfPresent(id);
        var known = here != null && here.token() == token ? Optional.of(here) : store.find(id, Consistency.STRONG);
        if (!own) {
            known.ifPresent(task -> requireNotReserved("id", task.type()));
        }
        return known;
    }

    static void requireNotReserved(String field, TaskType type) {
        if (type.isOperation()) {
            throw reserved(field);
        }
    }

    private static InvalidInput reserved(String field) {
        return new InvalidInput(
                "RESERVED_TYPE",
                field,
                field + " must not be of Menuboard's own operations, whose types begin with "
                        + TaskType.OPERATION_PREFIX);
    }

    private TaskResult ended(Task before, int token, Changed changed, Kind kind) {
        if (changed instanceof Changed.Made(var task)) {
            held.invalidate(task.id());
            switch (kind) {
                case COMPLETED -> counts.add(task.type(), Count.COMPLETED);
                case FAILED, LEASE_EXPIRED -> counts.add(task.type(), Count.FAILED);
                default -> {}
            }
            if (task.status() == TaskStatus.DEAD) {
                counts.add(task.type(), Count.DEAD);
            }
            queue.offer(task);
        }
        return leaseResult(before.id(), token, changed, kind);
    }

    /** @param kind how the lease was to end; where it has ended so already, this was said before */
    private static TaskResult leaseResult(TaskId id, int token, Changed changed, @Nullable Kind kind) {
        return switch (changed) {
            case Changed.Made(var task) -> new TaskResult.Done(task);
            case Changed.Refused(var current) ->
                kind != null && current.ended(token, kind)
                        ? new TaskResult.Done(current)
                        : new TaskResult.LeaseLost(current);
            case Changed.Absent() -> new TaskResult.NotFound(id);
            case Changed.Unreadable(var why) -> throw why;
        };
    }

    // ---- what people do

    /**
     * Ends a task that is not finished; a worker that is at it has lost its lease. One read unit, three write units, and
     * two for the audit record.
     */
    public TaskResult cancel(TaskId id, @Nullable String reason, Actor actor) {
        return change(
                id, Kind.CANCELLED, null, reason, actor, task -> !task.status().isFinished(), "must not be finished");
    }

    /**
     * Lets a task that is dead or cancelled be tried again as often as a new one. Its history and its attempts go on.
     * Cost as of {@link #cancel}.
     */
    public TaskResult retry(TaskId id, @Nullable String reason, Actor actor) {
        return change(
                id,
                Kind.RETRIED,
                null,
                reason,
                actor,
                task -> task.status() == TaskStatus.DEAD || task.status() == TaskStatus.CANCELLED,
                "must be dead or cancelled");
    }

    /**
     * Takes a task from whoever has it and keeps it for one worker, who is given it when it next asks for work; where it
     * does not ask for {@code menuboard.tasks.reservation}, anybody may have it. Cost as of {@link #cancel}, and two
     * write units.
     *
     * @throws InvalidInput {@code INVALID_REASON}, or {@code RESERVED_TYPE} for one of Menuboard's own operations
     */
    public TaskResult reassign(TaskId id, WorkerId worker, @Nullable String reason, Actor actor) {
        var result = change(
                id,
                Kind.REASSIGNED,
                worker,
                reason,
                actor,
                task -> {
                    requireNotReserved("id", task.type());
                    return !task.status().isFinished();
                },
                "must not be finished");
        if (result instanceof TaskResult.Done) {
            tell(worker, id);
        }
        return result;
    }

    /** What was done was done: a worker who does not come to know of it leaves the task to everybody. */
    private void tell(WorkerId worker, TaskId id) {
        try {
            workers.reserve(worker, id, now());
            seen.invalidate(worker);
        } catch (QueryDbException e) {
            QueryDbException.warn(
                    log, e, "worker not told of a task that is kept for it: worker={} task={}", worker, id);
        }
    }

    private TaskResult change(
            TaskId id,
            Kind kind,
            @Nullable WorkerId worker,
            @Nullable String reason,
            Actor actor,
            Function<Task, Boolean> allowed,
            String rule) {
        checkReason(reason);
        var found = store.find(id, Consistency.STRONG);
        for (var race = 0; race < RACES && found.isPresent(); race++) {
            var task = found.get();
            if (!allowed.apply(task)) {
                return new TaskResult.NotAllowed(task, "id " + rule + ", but task " + id + " is " + task.status());
            }
            var step = new Step(kind, actor, now(), worker, reason);
            var changed =
                    switch (kind) {
                        case CANCELLED -> store.cancel(task, step);
                        case RETRIED -> store.retry(task, step);
                        case REASSIGNED -> {
                            if (worker == null) {
                                throw new IllegalArgumentException("reassigned to nobody");
                            }
                            yield store.reserve(task, worker, step.at().plus(config.reservation()), step);
                        }
                        default -> throw new IllegalArgumentException("nothing that people do: " + kind);
                    };
            switch (changed) {
                case Changed.Made(var now) -> {
                    held.invalidate(id);
                    queue.offer(now);
                    audit(actor, id, "task " + kind.name().toLowerCase(Locale.ROOT), details(reason, worker));
                    return new TaskResult.Done(now);
                }
                // A worker was quicker with a step of its own: look again whether it may still be done.
                case Changed.Refused(var current) -> found = Optional.of(current);
                case Changed.Absent() -> found = Optional.empty();
                case Changed.Unreadable(var why) -> throw why;
            }
        }
        return found.<TaskResult>map(task -> new TaskResult.NotAllowed(
                        task, "id must be of a task that is left alone for a moment; try again"))
                .orElseGet(() -> new TaskResult.NotFound(id));
    }

    /** For who looks at what a person did; the task's own history has it in any case. */
    private void audit(Actor actor, TaskId id, String action, Map<String, String> details) {
        try {
            audit.record(actor, "TASK#" + id, action, details);
        } catch (QueryDbException e) {
            QueryDbException.warn(
                    log, e, "audit record lost, the task's history has it: task={} action={}", id, action);
        }
    }

    private static Map<String, String> details(@Nullable String reason, @Nullable WorkerId worker) {
        var details = new HashMap<String, String>();
        if (reason != null) {
            details.put("reason", reason);
        }
        if (worker != null) {
            details.put("worker", worker.value());
        }
        return details;
    }

    /**
     * Makes a new task like this one, at once and once for each idempotency key, which may be null; empty where there is
     * no such task. One read unit, or two, the cost of {@link #submit(SubmitTask, Actor)}, and two write units.
     */
    public Optional<SubmitResult> cloneTask(TaskId id, @Nullable String idempotencyKey, Actor actor) {
        return store.find(id, Consistency.STRONG).map(task -> {
            if (task.type().isOperation()) {
                return new SubmitResult.Invalid(reserved("id"));
            }
            var command = new SubmitTask(
                    task.type(), store.payload(task), task.priority(), null, task.maxAttempts(), idempotencyKey);
            var result = submit(command, id, actor);
            if (result instanceof SubmitResult.Created(var copy, var _)) {
                audit(actor, copy.id(), "task cloned", Map.of("from", id.value()));
            }
            return result;
        });
    }

    // ---- reading

    /** One task, strongly consistent: one read unit per 4 KB. */
    public Optional<Task> find(TaskId id) {
        return store.find(id, Consistency.STRONG).map(Task::withoutToken);
    }

    /** A task's payload; a read only where it is kept apart. */
    public Json payload(Task task) {
        return store.payload(task);
    }

    /** The same for many, in order: those that are kept apart are read together. */
    public List<Json> payloads(List<Task> tasks) {
        return store.payloads(tasks);
    }

    /** The same tasks, so that reading their payloads needs no read. */
    List<Task> withPayloads(List<Task> tasks) {
        var payloads = store.payloads(tasks).iterator();
        return tasks.stream().map(task -> task.payload(payloads.next())).toList();
    }

    /** The same tasks, so that reading their results needs no read. */
    List<Task> withResults(List<Task> tasks) {
        var results = store.results(tasks).iterator();
        return tasks.stream()
                .map(task -> task.result(results.next().orElse(null)))
                .toList();
    }

    /** A task's result; a read only where it is kept apart. */
    public Optional<Json> result(Task task) {
        return store.result(task);
    }

    /** Everything that ever happened to a task, oldest first; half a read unit per 4 KB. Empty for no such task. */
    public Page<TaskEvent> history(TaskId id, PageRequest page) {
        return store.history(id, page);
    }

    /**
     * Tasks, eventually consistent. Pending ones by priority and then as they were submitted, scheduled and running ones
     * by when they are due or their leases end, finished ones as they were submitted; oldest first.
     *
     * <p>A page of pending or finished tasks costs half a read unit at least for each shard of each type, of scheduled or
     * running ones for each shard. Filters by worker, and any filter of scheduled or running tasks, read past what does
     * not match.
     */
    public Page<Task> list(TaskFilter filter, PageRequest page) {
        var key = filter.idempotencyKey();
        if (key != null) {
            return store.byKey(key, keys.find(key).map(owner -> new TaskId(owner.target())), page)
                    .map(Task::withoutToken);
        }
        var lists = lists(filter);
        return lists.isEmpty()
                ? Page.empty()
                : store.list(lists, page, filter::matches).map(Task::withoutToken);
    }

    /** Every task of the filter, one list after the other, as it is consumed. */
    Stream<Task> all(TaskFilter filter) {
        return store.all(lists(filter)).filter(filter::matches).map(Task::withoutToken);
    }

    private List<Query> lists(TaskFilter filter) {
        var type = filter.type();
        var lists = store.lists(filter.status(), type == null ? store.types() : List.of(type));
        var from = filter.submittedFrom();
        var before = filter.submittedBefore();
        if ((from == null && before == null)
                || filter.status() == TaskStatus.SCHEDULED
                || filter.status() == TaskStatus.RUNNING) {
            return lists;
        }
        var low = from == null ? "0" : Ulid.earliest(from);
        var high = before == null ? "~" : Ulid.earliest(before);
        if (filter.status() != TaskStatus.PENDING) {
            return lists.stream().map(list -> list.between(low, high)).toList();
        }
        return Stream.of(TaskPriority.values())
                .flatMap(priority -> lists.stream()
                        .map(list -> list.between(priority.rank() + "#" + low, priority.rank() + "#" + high)))
                .toList();
    }

    /** Every type that there is a task of, or was one of in the last month, in order. */
    public List<TaskType> types() {
        return store.types();
    }

    /** Workers by name, with when they were last heard of. */
    public Page<WorkerStatus> workers(PageRequest page) {
        return workers.list(page);
    }

    /** One worker; empty where it has not asked for work within a day. */
    public Optional<WorkerStatus> worker(WorkerId worker) {
        return workers.find(worker);
    }

    /** Every running task by who holds it; half a read unit per 4 KB of all of them, and at least for each shard. */
    public Map<WorkerId, List<Task>> claims() {
        return all(TaskFilter.of(TaskStatus.RUNNING))
                .sorted(Comparator.comparing(Task::id))
                .collect(Collectors.groupingBy(Tasks::holder));
    }

    private static WorkerId holder(Task running) {
        var lease = running.lease();
        if (lease == null) {
            throw new IllegalStateException("nobody holds the running task " + running.id());
        }
        return lease.worker();
    }

    /** How many tasks there are of that status, counted in the index up to a configured number for each type and shard. */
    public long count(TaskStatus status, TaskType type) {
        return store.lists(status, List.of(type)).stream()
                .mapToLong(list -> store.size(list, config.countAtMost()))
                .sum();
    }

    /**
     * How many tasks the filter lets through, counted in the index; {@code atMost} where there may be more. As dear as
     * reading so many of each list that {@link #list} reads. Empty where only reading the tasks would tell: with a worker or
     * a key, and of scheduled and running ones with any filter.
     */
    public OptionalLong count(TaskFilter filter, int atMost) {
        var status = filter.status();
        var isByTime = status == TaskStatus.SCHEDULED || status == TaskStatus.RUNNING;
        if (filter.idempotencyKey() != null || (isByTime && !filter.equals(TaskFilter.of(status)))) {
            return OptionalLong.empty();
        }
        var sum = together(lists(filter), list -> store.size(list, atMost)).stream()
                .mapToLong(Long::longValue)
                .sum();
        return OptionalLong.of(Math.min(sum, atMost));
    }

    /** How every queue stands, by type. As dear as reading the pending tasks, up to a configured number of each. */
    public List<QueueStatistics> statistics() {
        var now = now();
        var claims = counts.since(now.minus(1, ChronoUnit.MINUTES)).stream()
                .collect(Collectors.groupingBy(TaskCounts::type, Collectors.summingLong(TaskCounts::claimed)));
        var seconds = 60.0
                + Duration.between(now.truncatedTo(ChronoUnit.MINUTES), now).toSeconds();
        return together(store.types(), type -> {
            var lists = store.lists(TaskStatus.PENDING, List.of(type));
            var sizes = lists.stream()
                    .map(list -> store.size(list, config.countAtMost()))
                    .toList();
            return new QueueStatistics(
                    type,
                    sizes.stream().mapToLong(Long::longValue).sum(),
                    sizes.stream().anyMatch(size -> size >= config.countAtMost()),
                    oldest(lists),
                    claims.getOrDefault(type, 0L) / seconds);
        });
    }

    private @Nullable Instant oldest(List<Query> lists) {
        return nextInLine(lists)
                .map(Task::submittedAt)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private Stream<Task> nextInLine(List<Query> lists) {
        return Stream.of(TaskPriority.values())
                .flatMap(priority -> lists.stream().map(list -> list.beginsWith(priority.rank() + "#")))
                .flatMap(list -> store.first(list, 1).stream());
    }

    /**
     * How far behind the work is, as this instance last saw it; empty where it has not looked for three minutes, because
     * others did, or the table was away. No request.
     */
    public Optional<TaskBacklog> backlog() {
        return Optional.ofNullable(backlog)
                .filter(seen -> seen.at().plus(BACKLOG_HOLDS).isAfter(now()));
    }

    /** The operations that gave up, by type; half a read unit for each shard of each type of operation. */
    public Stream<Task> deadOperations() {
        return store.types().stream()
                .filter(TaskType::isOperation)
                .flatMap(type -> all(new TaskFilter(TaskStatus.DEAD, type, null, null, null, null)));
    }

    /** Looks how far behind the work is: half a read unit for each shard, priority and type. Types that wait stay known. */
    void lookAtBacklog() {
        var now = now();
        var waiting = new HashMap<Boolean, Instant>();
        for (var type : store.types()) {
            nextInLine(store.lists(TaskStatus.PENDING, List.of(type)))
                    .map(Task::availableAt)
                    .min(Comparator.naturalOrder())
                    .ifPresent(since -> {
                        waiting.merge(type.isOperation(), since, (one, other) -> one.isBefore(other) ? one : other);
                        store.know(type, now);
                    });
        }
        backlog = new TaskBacklog(
                now,
                waiting.get(false),
                waiting.get(true),
                deadOperations().limit(config.countAtMost()).count());
    }

    /** What happened in each minute from then on, by type, oldest first. */
    public List<TaskCounts> counts(Instant from) {
        return counts.since(from);
    }

    /** Conditional writes that claims needed in this instance so far, and how many of them won their task. */
    public ClaimCounts claimCounts() {
        return new ClaimCounts(queue.attempts(), queue.wins());
    }

    /** See {@link #claimCounts}. */
    public record ClaimCounts(long attempts, long wins) {}

    /** The clock of the table, to the millisecond. */
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    // ---- what happens by itself

    /**
     * Ends leases whose time is over, and makes pending what has become due. Which of two instances moves a task is
     * decided by the table. Half a read unit for each shard and status where there is nothing to do.
     *
     * @return how many tasks it moved
     */
    int sweep() {
        return sweep(() -> true);
    }

    /** @param goOn asked before each hundred */
    int sweep(BooleanSupplier goOn) {
        if (!agreedOnTime) {
            // The first answer of the table sets the clock: until then it may be minutes off, and end leases that last.
            store.types();
            agreedOnTime = true;
        }
        var until = Key.sortable(now()) + "~";
        var moved = 0;
        for (var status : List.of(TaskStatus.RUNNING, TaskStatus.SCHEDULED)) {
            for (var list : store.lists(status, List.of())) {
                // Each once, past what cannot be read, and what the index has not seen moving yet.
                try (var all = store.all(List.of(list.between("0", until)))) {
                    for (var due = all.iterator(); due.hasNext() && goOn.getAsBoolean(); ) {
                        var some = new ArrayList<Task>();
                        while (some.size() < SWEPT_AT_ONCE && due.hasNext()) {
                            some.add(due.next());
                        }
                        moved += (int) together(some, this::sweep).stream()
                                .filter(swept -> swept)
                                .count();
                    }
                }
            }
        }
        return moved;
    }

    /** What takes turns at sweeping. */
    Sweeper sweeper(String holder) {
        return new Sweeper(this, turns, holder);
    }

    private boolean sweep(Task task) {
        var at = now();
        if (task.lease() != null) {
            var step = new Step(Kind.LEASE_EXPIRED, SYSTEM, at, task.worker(), "the lease ended");
            var changed = failed(task, step, true);
            return changed instanceof Changed.Made
                    && ended(task, task.token(), changed, Kind.LEASE_EXPIRED) instanceof TaskResult.Done(var now)
                    && now.status() != TaskStatus.RUNNING;
        }
        if (store.promote(task, new Step(Kind.DUE, SYSTEM, at, null, null)) instanceof Changed.Made(var pending)) {
            queue.offer(pending);
            return true;
        }
        return false;
    }

    /** Writes the counts that have come together in this instance. */
    void flushCounts() {
        counts.flush();
    }

    /** Ends every wait for a task, so that nothing is claimed any more by who waits. */
    void stopWaiting() {
        queue.close();
    }

    static void checkReason(@Nullable String reason) {
        if (reason != null && (reason.isBlank() || reason.length() > MAX_REASON)) {
            throw new InvalidInput(
                    "INVALID_REASON", "reason", "reason must have 1 to " + MAX_REASON + " characters, not only blanks");
        }
    }

    /** Applies to each on a thread of its own, so many at once; answers in order. */
    static <T, R> List<R> together(List<T> inputs, Function<T, R> work) {
        if (inputs.size() == 1) {
            return List.of(work.apply(inputs.getFirst()));
        }
        var places = new Semaphore(SUBMITTED_AT_ONCE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return inputs.stream()
                    .map(input -> threads.submit(() -> {
                        places.acquire();
                        try {
                            return work.apply(input);
                        } finally {
                            places.release();
                        }
                    }))
                    .toList()
                    .stream()
                    .map(Tasks::get)
                    .toList();
        }
    }

    private static <R> R get(Future<R> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
