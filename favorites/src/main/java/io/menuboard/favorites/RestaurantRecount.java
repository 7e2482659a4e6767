package io.menuboard.favorites;

import io.menuboard.favorites.DynamoTallies.Listing;
import io.menuboard.favorites.MarkEvent.Kind;
import io.menuboard.favorites.Recount.Difference;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.favorites.Recount.Outcome;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.Item;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
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
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is counted of one restaurant with its marks. What differs is a drift only if it still does once everything
 * that had happened by then is counted, and if nothing was counted meanwhile: so marks that are on their way are none.
 */
final class RestaurantRecount {
    private static final int ATTEMPTS = 4;
    private static final int MOST_AT_ONCE = 10_000;

    /** They fit into an item of 16 KB. */
    private static final int MOST_UNDELIVERED = 2_000;

    /** By then a mark is in the list of marks, however far that is behind. */
    private static final Duration LISTED = Duration.ofHours(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private final DynamoFavorites marks;
    private final DynamoCounters counters;
    private final DynamoEventLedger ledger;
    private final DynamoTallies tallies;
    private final DynamoRanks dynamoRanks;
    private final RankWriter writer;
    private final WatchedRankings watched;
    private final CountingWatermark watermark;
    private final AuditTrail audit;
    private final Clock clock;
    private final Duration patience;
    private final int mostMarks;

    private final LongAdder corrections = new LongAdder();

    /** Up to when marks were counted when somebody waited in vain for more. */
    private volatile Instant stuckAt = Instant.MIN;

    /**
     * @param patience how long to wait until everything is counted
     * @param mostMarks how many marks of a restaurant are held in memory; the others are in a temporary file
     */
    RestaurantRecount(
            DynamoFavorites marks,
            DynamoCounters counters,
            DynamoEventLedger ledger,
            DynamoTallies tallies,
            DynamoRanks dynamoRanks,
            RankWriter writer,
            WatchedRankings watched,
            CountingWatermark watermark,
            AuditTrail audit,
            Clock clock,
            Duration patience,
            int mostMarks) {
        this.marks = marks;
        this.counters = counters;
        this.ledger = ledger;
        this.tallies = tallies;
        this.dynamoRanks = dynamoRanks;
        this.writer = writer;
        this.watched = watched;
        this.watermark = watermark;
        this.audit = audit;
        this.clock = clock;
        this.patience = patience;
        this.mostMarks = mostMarks;
    }

    /**
     * What is counted, and what is there, at about the same time.
     *
     * @param listing read before all else
     * @param notCounted marks that are there
     * @param undelivered numbers of events of marks that are there no more, of which only the other event was counted
     * @param differences windows that tell of any of it
     * @param isSure false where the list of marks seems to be behind the marks themselves: then nobody knows how many there are
     */
    private record RecountSnapshot(
            Listing listing,
            SortedMap<Integer, Tally> counterShards,
            Tally counted,
            Tally recounted,
            List<MarkEvent> notCounted,
            List<Long> undelivered,
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
        RecountSnapshot missingAlso(RecountSnapshot later) {
            var both = new ArrayList<>(notCounted);
            both.retainAll(new HashSet<>(later.notCounted));
            return new RecountSnapshot(
                    listing, counterShards, recounted, recounted, both, List.of(), List.of(), true, at);
        }

        boolean sees(RecountSnapshot other) {
            return isSure == other.isSure
                    && listing.equals(other.listing)
                    && counterShards.equals(other.counterShards)
                    && counted.countsAs(other.counted)
                    && recounted.countsAs(other.recounted)
                    && notCounted.equals(other.notCounted)
                    && undelivered.equals(other.undelivered)
                    && differences.equals(other.differences);
        }
    }

    /** How many drifts were corrected here. */
    long corrections() {
        return corrections.sum();
    }

    /** Empty where nothing differs. Reads every mark, and eight bytes for each that ever was. */
    Optional<Drift> check(RestaurantId restaurant, Mode mode, Actor by, RecountId recount) throws InterruptedException {
        var snapshot = read(restaurant);
        @Nullable Drift corrected = null;
        for (var attempt = 0; attempt < ATTEMPTS && !snapshot.isClean(); attempt++) {
            if (!isCountedUpTo(snapshot.at())) {
                return Optional.of(drift(restaurant, snapshot, Outcome.COUNTING_IS_BEHIND));
            }
            var again = read(restaurant);
            var sure = snapshot.isSure() && again.sees(snapshot) ? snapshot : snapshot.missingAlso(again);
            if (sure.isClean()) {
                snapshot = again;
                continue;
            }
            if (mode == Mode.CHECK) {
                return Optional.of(drift(restaurant, sure, Outcome.FOUND));
            }
            if (corrected == null) {
                corrected = drift(restaurant, sure, Outcome.CORRECTED);
            }
            correct(restaurant, sure, by, recount);
            snapshot = read(restaurant);
        }
        if (snapshot.isClean()) {
            return Optional.ofNullable(corrected);
        }
        return Optional.of(drift(restaurant, snapshot, snapshot.isSure() ? Outcome.BUSY : Outcome.COUNTING_IS_BEHIND));
    }

    private static Drift drift(RestaurantId restaurant, RecountSnapshot snapshot, Outcome outcome) {
        return new Drift(
                restaurant,
                snapshot.at(),
                snapshot.notCounted().size(),
                snapshot.undelivered().size(),
                snapshot.differences(),
                outcome);
    }

    private RecountSnapshot read(RestaurantId restaurant) {
        var listing = tallies.listing(restaurant);
        var counterShards = tallies.all(restaurant);
        var now = clock.instant();
        var hours = new TreeMap<Instant, Long>();
        var counted = Tally.sum(counterShards.values()).known(now);
        var compared = compare(restaurant, listing, counted, now, hours);
        // A mark that was taken back never comes again: it is still listed, but is not there.
        forEach(restaurant, compared.gone, gone -> hours.merge(hour(gone), -1L, Long::sum));
        var listed = events(restaurant, compared.notCounted);
        var notCounted = listed.stream().flatMap(mark -> mark.event().stream()).toList();
        var recounted = Tally.NOTHING.plus(hours, Instant.EPOCH, now);
        return new RecountSnapshot(
                listing,
                counterShards,
                counted,
                recounted,
                notCounted,
                List.copyOf(compared.undelivered),
                differences(restaurant, counted, recounted, now),
                notCounted.size() == listed.size() && compared.isSure,
                clock.instant());
    }

    /** @param hours takes how many marks are listed of each hour */
    private Compared compare(
            RestaurantId restaurant, Listing listing, Tally counted, Instant now, SortedMap<Instant, Long> hours) {
        try (var sets = new MarkSets(mostMarks, TEMPORARY)) {
            try (var all = marks.all(restaurant)) {
                all.forEach(item -> {
                    sets.add(MarkSets.Kind.THERE, DynamoFavorites.mark(item));
                    hours.merge(hour(item), 1L, Long::sum);
                });
            }
            DynamoEventLedger.Seen seen = (number, until) -> {
                var mark = number & ~1L;
                sets.add(MarkEvent.isTakenBack(number) ? MarkSets.Kind.TAKEN_BACK : MarkSets.Kind.MADE, mark);
                if (until.isAfter(now.minus(LISTED))) {
                    sets.add(MarkSets.Kind.RECENT, mark);
                }
            };
            var months = new TreeSet<>(counted.months().keySet());
            hours.keySet().forEach(hour -> months.add(YearMonth.from(Tally.day(hour))));
            var thisMonth = YearMonth.from(Tally.day(now));
            // One more, because the end of a mark is known to the second: it may seem to be before the begin, in
            // another month.
            for (var month = (months.isEmpty() ? thisMonth : months.first()).minusMonths(1);
                    !month.isAfter(thisMonth);
                    month = month.plusMonths(1)) {
                ledger.all(restaurant, month, seen);
            }
            ledger.reconciled(restaurant, listing.corrections()).forEach(number -> seen.event(number, Instant.MIN));
            var compared = new Compared();
            sets.forEachPart(compared::add);
            return compared;
        }
    }

    /** What differs between the marks that are listed and what was counted; the first ones, where they are many. */
    private static final class Compared {
        /** Marks that are listed, though they were taken back. */
        private final Set<Long> gone = new HashSet<>();

        /** Marks that are listed, and were not counted. */
        private final Set<Long> notCounted = new HashSet<>();

        /** As of {@link RecountSnapshot}. */
        private final List<Long> undelivered = new ArrayList<>();

        /** Whether the list seems not to be behind. */
        private boolean isSure = true;

        void add(Map<MarkSets.Kind, MarkSet> part) {
            var there = Objects.requireNonNull(part.get(MarkSets.Kind.THERE));
            var made = Objects.requireNonNull(part.get(MarkSets.Kind.MADE));
            var takenBack = Objects.requireNonNull(part.get(MarkSets.Kind.TAKEN_BACK));
            var recent = Objects.requireNonNull(part.get(MarkSets.Kind.RECENT));
            isSure &= addFirst(gone, there.both(takenBack), MOST_AT_ONCE);
            addFirst(notCounted, there.without(made, new MarkSet()), MOST_AT_ONCE);
            var notListed = made.without(takenBack, there);
            isSure &= Arrays.stream(notListed).noneMatch(recent::contains);
            addFirst(
                    undelivered,
                    Arrays.stream(notListed).map(MarkEvent::takenBack).toArray(),
                    MOST_UNDELIVERED);
            addFirst(undelivered, takenBack.without(made, there), MOST_UNDELIVERED);
        }

        /** Whether there was room for all of them. */
        private static boolean addFirst(Collection<Long> first, long[] more, int most) {
            Arrays.stream(more).limit(most - first.size()).forEach(first::add);
            return first.size() < most;
        }
    }

    private static Instant hour(Item mark) {
        return DynamoFavorites.created(mark).truncatedTo(ChronoUnit.HOURS);
    }

    private void forEach(RestaurantId restaurant, Set<Long> some, Consumer<Item> action) {
        if (!some.isEmpty()) {
            try (var all = marks.all(restaurant)) {
                all.filter(item -> some.contains(DynamoFavorites.mark(item))).forEach(action);
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
        List<Item> listed;
        try (var all = marks.all(restaurant)) {
            listed = all.filter(item -> notCounted.contains(DynamoFavorites.mark(item)))
                    .toList();
        }
        var there = marks.there(listed);
        return IntStream.range(0, listed.size())
                .mapToObj(i -> new Listed(there.get(i)
                        .filter(item -> DynamoFavorites.mark(item) == DynamoFavorites.mark(listed.get(i)))
                        .map(item -> made(restaurant, item))))
                .toList();
    }

    private static MarkEvent made(RestaurantId restaurant, Item item) {
        var created = DynamoFavorites.created(item);
        return new MarkEvent(restaurant, Kind.MADE, DynamoFavorites.mark(item), created, created);
    }

    private List<Difference> differences(RestaurantId restaurant, Tally counted, Tally recounted, Instant now) {
        // The others miss what was counted since somebody looked.
        var spans = watched.kept().stream().map(window -> Span.at(window, now)).toList();
        var ranked = dynamoRanks.counts(restaurant, spans, now);
        if (spans.stream().anyMatch(span -> isBehind(span, ranked, counted))) {
            // What was only noted is ranked now, and no drift.
            writer.rank(restaurant, spans);
            ranked.putAll(dynamoRanks.counts(restaurant, spans, now));
        }
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

    private static boolean isBehind(Span span, Map<FavoriteWindow, Long> ranked, Tally counted) {
        var is = counted.count(span);
        return ranked.getOrDefault(span.window(), is) != is;
    }

    /** Waits until everything that had happened by then is counted, as far as is known. */
    private boolean isCountedUpTo(Instant instant) throws InterruptedException {
        var giveUp = System.nanoTime() + patience.toNanos();
        while (true) {
            var upTo = watermark.countedUpTo().orElse(Instant.EPOCH);
            if (!upTo.isBefore(instant)) {
                return true;
            }
            if (upTo.equals(stuckAt)) {
                return false;
            }
            if (System.nanoTime() - giveUp > 0) {
                stuckAt = upTo;
                return false;
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /**
     * Marks that were not counted are counted as if they were delivered now. The rest is made to agree once none is missing: until
     * then nobody knows how much of what differs comes from these.
     */
    private void correct(RestaurantId restaurant, RecountSnapshot snapshot, Actor by, RecountId recount) {
        var subject = "FAVORITES#" + restaurant;
        var now = clock.instant();
        var spans = new HashSet<>(Span.current(now));
        if (snapshot.notCounted().isEmpty()) {
            var record = audit.write(by, subject, "counts corrected", details(snapshot, recount));
            if (!counters.correct(
                    restaurant,
                    snapshot.listing(),
                    snapshot.counterShards(),
                    snapshot.recounted(),
                    snapshot.undelivered(),
                    record)) {
                return;
            }
        } else {
            // First, so that nothing is ever counted without a record; when it is cut off there are two.
            audit.record(by, subject, "missing marks counted", details(snapshot, recount));
            counters.count(restaurant, snapshot.notCounted());
            spans.addAll(FavoriteCounts.past(snapshot.notCounted()));
        }
        corrections.increment();
        dynamoRanks.rewrite(restaurant, spans, Tally.sum(tallies.all(restaurant).values()), now);
    }

    private static Map<String, String> details(RecountSnapshot snapshot, RecountId recount) {
        var details = new TreeMap<String, String>();
        details.put("recount", recount.value());
        details.put("not counted", Integer.toString(snapshot.notCounted().size()));
        details.put("gone", Integer.toString(snapshot.undelivered().size()));
        if (snapshot.notCounted().isEmpty()) {
            snapshot.differences()
                    .forEach(one -> details.put(one.window().name(), one.counted() + " became " + one.recounted()));
        }
        return details;
    }
}
