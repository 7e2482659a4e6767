package io.menuboard.favorites;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Low watermarks of counting and ranking: heartbeats at {@code FAVBEAT}/{@code META}, the time up to which everything is
 * counted at {@code FAVBEAT}/{@code COUNTED}; the times up to which what was noted is ranked at {@code FAVSWEEP}/{@code
 * RANKED}, an attribute for each window, and up to which a window has moved on at {@code FAVSWEEP}/{@code {window}}.
 */
final class DynamoWatermarks {
    /** Type of the item of heartbeats. */
    static final String HEARTBEAT_TYPE = "favoriteBeat";

    private static final Key HEARTBEAT = new Key("FAVBEAT", "META");
    private static final Key COUNTED = new Key("FAVBEAT", "COUNTED");
    private static final Key RANKED = new Key("FAVSWEEP", "RANKED");

    /** Watermark of instances of the version before, which rank in all windows. */
    private static final Key RANKED_IN_ALL = new Key("FAVSWEEP", "NOTED");

    private static final String AT = "at";
    private static final String UP_TO = "upTo";
    private static final String SWEEP_TYPE = "favoriteSweep";

    private final QueryDb db;

    DynamoWatermarks(QueryDb db) {
        this.db = db;
    }

    /** Sends a heartbeat, which has the time. One write unit. */
    void writeHeartbeat(Instant now) {
        db.save(
                Item.at(HEARTBEAT)
                        .type(HEARTBEAT_TYPE)
                        .number(AT, now.toEpochMilli())
                        .build(),
                SaveMode.ANY);
    }

    /** The latest heartbeat among these changes; null where there is none. */
    static @Nullable Instant latestHeartbeat(Collection<ChangeRecord> changes) {
        return changes.stream()
                .filter(change -> change.type().equals(HEARTBEAT_TYPE))
                .map(ChangeRecord::after)
                .filter(Objects::nonNull)
                .map(heartbeat -> Instant.ofEpochMilli(heartbeat.integer(AT)))
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Advances the time up to which everything is counted, unless it is later already. One write unit. */
    void counted(Instant upTo) {
        try {
            var at = upTo.toEpochMilli();
            db.update(
                    Update.of(COUNTED)
                            .type("favoritesCounted")
                            .set(AT, at)
                            .when(Condition.absent(AT).or(Condition.less(AT, at))),
                    item -> item.integer(AT) >= at);
        } catch (ConditionFailed _) {
            // It is at a later time.
        }
    }

    /** Time up to which everything is counted; {@link Instant#EPOCH} before anything was. Half a read unit. */
    Instant countedUpTo() {
        return findCountedUpTo().orElse(Instant.EPOCH);
    }

    /** As {@link #countedUpTo}; empty before anything was counted. */
    Optional<Instant> findCountedUpTo() {
        return db.get(COUNTED).map(item -> Instant.ofEpochMilli(item.integer(AT)));
    }

    /** Stores that every restaurant noted before then is ranked in these windows. One write unit. */
    void ranked(Set<FavoriteWindow> windows, Instant upTo) {
        // Where two do so at once it may go back a little, which is as true.
        var update = Update.of(RANKED).type(SWEEP_TYPE);
        for (var window : windows) {
            update = update.set(window.name(), upTo.toEpochMilli());
        }
        db.update(update);
    }

    /** By window; {@link Instant#EPOCH} before anything was ranked. A read unit. */
    Map<FavoriteWindow, Instant> rankedUpTo() {
        var items = db.getBatch(List.of(RANKED, RANKED_IN_ALL));
        var inAll = items.getLast().map(item -> instant(item, UP_TO)).orElse(Instant.EPOCH);
        var upTo = new EnumMap<FavoriteWindow, Instant>(FavoriteWindow.class);
        Arrays.stream(FavoriteWindow.values()).forEach(window -> {
            var ranked =
                    items.getFirst().map(item -> instant(item, window.name())).orElse(Instant.EPOCH);
            upTo.put(window, ranked.isAfter(inAll) ? ranked : inAll);
        });
        return upTo;
    }

    /** In one window. A read unit. */
    Instant rankedUpTo(FavoriteWindow window) {
        return Objects.requireNonNull(rankedUpTo().get(window));
    }

    private static Instant instant(Item item, String attribute) {
        return item.findNumber(attribute)
                .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                .orElse(Instant.EPOCH);
    }

    /** Stores that the ranking of a window that moves on has moved on to that time. One write unit. */
    void moved(FavoriteWindow window, Instant upTo) {
        db.update(Update.of(moved(window)).type(SWEEP_TYPE).set(UP_TO, upTo.toEpochMilli()));
    }

    /** Time to which the ranking of a window has moved on; empty before it did. Half a read unit. */
    Optional<Instant> movedUpTo(FavoriteWindow window) {
        return db.get(moved(window)).map(item -> Instant.ofEpochMilli(item.integer(UP_TO)));
    }

    private static Key moved(FavoriteWindow window) {
        return new Key("FAVSWEEP", window.name());
    }
}
