package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRankNotes.Note;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes out of rankings what has left their windows, each hour of the last 24 hours, each day of the others, and ranks what
 * was noted to be ranked later. Only rankings that somebody viewed within a day are kept so; the others are brought up to date
 * when somebody views them (ADR 19). Being cut off, or done twice at once, does no harm.
 */
final class FavoriteSweeps {
    private static final Logger log = LoggerFactory.getLogger(FavoriteSweeps.class);

    /** A week is kept for longer than its days are known. */
    private static final Duration WEEK_WAITS = Duration.ofDays(28);

    /** By then a restaurant is in the list of restaurants, however far that is behind. */
    private static final Duration LISTED = Duration.ofMinutes(5);

    /** Time after which another instance ranks what was noted, where the one that was at it says no more that it is. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration RENEWAL_INTERVAL = PATIENCE.dividedBy(3);

    private final RankWriter writer;
    private final DynamoRollups rollups;
    private final DynamoRankNotes notes;
    private final DynamoWatermarks watermarks;
    private final WatchedRankings watched;
    private final Settings settings;

    /**
     * Settings of sweeps.
     *
     * @param restEvery interval in which what was noted is ranked without viewers
     * @param mostNotes a ranking that has missed more notes is made from all rollups
     */
    record Settings(InstanceLeases leases, Clock clock, Duration restEvery, int mostNotes) {}

    FavoriteSweeps(
            RankWriter writer,
            DynamoRollups rollups,
            DynamoRankNotes notes,
            DynamoWatermarks watermarks,
            WatchedRankings watched,
            Settings settings) {
        this.writer = writer;
        this.rollups = rollups;
        this.notes = notes;
        this.watermarks = watermarks;
        this.watched = watched;
        this.settings = settings;
    }

    private Instant now() {
        return settings.clock().instant();
    }

    /** The lease of an instance for ranking, as long as that takes and a minute at least. Used by one thread. */
    private final class RankingLease {
        private final String name;
        private final String holder = UUID.randomUUID().toString();
        private @Nullable Instant renewAt;

        RankingLease(String name) {
            this.name = name;
        }

        boolean acquire() {
            renewAt = now().plus(RENEWAL_INTERVAL);
            return settings.leases().hold(name, holder, PATIENCE);
        }

        /** Once in a while, where it was acquired. That it fails, or another instance has it by now, does no harm. */
        void renew() {
            if (renewAt != null && !now().isBefore(renewAt)) {
                try {
                    acquire();
                } catch (QueryDbException e) {
                    QueryDbException.warn(log, e, "lease for ranking not renewed: name={}", name);
                }
            }
        }

        /** Where it was acquired. That it fails does no harm: the lease ends by itself. */
        void release() {
            if (renewAt != null) {
                try {
                    settings.leases().release(name, holder);
                } catch (QueryDbException e) {
                    QueryDbException.warn(log, e, "lease for ranking not released: name={}", name);
                }
            }
        }
    }

    /**
     * Brings every ranking that moves on, and is kept, up to date. A read unit, and half a read unit for each where there is nothing to do; else it reads
     * the ranking, and ranks those that have changed, and what was noted: where others have lost marks, that may be among the first
     * places.
     */
    void sweep() {
        watched.kept().stream()
                .filter(FavoriteWindow::isRolling)
                .forEach(window -> moveOn(window, () -> {}, () -> rankNoted(window)));
    }

    /** Leaves it to {@link #rankRest} where more was missed than is noted, or can be read in a moment. */
    private void rankNoted(FavoriteWindow window) {
        var missed = missed(EnumSet.of(window));
        if (missed.noted() != null) {
            rank(missed, () -> {});
        }
    }

    /**
     * Ranks all that was noted, in rankings that are kept, if it is time for that: a read unit and a half where it is not.
     * Else a read unit for each 4 KB of notes and for each restaurant, and three write units for each of its counts that
     * was not ranked yet.
     */
    void rankRest() {
        var now = now();
        var kept = watched.kept();
        var due = EnumSet.noneOf(FavoriteWindow.class);
        watermarks.rankedUpTo().forEach((window, upTo) -> {
            if (isDue(window, kept.contains(window), Duration.between(upTo, now))) {
                due.add(window);
            }
        });
        var lease = new RankingLease("favorite-rank-rest");
        if (!due.isEmpty() && lease.acquire()) {
            due.addAll(kept);
            rank(missed(due), lease::renew);
        }
    }

    private boolean isDue(FavoriteWindow window, boolean isKept, Duration behind) {
        return isKept
                ? behind.compareTo(DynamoRankNotes.MARGIN.plus(settings.restEvery())) >= 0
                : window == FavoriteWindow.WEEK && behind.compareTo(WEEK_WAITS) >= 0;
    }

    /** A ranking that is kept is no more than that behind, while all goes well. */
    Duration mostBehind() {
        return settings.restEvery().plus(DynamoRankNotes.MARGIN.multipliedBy(2)).plus(EVERY);
    }

    /**
     * Brings a ranking up to date, and those of the same window that are over, whatever they have missed: for whoever views
     * it. Costs as {@link #rankRest}; where more was missed than is noted, or can be read in a moment, a read unit or two for
     * each restaurant that was ever marked. What was not kept is brought up to date by one instance at a time, for a write unit
     * each twenty seconds. Where it fails, whoever comes next begins again.
     *
     * @return false where another instance is at it
     */
    boolean catchUp(FavoriteWindow window) {
        var lease = new RankingLease("favorite-rank-all-" + window);
        try {
            return catchUp(window, lease);
        } catch (RuntimeException e) {
            // Whoever views it next tries again, and must not wait until the lease ends.
            lease.release();
            throw e;
        }
    }

