package io.menuboard.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.SubmitTask.Audited;
import io.menuboard.tasks.SubmitTask.KeyOwner;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes tasks, once for each idempotency key. Thread-safe. */
public final class TaskSubmission {
    private static final Logger log = LoggerFactory.getLogger(TaskSubmission.class);
    private static final int HASH_CHARS = 32;
    private static final int TASKS_AT_ONCE = 32;

    private final DynamoTasks store;
    private final IdempotencyKeys keys;
    private final TaskSteps steps;
    private final RandomGenerator random;
    private final TasksConfig config;

    /** @param random makes ids */
    TaskSubmission(
            DynamoTasks store, IdempotencyKeys keys, TaskSteps steps, RandomGenerator random, TasksConfig config) {
        this.store = store;
        this.keys = keys;
        this.steps = steps;
        this.random = random;
        this.config = config;
    }

    /**
     * Makes a task, once for each idempotency key. Two write units, one more with a key, and one per KB of a payload of
     * more than 300 bytes. A replay costs one write unit and one read unit. A key of a principal with an id costs one read unit
     * more, for keys that an earlier version has not kept apart by principal, and another one where there is such a key.
     *
     * <p>{@linkplain TaskType#isOperation Operations} ask no permission here: the context that submits one has asked its own.
     *
     * @throws Denied without {@link Permission#TASKS_SUBMIT}
     */
    public SubmitResult submit(Access access, SubmitTask command) {
        return submit(access, command, null, null);
    }

    /**
     * As {@link #submit(Access, SubmitTask)}, with an audit record in the transaction that makes the task: five write units more,
     * six for a principal with an id.
     */
    public SubmitResult submit(Access access, SubmitTask command, Audited audited) {
        return submit(access, command, null, audited);
    }

    /** The same, and remembers the task that this one is a copy of. */
    SubmitResult submit(Access access, SubmitTask command, @Nullable TaskId clonedFrom, @Nullable Audited audited) {
        requireSubmit(access, command);
        var now = steps.now();
        try {
            check(command, now);
        } catch (InvalidInput e) {
            return new SubmitResult.Invalid(e);
        }
        var create = new Creation(access, command, now, clonedFrom, audited);
        var id = TaskId.random(now, random);
        var key = command.idempotencyKey();
        if (key == null) {
            return new SubmitResult.Created(create.task(id), null);
        }
        var body = body(command, clonedFrom);
        var owner = keys.claim(
                keyOwner(access, command),
                key,
                id.value(),
                body,
                now.plus(config.keyRetention()),
                before -> isOwners(access, body, before));
        var target = new TaskId(owner.target());
        if (!owner.body().equals(body) && !isOfEarlierVersion(owner.body(), command, clonedFrom)) {
            return new SubmitResult.Conflict(target, key);
        }
        if (owner.claimed()) {
            return new SubmitResult.Created(create.task(id), owner.expiresAt());
        }
        // The caller that claimed the key may have died before making the task, or be about to make it: then this makes
        // it.
        var task = store.find(target, Consistency.STRONG).orElseGet(() -> create.task(target));
        return new SubmitResult.Replayed(task, owner.expiresAt());
    }

    /**
     * True where its idempotency key was used before, so that {@link #submit(Access, SubmitTask)} answers by what was asked for then: whoever
     * checks what may change meanwhile does not check it again. One read unit, two for a key that is new; none without a
     * key.
     */
    public boolean isKeyUsed(Access access, SubmitTask command) {
        var key = command.idempotencyKey();
        if (key == null) {
            return false;
        }
        var body = body(command, null);
        return keys.find(keyOwner(access, command), key, before -> isOwners(access, body, before))
                .isPresent();
    }

    private static @Nullable String keyOwner(Access access, SubmitTask command) {
        return command.keyOwner() == KeyOwner.PRINCIPAL ? access.principal().id() : null;
    }

    private boolean isOwners(Access access, String body, IdempotencyKeys.Owner before) {
        return store.find(new TaskId(before.target()), Consistency.STRONG)
                .map(task -> isBy(access.principal(), task))
                .orElse(before.body().equals(body));
    }

    /** True if that principal has submitted the task, or somebody of whom no more than a name was known. */
    static boolean isBy(Principal principal, Task task) {
        var by = task.submittedBy();
        return by.id() == null ? by.kind() != Actor.Kind.SYSTEM : by.id().equals(principal.id());
    }

    /** Earlier versions gave operations fewer attempts; their keys are kept for a day. */
    private static boolean isOfEarlierVersion(String body, SubmitTask command, @Nullable TaskId clonedFrom) {
        return command.type().isOperation()
                && body.equals(body(command.maxAttempts(SubmitTask.DEFAULT_ATTEMPTS), clonedFrom));
    }

