package io.menuboard.favorites;

import io.menuboard.access.CurrentAccess;
import io.menuboard.favorites.DynamoRecounts.Cursor;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Recounts, which compare counts with marks, asked for by people and every night. Each is a task, which goes on where
 * it was when its instance dies. Thread-safe.
 */
public final class Recounts {
    /** The type of tasks that recount; their payload has the {@code recount}'s id. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "recount");

    private static final Actor NIGHTLY = Actor.system("nightly recount", Actor.Source.SCHEDULER);
    private static final String KEY = "idempotencyKey";
    private static final int RECOUNTS_AT_ONCE = 1;
    private static final int RESTAURANTS_AT_ONCE = 8;
    private static final int RESTAURANTS_BETWEEN_NOTES = 64;

    private final DynamoRecounts recounts;
    private final RestaurantRecount restaurants;
    private final DynamoRollups rollups;
    private final TaskSubmission submission;
    private final Clock clock;
    private final LocalTime nightlyAt;

    /** The last night of which this instance knows that there is a recount. */
    private volatile @Nullable LocalDate startedFor;

    /** @param nightlyAt from when on in UTC, each day */
    Recounts(
            DynamoRecounts recounts,
            RestaurantRecount restaurants,
            DynamoRollups rollups,
            TaskSubmission submission,
            Clock clock,
            LocalTime nightlyAt) {
        this.recounts = recounts;
        this.restaurants = restaurants;
        this.rollups = rollups;
        this.submission = submission;
        this.clock = clock;
        this.nightlyAt = nightlyAt;
    }

    /**
     * Has counts compared with marks, soon.
     *
     * @param restaurant the only one to check; null for all that ever had a mark counted
     */
    public Recount start(Mode mode, @Nullable RestaurantId restaurant, Actor actor) {
        return started(recounts.newId(), mode, restaurant, actor);
    }

    /**
     * As {@link #start}, once for each idempotency key: whoever uses it again within a day is given the first recount. A
     * write unit more.
     *
     * @throws InvalidInput {@code INVALID_ID} on {@code idempotencyKey}, or {@code IDEMPOTENCY_KEY_REUSED} where it began a
     *     recount of another restaurant or in another mode
     */
    public Recount startOnce(String idempotencyKey, Mode mode, @Nullable RestaurantId restaurant, Actor actor) {
        Ids.check(KEY, idempotencyKey);
        var id = recounts.ofKey(idempotencyKey, mode, restaurant)
                .orElseThrow(() -> new InvalidInput(
                        "IDEMPOTENCY_KEY_REUSED",
                        KEY,
                        "must be another one: with this one, another recount was begun"));
        return started(id, mode, restaurant, actor);
    }

    /** Starts the recount of this day, once it is time, unless there is one. One write unit at most. */
    void nightly() {
        var now = clock.instant().atOffset(ZoneOffset.UTC);
        var today = now.toLocalDate();
        if (now.toLocalTime().isBefore(nightlyAt) || today.equals(startedFor)) {
            return;
        }
        started(recounts.ofNight(today), Mode.CORRECT, null, NIGHTLY);
        startedFor = today;
    }

    /** Doing it again for the same id makes nothing new. */
    private Recount started(RecountId id, Mode mode, @Nullable RestaurantId restaurant, Actor actor) {
        recounts.create(id, mode, restaurant, actor, clock.instant());
        var submitted = submission.submit(
                CurrentAccess.EVERYTHING.of(actor),
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
        return find(id).orElseThrow();
    }

    /**
     * One read unit, and, until it is done, half a unit for each 4 KB of what it found.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<Recount> find(RecountId id) {
        return recounts.find(id);
    }

    /** Finds those of the recounts that there are; each costs as {@link #find} does. */
    public List<Recount> findAll(List<RecountId> ids) {
        return recounts.findAll(ids);
    }

    /** Newest first; each costs as {@link #find} does, but half a read unit for each 4 KB of the list. */
    public Page<Recount> list(PageRequest page) {
        return recounts.list(page);
    }

    /**
     * The newest one of all restaurants that is done. Half a read unit for each 4 KB of the list down to it, some fifteen
     * recounts.
     */
    public Optional<Recount> lastOfAll() {
        return recounts.lastOfAll();
    }

    /** Drifts that a recount found, by restaurant. Half a read unit for each 4 KB, some ten restaurants. */
    public Page<Drift> drifts(RecountId id, PageRequest page) {
        return recounts.drifts(id, page);
    }

    /** The recount that a task of {@link #TYPE} does, as its payload says; empty where it says none. */
    public static Optional<RecountId> recountOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> fields && fields.get("recount") instanceof String id
                ? Optional.of(new RecountId(id))
                : Optional.empty();
    }

    /** Number of restaurants that this process has corrected since it began. */
    public long corrections() {
        return restaurants.corrections();
    }

    TaskWork work() {
        return new TaskWork(TYPE, RECOUNTS_AT_ONCE, this::handle);
    }

    private Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        var id =
                recountOf(task.payload()).orElseThrow(() -> TaskFailed.ofAnotherVersion("a payload without a recount"));
        var recount = recounts.find(id).orElseThrow(() -> new TaskFailed("there is no recount " + id, false));
        if (recount.finishedAt() == null) {
            recount(recount, task::progress);
        }
        var done = recounts.find(id).orElse(recount);
        return Json.of(Map.of("recount", id.value(), "checked", done.checked(), "drifted", done.drifted()));
    }

    /** Goes on where it was noted to be. */
    void recount(Recount recount, Consumer<TaskProgress> progress) throws InterruptedException {
        var checked = recount.checked();
        if (recount.restaurant() != null) {
            check(recount, List.of(recount.restaurant()));
            checked = 1;
        } else {
            var cursor = recounts.cursor(recount.id()).orElse(Cursor.BEGIN);
            while (cursor.shard() < rollups.shards()) {
                var next = rollups.restaurants(cursor.shard(), cursor.after(), RESTAURANTS_BETWEEN_NOTES);
                check(recount, next);
                checked += next.size();
                cursor = next.size() < RESTAURANTS_BETWEEN_NOTES
                        ? new Cursor(cursor.shard() + 1, null)
                        : new Cursor(cursor.shard(), next.getLast());
                recounts.advance(recount.id(), cursor, checked);
                progress.accept(new TaskProgress(
                        checked, null, String.format(Locale.ROOT, "%,d restaurants recounted", checked)));
            }
        }
        recounts.finish(recount.id(), checked, clock.instant());
    }

    /** Several at a time. */
    private void check(Recount recount, List<RestaurantId> some) throws InterruptedException {
        Concurrently.forEachInterruptibly(RESTAURANTS_AT_ONCE, some.stream(), restaurant -> restaurants
                .check(restaurant, recount.mode(), recount.by(), recount.id())
                .ifPresent(drift -> recounts.save(recount.id(), drift, clock.instant())));
    }
}