    private boolean catchUp(FavoriteWindow window, RankingLease lease) {
        var isLong = Duration.between(watermarks.rankedUpTo(window), now()).compareTo(mostBehind()) > 0;
        if (isLong && !lease.acquire()) {
            return false;
        }
        var missed = missed(EnumSet.of(window));
        if (missed.noted() == null && !isLong && !lease.acquire()) {
            return false;
        }
        if (window.isRolling()) {
            moveOn(window, lease::renew, () -> {});
        }
        rank(missed, lease::renew);
        return true;
    }

    /**
     * Events that rankings have missed.
     *
     * @param upTo time since when, by window
     * @param noted restaurants that may have changed, and in which rankings; null where that is not known
     */
    private record Missed(
            Map<FavoriteWindow, Instant> upTo, @Nullable Map<RestaurantId, Set<Span>> noted, Instant now) {

        Instant since() {
            return Collections.min(upTo.values());
        }
    }

    private Missed missed(Set<FavoriteWindow> windows) {
        var now = now();
        var upTo = watermarks.rankedUpTo();
        upTo.keySet().retainAll(windows);
        var since = Collections.min(upTo.values());
        return new Missed(
                upTo, since.isBefore(now.minus(DynamoRankNotes.REACH)) ? null : noted(windows, since, now), now);
    }

    private @Nullable Map<RestaurantId, Set<Span>> noted(Set<FavoriteWindow> windows, Instant since, Instant now) {
        var noted = new LinkedHashMap<RestaurantId, Set<Span>>();
        try (var all = notes.since(since)) {
            var read = 0;
            for (var note : (Iterable<Note>) all::iterator) {
                read++;
                if (read > settings.mostNotes()) {
                    return null;
                }
                var spans = windows.stream()
                        .flatMap(window -> Stream.of(Span.at(window, now), Span.at(window, note.at())))
                        .filter(span -> !span.window().isRolling() || span.equals(Span.at(span.window(), now)))
                        .toList();
                note.restaurants().forEach(restaurant -> noted.computeIfAbsent(restaurant, _ -> new HashSet<>())
                        .addAll(spans));
            }
        }
        return noted;
    }

    /** @param before done before each restaurant */
    private void rank(Missed missed, Runnable before) {
        var noted = missed.noted();
        if (noted != null) {
            writer.rankAll(
                    noted.keySet().stream().peek(_ -> before.run()),
                    restaurant -> Objects.requireNonNull(noted.get(restaurant)));
        } else {
            var spans = new ArrayList<Span>();
            missed.upTo().forEach((window, upTo) -> spans.addAll(since(window, upTo, missed.now())));
            try (var all = everyRestaurant(missed.now())) {
                writer.rankAll(all.peek(_ -> before.run()), _ -> spans);
            }
        }
        if (missed.since().isBefore(missed.now().minus(DynamoRankNotes.MARGIN.multipliedBy(2)))) {
            watermarks.ranked(missed.upTo().keySet(), missed.now().minus(DynamoRankNotes.MARGIN));
        }
    }

    /** Every ranking of a window that was under way then or later, and can still be made. */
    private static List<Span> since(FavoriteWindow window, Instant then, Instant now) {
        var spans = new ArrayList<Span>();
        var next = Optional.of(Span.at(window, now));
        while (next.filter(span -> (span.to() == null || span.to().isAfter(then)) && DynamoRanks.canBeMade(span, now))
                .isPresent()) {
            spans.add(next.get());
            next = next.get().previous();
        }
        return spans;
    }

    /** Those that are listed, and those counted of late, which may be missing in the list. */
    private Stream<RestaurantId> everyRestaurant(Instant now) {
        var listed = IntStream.range(0, rollups.shards()).boxed().flatMap(rollups::restaurants);
        var late = notes.since(now.minus(LISTED)).flatMap(note -> note.restaurants().stream());
        return Stream.concat(listed, late).distinct();
    }

    /** Time up to which what was counted is ranked. A read unit. */
    Instant rankedUpTo(FavoriteWindow window) {
        return watermarks.rankedUpTo(window);
    }

    /**
     * Brings a ranking that moves on up to date. Half a read unit where there is nothing to do.
     *
     * @param before done before each restaurant
     * @param further what is to be done before it counts as moved on
     */
    private void moveOn(FavoriteWindow window, Runnable before, Runnable further) {
        var now = now();
        var tick = now.truncatedTo(window.step());
        if (watermarks.movedUpTo(window).filter(upTo -> !upTo.isBefore(tick)).isPresent()) {
            return;
        }
        writer.rankOutdated(window, now, before);
        further.run();
        watermarks.moved(window, tick);
    }

    /**
     * Time for which a ranking that moves on is true, as far as that goes: now, or when the window moved on for the first
     * time without it. Half a read unit.
     */
    Instant sweptUpTo(FavoriteWindow window) {
        var now = now();
        var tick = now.truncatedTo(window.step());
        return watermarks
                .movedUpTo(window)
                .map(upTo -> upTo.isBefore(tick) ? upTo.plus(1, window.step()) : now)
                .orElse(tick);
    }

    /** Interval of {@link #sweep} and {@link #rankRest}. */
    static final Duration EVERY = Duration.ofSeconds(30);
}
