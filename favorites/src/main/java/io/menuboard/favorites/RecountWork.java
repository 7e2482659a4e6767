package io.menuboard.favorites;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Permission;
import io.menuboard.favorites.DynamoRecounts.Cursor;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.favorites.Recount.Outcome;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the tasks that recount, where who asked for them still may. Thread-safe. */
final class RecountWork {
    private static final Logger log = LoggerFactory.getLogger(RecountWork.class);
    private static final int RECOUNTS_AT_ONCE = 1;
    private static final int RESTAURANTS_AT_ONCE = 8;
    private static final int RESTAURANTS_BETWEEN_NOTES = 64;

    private final DynamoRecounts recounts;
    private final RestaurantRecount restaurants;
    private final DynamoRollups rollups;
    private final CurrentAccess current;
    private final Clock clock;

    RecountWork(
            DynamoRecounts recounts,
            RestaurantRecount restaurants,
            DynamoRollups rollups,
            CurrentAccess current,
            Clock clock) {
        this.recounts = recounts;
        this.restaurants = restaurants;
        this.rollups = rollups;
        this.current = current;
        this.clock = clock;
    }

    TaskWork work() {
        return new TaskWork(Recounts.TYPE, RECOUNTS_AT_ONCE, this::handle);
    }

    private Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        var id = Recounts.recountOf(task.payload())
                .orElseThrow(() -> TaskFailed.ofAnotherVersion("a payload without a recount"));
        var recount = recounts.find(id).orElseThrow(() -> new TaskFailed("there is no recount " + id, false));
        if (recount.finishedAt() == null) {
            if (!current.of(recount.by()).isForAll(Permission.OPERATIONS_ACT)) {
                throw new TaskFailed(recount.by().name() + ", who asked for it, may not recount any more", false);
            }
            recount(recount, task::progress);
        }
        var done = recounts.find(id).orElse(recount);
        return Json.of(Map.of("recount", id.value(), "checked", done.checked(), "drifted", done.drifted()));
    }

    /** Goes on where it was noted to be. */
    void recount(Recount recount, Consumer<TaskProgress> progress) throws InterruptedException {
        var unfinished = new HashMap<RestaurantId, Drift>();
        if (recount.mode() == Mode.CORRECT) {
            // Of these nothing may differ any more, but what a process counted before it died may not be ranked.
            for (var one : recounts.unfinished(recount.id())) {
                restaurants.rank(one.drift().restaurant(), one.unranked());
                unfinished.put(one.drift().restaurant(), one.drift());
            }
        }
        var checked = recount.checked();
        if (recount.restaurant() != null) {
            check(recount, List.of(recount.restaurant()), unfinished);
            checked = 1;
        } else {
            var cursor = recounts.cursor(recount.id()).orElse(Cursor.BEGIN);
            while (cursor.shard() < rollups.shards()) {
                var next = rollups.restaurants(cursor.shard(), cursor.after(), RESTAURANTS_BETWEEN_NOTES);
                check(recount, next, unfinished);
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

    /**
     * Several at a time.
     *
     * @param unfinished what was found before, and perhaps corrected
     */
    private void check(Recount recount, List<RestaurantId> some, Map<RestaurantId, Drift> unfinished)
            throws InterruptedException {
        Concurrently.forEachInterruptibly(
                RESTAURANTS_AT_ONCE, some.stream(), restaurant -> check(restaurant, recount, unfinished.get(restaurant))
                        .ifPresent(drift -> recounts.save(recount.id(), drift, List.of(), clock.instant())));
    }

    private Optional<Drift> check(RestaurantId restaurant, Recount recount, @Nullable Drift before)
            throws InterruptedException {
        var noted = new AtomicReference<@Nullable Drift>(before);
        Optional<Drift> left;
        try {
            left = restaurants.check(restaurant, recount, (drift, unranked) -> {
                var note = isBusy(before) ? drift.with(Outcome.BUSY) : drift;
                recounts.save(recount.id(), note, unranked, clock.instant());
                noted.set(note);
            });
        } catch (UnreadableItem e) {
            // It keeps none of the other restaurants from being checked.
            log.warn("not recounted: restaurant={}", restaurant, e);
            left = Optional.of(Drift.undecided(restaurant, clock.instant(), Outcome.UNREADABLE));
        }
        return outcome(before, noted.get(), left);
    }

    private static boolean isBusy(@Nullable Drift drift) {
        return drift != null && drift.outcome() == Outcome.BUSY;
    }

    /**
     * What came of a restaurant, by what was noted of it, and by what is left:
     *
     * <table>
     * <caption>Outcomes</caption>
     * <tr><th>noted</th><th>nothing left</th><th>left, undecided</th><th>left, decided</th></tr>
     * <tr><td>nothing</td><td>nothing</td><td>what is left</td><td>what is left</td></tr>
     * <tr><td>FOUND</td><td>what was noted</td><td>what was noted</td><td>what is left</td></tr>
     * <tr><td>FOUND before: perhaps something was corrected</td><td>CORRECTED</td><td>what was noted</td><td>what is left</td></tr>
     * <tr><td>BUSY: something was corrected</td><td>CORRECTED</td><td>what was noted</td><td>what was noted</td></tr>
     * </table>
     *
     * @param before noted by a process that died
     */
    private static Optional<Drift> outcome(@Nullable Drift before, @Nullable Drift noted, Optional<Drift> left) {
        if (noted == null) {
            return left;
        }
        if (left.isEmpty()) {
            return Optional.of(before != null || isBusy(noted) ? noted.with(Outcome.CORRECTED) : noted);
        }
        return isBusy(noted) || !left.get().outcome().isDecided() ? Optional.of(noted) : left;
    }
}
