package io.menuboard.favorites;

import io.menuboard.favorites.DynamoFavorites.Mark;
import io.menuboard.favorites.DynamoRollups.Listing;
import io.menuboard.favorites.MarkEvent.Kind;
import io.menuboard.favorites.Recount.Difference;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Reads what is counted of a restaurant, and its marks, to be compared. Thread-safe. */
final class RecountSnapshots {
    private static final int MOST_AT_ONCE = 10_000;

    /** By then a mark is in the list of marks, however far that is behind. */
    private static final Duration LISTED = Duration.ofHours(1);

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private final DynamoFavorites marks;
    private final DynamoEventLedger ledger;
    private final DynamoRollups rollups;
    private final RankWriter ranks;
    private final WatchedRankings watched;
    private final Settings settings;

    /**
     * Settings of reading.
     *
     * @param mostMarks most marks of a restaurant that are held in memory; the others are in a temporary file
     * @param mostUndelivered most undelivered events that a snapshot has
     */
    record Settings(Clock clock, int mostMarks, int mostUndelivered) {}

    RecountSnapshots(
            DynamoFavorites marks,
            DynamoEventLedger ledger,
            DynamoRollups rollups,
            RankWriter ranks,
            WatchedRankings watched,
            Settings settings) {
        this.marks = marks;
        this.ledger = ledger;
        this.rollups = rollups;
        this.ranks = ranks;
        this.watched = watched;
        this.settings = settings;
    }

    /**
     * Counts and marks at about the same time.
     *
     * @param listing read before all else
     * @param notCounted marks that are there
     * @param undelivered numbers of events of marks that are there no more, of which only the other event was counted
     * @param hasAllUndelivered false where there are more of these
     * @param differences windows that tell of any of it
     * @param isSure false where the list of marks seems to be behind the marks themselves: then nobody knows how many there are;
     *     or where events that a correction has reconciled are not seen yet
     */
    record Snapshot(
            Listing listing,
            SortedMap<Integer, Rollup> counters,
            Rollup counted,
            Rollup recounted,
            List<MarkEvent> notCounted,
            List<Long> undelivered,
            boolean hasAllUndelivered,
            List<Difference> differences,
            boolean isSure,
            Instant at) {

        boolean isClean() {
            return isSure
                    && notCounted.isEmpty()
                    && undelivered.isEmpty()
                    && differences.isEmpty()
                    && counted.countsAs(recounted);
        }

        /** Only what is missing in both, which was never delivered: this is sure also while other marks are counted. */
        Snapshot missingAlso(Snapshot later) {
            var both = new ArrayList<>(notCounted);
            both.retainAll(new HashSet<>(later.notCounted));
            return new Snapshot(listing, counters, recounted, recounted, both, List.of(), true, List.of(), true, at);
        }

        boolean agreesWith(Snapshot other) {
            return isSure == other.isSure
                    && listing.equals(other.listing)
                    && counters.equals(other.counters)
                    && counted.countsAs(other.counted)
                    && recounted.countsAs(other.recounted)
                    && notCounted.equals(other.notCounted)
                    && undelivered.equals(other.undelivered)
                    && hasAllUndelivered == other.hasAllUndelivered
                    && differences.equals(other.differences);
        }
    }

    /** Reads every mark, and eight bytes for each that ever was. */
    Snapshot read(RestaurantId restaurant) {
        var listing = rollups.listing(restaurant);
        var counters = rollups.all(restaurant);
        var now = settings.clock().instant();
        var hours = new TreeMap<Instant, Long>();
        var sum = Rollup.sum(counters.values());
        var counted = sum.known(now);
        var compared = compare(restaurant, listing, sum.months().keySet(), now, hours);
        // A mark that was taken back never comes again: it is still listed, but is not there.
        forEach(restaurant, compared.gone, gone -> hours.merge(gone.hour(), -1L, Long::sum));
        var listed = events(restaurant, compared.notCounted);
        var notCounted = listed.stream().flatMap(mark -> mark.event().stream()).toList();
        var recounted = Rollup.NOTHING.plus(hours, Instant.EPOCH, now).known(now);
        return new Snapshot(
                listing,
                counters,
                counted,
                recounted,
                notCounted,
                List.copyOf(compared.undelivered),
                compared.hasAllUndelivered,
                differences(restaurant, counted, recounted, now),
                notCounted.size() == listed.size() && compared.isSure,
                settings.clock().instant());
    }

