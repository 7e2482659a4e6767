package io.menuboard.favorites;

import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Takes out of rankings what has left their windows, each hour of the last 24 hours, each day of the others. How far windows
 * are moved on is noted at {@code FAVSWEEP}/{@code {window}}. Being cut off, or done twice at once, does no harm.
 */
final class RollingWindows {
    private static final String UP_TO = "upTo";

    private final QueryDb db;
    private final DynamoRanks ranks;
    private final RankWriter writer;
    private final Clock clock;

    RollingWindows(QueryDb db, DynamoRanks ranks, RankWriter writer, Clock clock) {
        this.db = db;
        this.ranks = ranks;
        this.writer = writer;
        this.clock = clock;
    }

    /** Brings a ranking that moves on up to date. Half a read unit where there is nothing to do. */
    void moveOn(FavoriteWindow window) {
        var now = clock.instant();
        var tick = now.truncatedTo(window.step());
        if (upTo(window).filter(upTo -> !upTo.isBefore(tick)).isPresent()) {
            return;
        }
        try (var outdated = ranks.outdated(Span.at(window, now), now)) {
            writer.rankAll(outdated, _ -> List.of(Span.at(window, clock.instant())));
        }
        db.update(Update.of(key(window)).type("favoriteSweep").set(UP_TO, tick.toEpochMilli()));
    }

    /**
     * Until when the ranking is true, as far as this goes: now, or when the window moved on for the first time without it.
     * Half a read unit.
     */
    Instant sweptUpTo(FavoriteWindow window) {
        var now = clock.instant();
        var tick = now.truncatedTo(window.step());
        return upTo(window)
                .map(upTo -> upTo.isBefore(tick) ? upTo.plus(1, window.step()) : now)
                .orElse(tick);
    }

    private Optional<Instant> upTo(FavoriteWindow window) {
        return db.get(key(window)).map(item -> Instant.ofEpochMilli(item.integer(UP_TO)));
    }

    private static Key key(FavoriteWindow window) {
        return new Key("FAVSWEEP", window.name());
    }
}
