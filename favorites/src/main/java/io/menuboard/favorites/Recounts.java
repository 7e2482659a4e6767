package io.menuboard.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recounts, which compare counts with marks, asked for by people and every night. Each is a task, which goes on where
 * it was when its instance dies. To ask for one takes {@link Permission#OPERATIONS_ACT}, also when the task is done; to read
 * them {@link Permission#OPERATIONS_READ}. Thread-safe.
 */
public final class Recounts {
    /** The type of tasks that recount; their payload has the {@code recount}'s id. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "recount");

    private static final Access NIGHTLY = Access.ofSystem("nightly recount", Actor.Source.SCHEDULER);
    private static final Access RESUBMISSION = Access.ofSystem("recounts", Actor.Source.SCHEDULER);

    /** Time by which a task is submitted, or will not be by whoever asked for it. */
    private static final Duration SUBMITTED = Duration.ofMinutes(1);

    private static final Duration RESUBMITTED = Duration.ofDays(7);

    private final DynamoRecounts recounts;
    private final RestaurantRecount restaurants;
    private final TaskSubmission submission;
    private final Clock clock;
    private final LocalTime nightlyAt;

    /** The last night of which this instance knows that there is a recount. */
    private volatile @Nullable LocalDate startedFor;

    /** When this instance last looked whether it was time; null before the first time. */
    private volatile @Nullable Instant lookedAt;

    /** @param nightlyAt from when on in UTC, each day */
    Recounts(
            DynamoRecounts recounts,
            RestaurantRecount restaurants,
            TaskSubmission submission,
            Clock clock,
            LocalTime nightlyAt) {
        this.recounts = recounts;
        this.restaurants = restaurants;
        this.submission = submission;
        this.clock = clock;
        this.nightlyAt = nightlyAt;
    }

    /**
     * Has counts compared with marks, soon. It may be done also where this throws: it is noted before its task is submitted.
     *
     * @param restaurant the only one to check; null for all that ever had a mark counted
     */
    public Recount start(Access access, Mode mode, @Nullable RestaurantId restaurant) {
        access.requireForAll(Permission.OPERATIONS_ACT);
        return started(access, recounts.newId(), mode, restaurant);
    }

    /** Outcome of {@link #startOnce}. */
    public sealed interface Started {

        /**
         * That recount is begun.
         *
         * @param isNew false where the same request had begun it before
         */
        record Begun(Recount recount, boolean isNew) implements Started {}

        /** The key began that recount, of another restaurant or in another mode; nothing was begun. */
        record KeyReused(Recount.Id existing) implements Started {}
    }

    /**
     * As {@link #start}, once for each idempotency key: whoever uses it again within a day is given the first recount. A
     * write unit more.
     *
     * @throws InvalidInput {@code INVALID_ID} on {@code idempotencyKey}
     */
    public Started startOnce(Access access, String idempotencyKey, Mode mode, @Nullable RestaurantId restaurant) {
        access.requireForAll(Permission.OPERATIONS_ACT);
        Ids.check("idempotencyKey", idempotencyKey);
        var known = recounts.ofKey(access.principal().id(), idempotencyKey, mode, restaurant);
        return known.isSame()
                ? new Started.Begun(started(access, known.id(), mode, restaurant), known.isNew())
                : new Started.KeyReused(known.id());
    }

    /**
     * Starts the recount of this day, once it is time, unless there is one; and that of the day before, if it was time between this
     * call and the last one: a recount may be due shortly before midnight. One write unit at most.
     */
    void nightly() {
        var now = clock.instant();
        var today = now.atOffset(ZoneOffset.UTC).toLocalDate();
        var night = now.isBefore(dueAt(today)) ? today.minusDays(1) : today;
        var before = lookedAt;
        // An instance that was not there when it was time leaves the day before to those that were.
        var isDue = night.equals(today) || (before != null && before.isBefore(dueAt(night)));
        if (isDue && !night.equals(startedFor)) {
            started(NIGHTLY, recounts.ofNight(night), Mode.CORRECT, null);
            startedFor = night;
        }
        lookedAt = now;
    }

    /**
     * Submits the tasks of recounts whose process died, or failed to, before it did. Half a read unit for each 4 KB of what was asked
     * for within a week, some fifteen recounts.
     */
    void submitMissingTasks() {
        var now = clock.instant();
        recounts.withoutTask(now.minus(RESUBMITTED), now.minus(SUBMITTED)).forEach(id -> submit(RESUBMISSION, id));
    }

    private Instant dueAt(LocalDate night) {
        return night.atTime(nightlyAt).toInstant(ZoneOffset.UTC);
    }

    /** Doing it again for the same id makes nothing new. */
    private Recount started(Access access, Recount.Id id, Mode mode, @Nullable RestaurantId restaurant) {
        recounts.create(id, mode, restaurant, access.actor(), clock.instant());
        submit(access, id);
        return recounts.find(id).orElseThrow();
    }

    /** Once for each recount, whoever does. */
    private void submit(Access access, Recount.Id id) {
        var submitted = submission.submit(
                access,
                SubmitTask.operation(TYPE, Json.of(Map.of("recount", id.value())))
                        .sharedKey("recount " + id));
        var task =
                switch (submitted) {
                    case SubmitResult.Created(var created, var _) -> created;
                    case SubmitResult.Replayed(var before, var _) -> before;
                    case SubmitResult.Conflict conflict -> throw new IllegalStateException(conflict.toString());
                    case SubmitResult.Invalid(var refusal) -> throw refusal;
                };
        recounts.setTask(id, task.id());
    }

    /**
     * One read unit, and, until it is done, half a unit for each 4 KB of what it found.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<Recount> find(Access access, Recount.Id id) {
        access.requireForAll(Permission.OPERATIONS_READ);
        return recounts.find(id);
    }

    /** Finds those of the recounts that there are; each costs as {@link #find} does. */
    public List<Recount> findAll(Access access, List<Recount.Id> ids) {
        access.requireForAll(Permission.OPERATIONS_READ);
        return recounts.findAll(ids);
    }

    /**
     * Newest first, half a read unit for each 4 KB of the list; each that has begun and is not done also half a unit for each 4 KB of
     * what it has found.
     */
    public Page<Recount> list(Access access, PageRequest page) {
        access.requireForAll(Permission.OPERATIONS_READ);
        return recounts.list(page);
    }

    /**
     * The newest one of all restaurants that is done. Half a read unit for each 4 KB of the list down to it, some fifteen
     * recounts.
     */
    public Optional<Recount> lastOfAll(Access access) {
        access.requireForAll(Permission.OPERATIONS_READ);
        return recounts.lastOfAll();
    }

    /** Drifts that a recount found, by restaurant. Half a read unit for each 4 KB, some ten restaurants. */
    public Page<Drift> drifts(Access access, Recount.Id id, PageRequest page) {
        access.requireForAll(Permission.OPERATIONS_READ);
        return recounts.drifts(id, page);
    }

    /** The recount that a task of {@link #TYPE} does, as its payload says; empty where it says none. */
    public static Optional<Recount.Id> recountOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> fields && fields.get("recount") instanceof String id
                ? Optional.of(new Recount.Id(id))
                : Optional.empty();
    }

    /** Number of restaurants that this process has corrected since it began. */
    public long corrections() {
        return restaurants.corrections();
    }
}
