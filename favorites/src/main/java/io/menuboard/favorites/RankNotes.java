package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRankNotes.Note;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Collects restaurants that are counted into notes, by which they are ranked later (ADR 19). Thread-safe. */
final class RankNotes {
    private static final int MOST = 2_000;

    private final DynamoRankNotes notes;
    private final Clock clock;
    private final long everyNanos;
    private final Executor threads;

    private @Nullable Open open;
    private long next = System.nanoTime();

    /** @param every least time between two notes, which have what is counted in between */
    RankNotes(DynamoRankNotes notes, Clock clock, Duration every, Executor threads) {
        this.notes = notes;
        this.clock = clock;
        this.everyNanos = every.toNanos();
        this.threads = threads;
    }

    /** The note to be written next. */
    private record Open(Set<RestaurantId> restaurants, CompletableFuture<Void> written) {}

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
                notes.save(new Note(
                        clock.instant(), restaurants.subList(from, Math.min(restaurants.size(), from + MOST))));
            }
            note.written().complete(null);
        } catch (RuntimeException e) {
            // The edge of this thread: whoever waits has it, and what is not noted is delivered again.
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
}