    /**
     * Compares marks with events.
     *
     * @param counted months of which marks were counted, whether or not any is left
     * @param hours takes the number of marks that are listed of each hour
     */
    private Compared compare(
            RestaurantId restaurant,
            Listing listing,
            Set<YearMonth> counted,
            Instant now,
            SortedMap<Instant, Long> hours) {
        try (var sets = new MarkSets(settings.mostMarks(), TEMPORARY)) {
            try (var all = marks.all(restaurant)) {
                all.forEach(mark -> {
                    sets.add(MarkSets.Kind.THERE, mark.number());
                    hours.merge(mark.hour(), 1L, Long::sum);
                });
            }
            DynamoEventLedger.EventVisitor visitor = (number, until) -> {
                var mark = number & ~1L;
                sets.add(MarkEvent.isTakenBack(number) ? MarkSets.Kind.TAKEN_BACK : MarkSets.Kind.MADE, mark);
                if (until.isAfter(now.minus(LISTED))) {
                    sets.add(MarkSets.Kind.RECENT, mark);
                }
            };
            var months = new TreeSet<>(counted);
            hours.keySet().forEach(hour -> months.add(YearMonth.from(Rollup.day(hour))));
            var thisMonth = YearMonth.from(Rollup.day(now));
            // One more, because the end of a mark is known to the second: it may seem to be before the begin, in
            // another month.
            var first = (months.isEmpty() ? thisMonth : months.first()).minusMonths(1);
            ledger.all(restaurant, first, thisMonth, visitor);
            var reconciled = ledger.reconciled(restaurant, listing.corrections());
            reconciled.ifPresent(known -> known.numbers().forEach(number -> visitor.event(number, Instant.MIN)));
            var compared = new Compared(settings.mostUndelivered());
            sets.forEachPart(compared::add);
            compared.isSure &= reconciled.isPresent();
            return compared;
        }
    }

    /** Differences between the marks that are listed and what was counted; the first ones, where they are many. */
    private static final class Compared {
        private final int mostUndelivered;

        /** Marks that are listed, though they were taken back. */
        private final Set<Long> gone = new HashSet<>();

        /** Marks that are listed, and were not counted. */
        private final Set<Long> notCounted = new HashSet<>();

        /** As of {@link Snapshot}. */
        private final List<Long> undelivered = new ArrayList<>();

        private boolean hasAllUndelivered = true;

        /** False where the list seems to be behind, or what was reconciled is not seen yet. */
        private boolean isSure = true;

        Compared(int mostUndelivered) {
            this.mostUndelivered = mostUndelivered;
        }

        void add(Map<MarkSets.Kind, MarkSets.MarkSet> part) {
            var there = Objects.requireNonNull(part.get(MarkSets.Kind.THERE));
            var made = Objects.requireNonNull(part.get(MarkSets.Kind.MADE));
            var takenBack = Objects.requireNonNull(part.get(MarkSets.Kind.TAKEN_BACK));
            var recent = Objects.requireNonNull(part.get(MarkSets.Kind.RECENT));
            isSure &= addFirst(gone, there.both(takenBack), MOST_AT_ONCE);
            addFirst(notCounted, there.without(made, new MarkSets.MarkSet()), MOST_AT_ONCE);
            var notListed = made.without(takenBack, there);
            isSure &= Arrays.stream(notListed).noneMatch(recent::contains);
            hasAllUndelivered &= addFirst(
                    undelivered,
                    Arrays.stream(notListed).map(MarkEvent::takenBack).toArray(),
                    mostUndelivered);
            hasAllUndelivered &= addFirst(undelivered, takenBack.without(made, there), mostUndelivered);
        }

        /** Adds the first ones; true if there was room for all of them. */
        private static boolean addFirst(Collection<Long> first, long[] more, int most) {
            var room = most - first.size();
            Arrays.stream(more).limit(room).forEach(first::add);
            return more.length <= room;
        }
    }

    private void forEach(RestaurantId restaurant, Set<Long> some, Consumer<Mark> action) {
        if (!some.isEmpty()) {
            try (var all = marks.all(restaurant)) {
                all.filter(mark -> some.contains(mark.number())).forEach(action);
            }
        }
    }

    /**
     * A mark that is listed and was not counted.
     *
     * @param event that it was made, as if that were delivered now; empty where the mark itself is not there any more
     */
    private record Listed(Optional<MarkEvent> event) {}

    /** A read unit for each. */
    private List<Listed> events(RestaurantId restaurant, Set<Long> notCounted) {
        if (notCounted.isEmpty()) {
            return List.of();
        }
        List<Mark> listed;
        try (var all = marks.all(restaurant)) {
            listed = all.filter(mark -> notCounted.contains(mark.number())).toList();
        }
        var there = marks.there(listed);
        return IntStream.range(0, listed.size())
                .mapToObj(i -> new Listed(there.get(i)
                        .filter(mark -> mark.number() == listed.get(i).number())
                        .map(mark -> made(restaurant, mark))))
                .toList();
    }

    private static MarkEvent made(RestaurantId restaurant, Mark mark) {
        return new MarkEvent(restaurant, Kind.MADE, mark.number(), mark.created(), mark.created());
    }

    private List<Difference> differences(RestaurantId restaurant, Rollup counted, Rollup recounted, Instant now) {
        // The others miss what was counted since somebody viewed them. What was only noted is ranked now, and no drift.
        var spans = watched.kept().stream().map(window -> Span.at(window, now)).toList();
        var ranked = ranks.upToDate(restaurant, spans, counted);
        var differences = new ArrayList<Difference>();
        for (var span : Span.current(now)) {
            var is = counted.count(span);
            var difference =
                    new Difference(span.window(), ranked.getOrDefault(span.window(), is), is, recounted.count(span));
            if (difference.ranked() != difference.counted() || difference.counted() != difference.recounted()) {
                differences.add(difference);
            }
        }
        return differences;
    }
}
