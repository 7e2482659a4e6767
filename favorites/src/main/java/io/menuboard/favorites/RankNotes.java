package io.menuboard.favorites;

import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which restaurants were counted, for who ranks them later: items {@code FAVNOTED}/{@code {time}#{id}} with as many as one
 * instance counted within a moment, kept for a week. Up to when all of them are ranked in a window is noted at
 * {@code FAVSWEEP}/{@code RANKED}, an attribute for each. Thread-safe.
 */
final class RankNotes {
    /** A note may be found so long after the time that it has, if writing it took all attempts. */
    static final Duration MARGIN = Duration.ofMinutes(1);

    private static final String PARTITION = "FAVNOTED";
    private static final Key RANKED = new Key("FAVSWEEP", "RANKED");

    /** Where instances of the version before, which rank in all windows, note how far they are. */
    private static final Key RANKED_IN_ALL = new Key("FAVSWEEP", "NOTED");

    private static final String UP_TO = "upTo";
    private static final String RESTAURANTS = "restaurants";
    private static final Duration KEPT = Duration.ofDays(7);

    /** So far back every note is still there. */
    static final Duration REACH = KEPT.minusDays(1);

    private static final int MOST = 2_000;

    /** No sort key is greater. */
    private static final String LAST = "\uDBFF\uDFFF";

    private final QueryDb db;
    private final Clock clock;
    private final long everyNanos;
    private final Executor threads;

    private @Nullable Open open;
    private long next = System.nanoTime();

    /** @param every the least time between two notes, which have what is counted in between */
    RankNotes(QueryDb db, Clock clock, Duration every, Executor threads) {
        this.db = db;
        this.clock = clock;
        this.everyNanos = every.toNanos();
        this.threads = threads;
    }

    /** The note to be written next. */
    private record Open(Set<RestaurantId> restaurants, CompletableFuture<Void> written) {}

    /** That these restaurants were counted at about that time. */
    record Note(Instant at, List<RestaurantId> restaurants) {}

    /** Notes the restaurant, with others: a write unit for each KB, some fifty of them. Done once that is written. */
    synchronized CompletableFuture<Void> add(RestaurantId restaurant) {
        var now = open;
        if (now == null) {
            now = new Open(new LinkedHashSet<>(), new CompletableFuture<>());
            var begun = now;
            threads.execute(() -> write(begun));
            open = now;
        }
        now.restaurants().add(restaurant);
        return now.written();
    }

    private void write(Open note) {
        try {
            sleepUntilNext();
            var restaurants = close(note);
            for (var from = 0; from < restaurants.size(); from += MOST) {
                write(restaurants.subList(from, Math.min(restaurants.size(), from + MOST)));
            }
            note.written().complete(null);
        } catch (RuntimeException e) {
            // The edge of this thread: whoever waits has it, and what is not noted comes again.
            close(note);
            note.written().completeExceptionally(e);
        }
    }

    private synchronized List<RestaurantId> close(Open note) {
        if (note.equals(open)) {
            open = null;
            next = System.nanoTime() + everyNanos;
        }
        return List.copyOf(note.restaurants());
    }

    private void sleepUntilNext() {
        var nanos = next() - System.nanoTime();
        if (nanos > 0) {
            try {
                Thread.sleep(Duration.ofNanos(nanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted before noting", e);
            }
        }
    }

    private synchronized long next() {
        return next;
    }

    private void write(List<RestaurantId> restaurants) {
        var now = clock.instant();
        db.save(
                Item.at(new Key(PARTITION, Key.sortable(now) + "#" + UUID.randomUUID()))
                        .type("favoriteNote")
                        .strings(
                                RESTAURANTS,
                                restaurants.stream().map(RestaurantId::value).toList())
                        .ttl(now.plus(KEPT))
                        .build(),
                SaveMode.ANY);
    }

    /** The oldest first. Strongly consistent: a read unit for each 4 KB, some two hundred restaurants. To be closed. */
    Stream<Note> since(Instant instant) {
        var query = Query.table("favorite notes", PARTITION).between(Key.sortable(instant), LAST);
        return db.all(query, Consistency.STRONG).map(RankNotes::note);
    }

    private static Note note(Item item) {
        var sort = item.key().sort();
        return new Note(
                Instant.parse(sort.substring(0, sort.indexOf('#'))),
                item.strings(RESTAURANTS).stream().map(RestaurantId::new).toList());
    }

    /** Notes that every restaurant noted before then is ranked in these windows. One write unit. */
    void ranked(Set<FavoriteWindow> windows, Instant upTo) {
        // Where two do so at once it may go back a little, which is as true.
        var update = Update.of(RANKED).type("favoriteSweep");
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
}
