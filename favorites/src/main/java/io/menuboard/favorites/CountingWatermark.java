package io.menuboard.favorites;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Low watermark of counted favorites, driven by heartbeats that take the same stream, pipe and queue: every so often the time
 * is written to {@code FAVBEAT}/{@code META}, and when that change has come to where marks are counted, it is noted at
 * {@code FAVBEAT}/{@code COUNTED}, less a margin. Events that failed, or were with an instance that died, and are delivered
 * again may still be missing then.
 */
final class CountingWatermark {
    static final String TYPE = "favoriteBeat";
    private static final Key HEARTBEAT = new Key("FAVBEAT", "META");
    private static final Key COUNTED = new Key("FAVBEAT", "COUNTED");
    private static final String AT = "at";

    /** A heartbeat may overtake marks that were made before it: those which others are just about to count. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private final QueryDb db;
    private final Clock clock;

    /** @param clock one that instances agree on */
    CountingWatermark(QueryDb db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Sends a heartbeat, which has the time. One write unit. */
    void writeHeartbeat() {
        db.save(Item.at(HEARTBEAT).type(TYPE).number(AT, clock.millis()).build(), SaveMode.ANY);
    }

    /** The latest heartbeat among these changes; null where there is none. */
    static @Nullable Instant latestHeartbeat(Collection<ChangeRecord> changes) {
        return changes.stream()
                .filter(change -> change.type().equals(TYPE))
                .map(ChangeRecord::after)
                .filter(Objects::nonNull)
                .map(heartbeat -> Instant.ofEpochMilli(heartbeat.integer(AT)))
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Advances to a heartbeat, now that it and all events that were delivered before it are counted. */
    void advanceTo(Instant heartbeat) {
        counted(heartbeat.minus(MARGIN));
    }

    /** Notes that everything up to then is counted. One write unit. */
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
            // A later one was noted.
        }
    }

    /** Up to when everything is counted; empty before anything was. Half a read unit. */
    Optional<Instant> countedUpTo() {
        return db.get(COUNTED).map(item -> Instant.ofEpochMilli(item.integer(AT)));
    }
}
