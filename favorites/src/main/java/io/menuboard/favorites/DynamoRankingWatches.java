package io.menuboard.favorites;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches of rankings, all in one item {@code FAVWATCH}/{@code META} with times for each window. */
final class DynamoRankingWatches {
    private static final Key KEY = new Key("FAVWATCH", "META");

    private final QueryDb db;

    DynamoRankingWatches(QueryDb db) {
        this.db = db;
    }

    /**
     * A ranking that is watched.
     *
     * @param from begin, since when it was watched without a pause
     * @param until end of the time for which what is counted is ranked in it at once
     * @param isLive true if what had been counted before is ranked in it too
     */
    record Watch(Instant from, Instant until, boolean isLive) {}

    /** All watches, also those that have ended. Half a read unit. */
    Map<FavoriteWindow, Watch> all() {
        return all(Consistency.EVENTUAL);
    }

    /** As {@link #all}, strongly consistent. One read unit. */
    Map<FavoriteWindow, Watch> latest() {
        return all(Consistency.STRONG);
    }

    private Map<FavoriteWindow, Watch> all(Consistency consistency) {
        var watches = new EnumMap<FavoriteWindow, Watch>(FavoriteWindow.class);
        db.get(KEY, consistency)
                .ifPresent(item -> Arrays.stream(FavoriteWindow.values()).forEach(window -> {
                    var watch = watch(item, window);
                    if (watch != null) {
                        watches.put(window, watch);
                    }
                }));
        return watches;
    }

    /**
     * Begins a watch where none is under way. One write unit.
     *
     * @return false where somebody else has just begun one
     */
    boolean begin(FavoriteWindow window, Watch watch) {
        var now = watch.from().toEpochMilli();
        try {
            db.update(Update.of(KEY)
                    .type("favoriteWatch")
                    .set(from(window), now)
                    .set(until(window), watch.until().toEpochMilli())
                    .remove(live(window))
                    .when(Condition.absent(until(window)).or(Condition.atMost(until(window), now))));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Extends the watch that is under way, if there is one. One write unit. */
    void extend(FavoriteWindow window, Instant now, Instant until) {
        updateIf(
                Condition.greater(until(window), now.toEpochMilli()),
                Update.of(KEY).set(until(window), until.toEpochMilli()));
    }

    /** Stores that everything that had been counted before this watch is ranked, unless another one has begun. One write unit. */
    void setLive(FavoriteWindow window, Watch watch) {
        updateIf(
                Condition.equal(from(window), watch.from().toEpochMilli()),
                Update.of(KEY).set(live(window), 1));
    }

    private void updateIf(Condition condition, Update update) {
        try {
            db.update(update.when(condition), _ -> false);
        } catch (ConditionFailed _) {
            // That watch has ended: the next viewer begins another one.
        }
    }

    private static @Nullable Watch watch(Item item, FavoriteWindow window) {
        var from = item.findNumber(from(window)).orElse(null);
        var until = item.findNumber(until(window)).orElse(null);
        return from == null || until == null
                ? null
                : new Watch(
                        Instant.ofEpochMilli(from.longValue()),
                        Instant.ofEpochMilli(until.longValue()),
                        item.findNumber(live(window)).isPresent());
    }

    private static String from(FavoriteWindow window) {
        return window + "From";
    }

    private static String until(FavoriteWindow window) {
        return window + "Until";
    }

    private static String live(FavoriteWindow window) {
        return window + "Live";
    }
}
