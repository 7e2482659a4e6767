package io.menuboard.favorites;

import io.menuboard.favorites.RankNotes.Note;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of rankings what has left their windows, each hour of the last 24 hours, each day of the others, and ranks what
 * was noted to be ranked later. Only rankings at which somebody looked within a day are kept so; the others are brought up to
 * date when somebody looks (ADR 19). Being cut
 * off, or done twice at once, does no harm.
 */
final class FavoriteSweeps {
    /** A week is kept for longer than its days are known. */
    private static final Duration WEEK_WAITS = Duration.ofDays(28);

    /** By then a restaurant is in the list of restaurants, however far that is behind. */
    private static final Duration LISTED = Duration.ofMinutes(5);

    /** Who ranks what was noted has so long for it before another one tries. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final RollingWindows windows;
    private final RankWriter writer;
    private final DynamoTallies tallies;
    private final RankNotes notes;
    private final WatchedRankings watched;
    private final Settings settings;

    /**
     * Settings of sweeps.
     *
     * @param restEvery how often what was noted is ranked though nobody looks
     * @param mostNotes where a ranking has missed more than so many notes, it is made from all tallies
     */
    record Settings(InstanceLeases leases, Clock clock, Duration restEvery, int mostNotes) {}

    FavoriteSweeps(
            RollingWindows windows,
            RankWriter writer,
            DynamoTallies tallies,
            RankNotes notes,
            WatchedRankings watched,
            Settings settings) {
        this.windows = windows;
        this.writer = writer;
        this.tallies = tallies;
        this.notes = notes;
        this.watched = watched;
        this.settings = settings;
    }

    private Instant now() {
        return settings.clock().instant();
    }

    private boolean acquire(String lease) {
        return settings.leases().acquire(lease, PATIENCE);
    }

    /**
     * Brings every ranking that moves on, and is kept, up to date. A read unit, and half a read unit for each where there is nothing to do; else it reads
     * the ranking, and ranks those that have changed.
     */
    void sweep() {
        watched.kept().stream().filter(FavoriteWindow::isRolling).forEach(windows::moveOn);
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
        notes.rankedUpTo().forEach((window, upTo) -> {
            if (isDue(window, kept.contains(window), Duration.between(upTo, now))) {
                due.add(window);
            }
        });
        if (!due.isEmpty() && acquire("favorite-rest")) {
            due.addAll(kept);
            rank(missed(due));
        }
    }

    private boolean isDue(FavoriteWindow window, boolean isKept, Duration behind) {
        return isKept
                ? behind.compareTo(RankNotes.MARGIN.plus(settings.restEvery())) >= 0
                : window == FavoriteWindow.WEEK && behind.compareTo(WEEK_WAITS) >= 0;
    }

    /** A ranking that is kept is no more than that behind, while all goes well. */
    Duration mostBehind() {
        return settings.restEvery().plus(RankNotes.MARGIN.multipliedBy(2)).plus(EVERY);
    }

    /**
     * Brings a ranking up to date, and those of the same window that are over, whatever they have missed: for who looks at
     * it. Costs as {@link #rankRest}; where more was missed than is noted, or can be read in a moment, a read unit or two for
     * each restaurant that was ever marked. What was not kept is brought up to date by one instance at a time.
     *
     * @return false where another instance is at it
     */
    boolean catchUp(FavoriteWindow window) {
        var isLong = Duration.between(notes.rankedUpTo(window), now()).compareTo(mostBehind()) > 0;
        if (isLong && !acquire(window)) {
            return false;
        }
        var missed = missed(EnumSet.of(window));
        if (missed.noted() == null && !isLong && !acquire(window)) {
            return false;
        }
        if (window.isRolling()) {
            windows.moveOn(window);
        }
        rank(missed);
        return true;
    }

    private boolean acquire(FavoriteWindow window) {
        return acquire("favorite-all-" + window);
    }

    /**
     * What rankings have missed.
     *
     * @param upTo since when, by window
     * @param noted in which of them which restaurants may have changed; null where that is not known
     */
    private record Missed(
            Map<FavoriteWindow, Instant> upTo, @Nullable Map<RestaurantId, Set<Span>> noted, Instant now) {

        Instant since() {
            return Collections.min(upTo.values());
        }
    }

    private Missed missed(Set<FavoriteWindow> windows) {
        var now = now();
        var upTo = notes.rankedUpTo();
        upTo.keySet().retainAll(windows);
        var since = Collections.min(upTo.values());
        return new Missed(upTo, since.isBefore(now.minus(RankNotes.REACH)) ? null : noted(windows, since, now), now);
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

    private void rank(Missed missed) {
        var noted = missed.noted();
        if (noted != null) {
            writer.rankAll(noted.keySet().stream(), restaurant -> Objects.requireNonNull(noted.get(restaurant)));
        } else {
            var spans = new ArrayList<Span>();
            missed.upTo().forEach((window, upTo) -> spans.addAll(since(window, upTo, missed.now())));
            try (var all = everyRestaurant(missed.now())) {
                writer.rankAll(all, _ -> spans);
            }
        }
        if (missed.since().isBefore(missed.now().minus(RankNotes.MARGIN.multipliedBy(2)))) {
            notes.ranked(missed.upTo().keySet(), missed.now().minus(RankNotes.MARGIN));
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
        var listed = IntStream.range(0, tallies.shards()).boxed().flatMap(tallies::restaurants);
        var late = notes.since(now.minus(LISTED)).flatMap(note -> note.restaurants().stream());
        return Stream.concat(listed, late).distinct();
    }

    /** Until when what was counted is ranked. Half a read unit. */
    Instant rankedUpTo(FavoriteWindow window) {
        return notes.rankedUpTo(window);
    }

    /** As {@link RollingWindows#sweptUpTo}. */
    Instant sweptUpTo(FavoriteWindow window) {
        return windows.sweptUpTo(window);
    }

    /** How often somebody looks whether there is anything to do. */
    static final Duration EVERY = Duration.ofSeconds(30);
}
