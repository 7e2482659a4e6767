package io.menuboard.favorites;

import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Turns;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Takes out of rankings what has left their windows, each hour of the last 24 hours, each day of the others, and ranks what
 * was noted to be ranked later. How far the first is, is noted at {@code FAVSWEEP}/{@code {window}}. Being cut off, or done
 * twice at once, does no harm.
 */
final class FavoriteSweeps {
    private static final int AT_ONCE = 16;
    private static final String UP_TO = "upTo";
    private static final Set<FavoriteWindow> ALL = EnumSet.allOf(FavoriteWindow.class);

    /** Who ranks what was noted has so long for it before another one tries. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final QueryDb db;
    private final DynamoRanks dynamoRanks;
    private final FavoriteRanks ranks;
    private final RankNotes notes;
    private final Turns turns;
    private final Clock clock;
    private final Duration restEvery;
    private final Executor threads;

    /** @param restEvery how often what was noted is ranked though nobody looks */
    FavoriteSweeps(
            QueryDb db,
            DynamoRanks dynamoRanks,
            FavoriteRanks ranks,
            RankNotes notes,
            Clock clock,
            Duration restEvery,
            Executor threads) {
        this.db = db;
        this.dynamoRanks = dynamoRanks;
        this.ranks = ranks;
        this.notes = notes;
        this.turns = new Turns(db, clock);
        this.clock = clock;
        this.restEvery = restEvery;
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
        try (var outdated = dynamoRanks.outdated(Span.at(window, now), now)) {
            rank(outdated, _ -> List.of(Span.at(window, clock.instant())));
        }
        db.update(
                key(window),
                Expression.of("SET #type = :type, #upTo = :upTo")
                        .name("#type", "type")
                        .name("#upTo", UP_TO)
                        .string(":type", "favoriteSweep")
                        .number(":upTo", tick.toEpochMilli()));
    }

    /** Some at once; returns when all are ranked. */
    private void rank(Stream<RestaurantId> restaurants, Function<RestaurantId, Collection<Span>> spans) {
        var places = new Semaphore(AT_ONCE);
        var done = new ArrayList<CompletableFuture<Void>>();
        restaurants.forEach(restaurant -> {
            places.acquireUninterruptibly();
            done.add(CompletableFuture.runAsync(() -> ranks.only(restaurant, spans.apply(restaurant)), threads)
                    .whenComplete((_, _) -> places.release()));
        });
        CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new)).join();
    }

    /**
     * Ranks all that was noted, in every window, if it is time for that: half a read unit where it is not. Else a read unit
     * for each 4 KB of notes and for each restaurant, and three write units for each of its counts that was not ranked yet.
     */
    void rankRest() {
        var now = clock.instant();
        var due = notes.rankedUpTo()
                .map(upTo -> upTo.plus(RankNotes.MARGIN).plus(restEvery))
                .filter(now::isBefore)
                .isEmpty();
        if (due && turns.take("favorite-rest", PATIENCE)) {
            rankNoted(ALL);
            notes.ranked(now.minus(RankNotes.MARGIN));
        }
    }

    /** Ranks all that was noted and not ranked since, in these windows. */
    void rankNoted(Set<FavoriteWindow> windows) {
        var now = clock.instant();
        var noted = new LinkedHashMap<RestaurantId, Set<Span>>();
        for (var note : notes.since(notes.rankedUpTo().orElse(Instant.EPOCH))) {
            var spans = windows.stream()
                    .flatMap(window -> Stream.of(Span.at(window, now), Span.at(window, note.at())))
                    .filter(span -> !span.window().isRolling() || span.equals(Span.at(span.window(), now)))
                    .toList();
            note.restaurants().forEach(restaurant -> noted.computeIfAbsent(restaurant, _ -> new HashSet<>())
                    .addAll(spans));
        }
        rank(noted.keySet().stream(), restaurant -> Objects.requireNonNull(noted.get(restaurant)));
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