    private static void requireSubmit(Access access, SubmitTask command) {
        if (!command.type().isOperation()) {
            access.require(Permission.TASKS_SUBMIT);
        }
    }

    /**
     * As {@link #submit(Access, SubmitTask)} for many, some of them at the same time; one result per command, in order.
     *
     * @throws InvalidInput {@code TOO_MANY} for more than {@code menuboard.tasks.max-submit}
     * @throws Denied without {@link Permission#TASKS_SUBMIT}
     */
    public List<SubmitResult> submit(Access access, List<SubmitTask> commands) {
        requireFewEnough(access, commands);
        return Concurrently.map(TASKS_AT_ONCE, commands, command -> submit(access, () -> command));
    }

    /** As {@link #submit(Access, SubmitTask)} for a command that is still to be read: where it cannot be, it is invalid. */
    SubmitResult submit(Access access, Supplier<SubmitTask> command) {
        access.require(Permission.TASKS_SUBMIT);
        try {
            return submit(access, command.get());
        } catch (InvalidInput e) {
            return new SubmitResult.Invalid(e);
        }
    }

    /**
     * As {@link #submit(Access, List)} for commands that are still to be read. Empty for each where the table failed, after all
     * retries, or another version has written what this one cannot read: whether it was submitted is not known then;
     * submitting it again with the same idempotency key tells.
     */
    List<Optional<SubmitResult>> submitEach(Access access, List<Supplier<SubmitTask>> commands) {
        requireFewEnough(access, commands);
        var failures = new ConcurrentLinkedQueue<RuntimeException>();
        var results = Concurrently.map(TASKS_AT_ONCE, commands, command -> {
            try {
                return Optional.of(submit(access, command));
            } catch (QueryDbException | UnreadableItem e) {
                failures.add(e);
                return Optional.<SubmitResult>empty();
            }
        });
        if (!failures.isEmpty()) {
            QueryDbException.warn(
                    log, failures.element(), "tasks not submitted: count={} of={}", failures.size(), commands.size());
        }
        return results;
    }

    private void requireFewEnough(Access access, List<?> commands) {
        access.require(Permission.TASKS_SUBMIT);
        if (commands.size() > config.maxSubmit()) {
            throw new InvalidInput("TOO_MANY", "tasks", "must be at most " + config.maxSubmit());
        }
    }

    /** Makes the task that was asked for, under whatever id it is to have. */
    private final class Creation {
        private final Access access;
        private final SubmitTask command;
        private final Instant now;
        private final @Nullable TaskId clonedFrom;
        private final @Nullable Audited audited;

        Creation(
                Access access,
                SubmitTask command,
                Instant now,
                @Nullable TaskId clonedFrom,
                @Nullable Audited audited) {
            this.access = access;
            this.command = command;
            this.now = now;
            this.clonedFrom = clonedFrom;
            this.audited = audited;
        }

        Task task(TaskId id) {
            var notBefore = command.notBefore();
            var later = notBefore != null && notBefore.isAfter(now);
            var step = new Step(Kind.SUBMITTED, access.actor(), now, null, null);
            var task = store.create(id, command, later ? notBefore : null, clonedFrom, step, audited);
            steps.submitted(task); // whoever keeps it has no use for a large payload
            return task.withPayload(command.payload());
        }
    }

    /**
     * Makes a task that its submitter works on at once: it is running from the beginning, and nobody else can claim it
     * unless its lease ends. Without an idempotency key. Cost as of {@link #submit(Access, SubmitTask)}.
     *
     * @throws InvalidInput {@code PAYLOAD_TOO_LARGE}
     * @throws Denied as {@link #submit(Access, SubmitTask)}
     */
    public Task submitClaimed(Access access, SubmitTask command, WorkerId worker, Duration lease) {
        requireSubmit(access, command);
        var now = steps.now();
        check(command, now);
        var step = new Step(Kind.SUBMITTED, access.actor(), now, worker, null);
        var task = store.createClaimed(TaskId.random(now, random), command, worker, now.plus(lease), step);
        steps.submitted(task);
        steps.claimed(task);
        return task.withPayload(command.payload());
    }

    private void check(SubmitTask command, Instant now) {
        if (command.payload().bytes() > config.maxPayloadBytes()) {
            throw new InvalidInput(
                    "PAYLOAD_TOO_LARGE", "payload", "must have at most " + config.maxPayloadBytes() + " bytes of JSON");
        }
        store.types().admit(command.type(), now);
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
}
