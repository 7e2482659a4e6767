package io.menuboard.favorites;

import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Takes out of rankings what has left their windows: each hour of the last 24 hours, each day of the others. How far that
 * is, is noted at {@code FAVSWEEP}/{@code {window}}. Being cut off, or done twice at once, does no harm.
 */
final class FavoriteSweeps {
    private static final int AT_ONCE = 16;
    private static final String UP_TO = "upTo";

    private final QueryDb db;
    private final DynamoRanks dynamoRanks;
    private final FavoriteRanks ranks;
    private final Clock clock;
    private final Executor threads;

    FavoriteSweeps(QueryDb db, DynamoRanks dynamoRanks, FavoriteRanks ranks, Clock clock, Executor threads) {
        this.db = db;
        this.dynamoRanks = dynamoRanks;
        this.ranks = ranks;
        this.clock = clock;
        this.threads = threads;
    }

    /**
     * Brings every ranking that moves on up to date. Half a read unit for each where there is nothing to do; else it reads
     * the ranking, and ranks those that have changed.
     */
    void sweep() {
        Arrays.stream(FavoriteWindow.values()).filter(FavoriteWindow::isRolling).forEach(this::sweep);
    }

    private void sweep(FavoriteWindow window) {
        var now = clock.instant();
        var tick = now.truncatedTo(window.step());
        if (upTo(window).filter(upTo -> !upTo.isBefore(tick)).isPresent()) {
            return;
        }
        var places = new Semaphore(AT_ONCE);
        var done = new ArrayList<CompletableFuture<Void>>();
        try (var outdated = dynamoRanks.outdated(Span.at(window, now), now)) {
            outdated.forEach(restaurant -> {
                places.acquireUninterruptibly();
                done.add(CompletableFuture.runAsync(() -> ranks.now(restaurant, window), threads)
                        .whenComplete((_, _) -> places.release()));
            });
        }
        CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new)).join();
        db.update(
                key(window),
                Expression.of("SET #type = :type, #upTo = :upTo")
                        .name("#type", "type")
                        .name("#upTo", UP_TO)
                        .string(":type", "favoriteSweep")
                        .number(":upTo", tick.toEpochMilli()));
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

    /** How often somebody looks whether there is anything to do. */
    static final Duration EVERY = Duration.ofSeconds(30);
}
