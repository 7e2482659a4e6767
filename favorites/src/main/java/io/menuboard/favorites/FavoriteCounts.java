package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.favorites.DynamoTallies.Listing;
import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts marks by what the table's stream tells of them: each once, whenever, however often and in whatever order it comes
 * (ADR 16). What a batch has of one restaurant is added up; then one transaction writes the sum into a tally, and on pages
 * that these events were counted. After that the restaurant is ranked. Thread-safe.
 */
final class FavoriteCounts implements ChangeBatchHandler {
    /** Of a transaction, which has a tally too. */
    private static final int MOST_PAGES = QueryDb.MAX_TRANSACTION - 1;

    private static final int MOST_ATTEMPTS = 30;
    private static final int BACKOFF_MILLIS = 10;
    private static final int MOST_BACKOFF_MILLIS = 300;
    private static final int LOCKS = 1024;
    private static final int TALLIES_REMEMBERED = 5_000;

    private final QueryDb db;
    private final DynamoSeen seen;
    private final DynamoTallies tallies;
    private final FavoriteRanks ranks;
    private final Beats beats;
    private final Clock clock;
    private final int lanes;
    private final Executor threads;
    private final Semaphore places;

    /** Which tallies are this instance's. */
    private volatile int lane;

    private final Cache<Key, Tally> own =
            Caffeine.newBuilder().maximumSize(TALLIES_REMEMBERED).build();

    /** One restaurant is counted by one thread of this process at a time; others would only be refused. */
    private final List<Lock> locks =
            IntStream.range(0, LOCKS).<Lock>mapToObj(_ -> new ReentrantLock()).toList();

    private final UnderWay underWay = new UnderWay();

    /** What remembers which events were counted. */
    DynamoSeen seen() {
        return seen;
    }

    /** @param lanes how many tallies a restaurant has at the most: who counts in the same seat has the same one */
    FavoriteCounts(
            QueryDb db,
            DynamoTallies tallies,
            FavoriteRanks ranks,
            Beats beats,
            Clock clock,
            int lanes,
            int concurrency,
            Executor threads) {
        this.db = db;
        this.seen = new DynamoSeen(db);
        this.tallies = tallies;
        this.ranks = ranks;
        this.beats = beats;
        this.clock = clock;
        this.lanes = lanes;
        this.threads = threads;
        this.places = new Semaphore(concurrency);
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoFavorites.TYPE, Beats.TYPE);
    }

    @Override
    public Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records) {
        var beat = Beats.latest(records);
        var batch = underWay.begin();
        @Nullable Map<ChangeRecord, RuntimeException> failures = null;
        try {
            failures = count(records);
        } finally {
            if (failures == null || !failures.isEmpty()) {
                underWay.failed(batch);
            }
        }
        if (failures.isEmpty()) {
            underWay.handled(batch, beat).ifPresent(beats::came);
        }
        return failures;
    }

    private Map<ChangeRecord, RuntimeException> count(List<ChangeRecord> records) {
        var failures = new ConcurrentHashMap<ChangeRecord, RuntimeException>();
        var byRestaurant = new LinkedHashMap<RestaurantId, List<Told>>();
        for (var record : records) {
            try {
                for (var event : record.type().equals(Beats.TYPE) ? List.<MarkEvent>of() : MarkEvent.of(record)) {
                    byRestaurant
                            .computeIfAbsent(event.restaurant(), _ -> new ArrayList<>())
                            .add(new Told(record, event));
                }
            } catch (IllegalStateException | IllegalArgumentException corrupt) {
                failures.put(record, corrupt);
            }
        }
        var done = new ArrayList<CompletableFuture<Void>>();
        byRestaurant.forEach((restaurant, told) -> done.add(CompletableFuture.supplyAsync(
                        () -> count(restaurant, told.stream().map(Told::event).toList()), threads)
                .thenCompose(spans -> ranks.rank(restaurant, spans))
                .exceptionally(failed -> {
                    var cause = failed instanceof CompletionException && failed.getCause() != null
                            ? failed.getCause()
                            : failed;
                    var reason = cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
                    told.forEach(one -> failures.put(one.record(), reason));
                    return null;
                })));
        done.forEach(CompletableFuture::join);
        return failures;
    }

    private record Told(ChangeRecord record, MarkEvent event) {}

    @Override
    public void seated(int seat) {
        lane = seat % lanes;
    }

    @Override
    public void beat() {
        beats.beat();
    }

    /** Counts those of the events that were not counted yet; answers which windows of the past have changed. */
    Collection<Span> count(RestaurantId restaurant, List<MarkEvent> events) {
        var distinct = new LinkedHashMap<Long, MarkEvent>();
        events.forEach(event -> distinct.putIfAbsent(event.number(), event));
        var inOrder = distinct.values().stream()
                .sorted(Comparator.comparingLong(MarkEvent::place))
                .toList();
        var lock = locks.get(Math.floorMod(restaurant.hashCode(), LOCKS));
        lock.lock();
        try {
            places.acquireUninterruptibly();
            try {
                countInOrder(restaurant, inOrder);
            } finally {
                places.release();
            }
        } finally {
            lock.unlock();
        }
        return past(events);
    }

    private void countInOrder(RestaurantId restaurant, List<MarkEvent> events) {
        for (var attempt = 1; ; attempt++) {
            var plan = seen.place(events);
            if (plan.fresh().isEmpty()) {
                return;
            }
            if (plan.keys().size() > MOST_PAGES) {
                var half = events.size() / 2;
                countInOrder(restaurant, events.subList(0, half));
                countInOrder(restaurant, events.subList(half, events.size()));
                return;
            }
            var mine = lane;
            var key = DynamoTallies.key(restaurant, mine);
            try {
                var known = own.getIfPresent(key);
                var tally = known == null ? tallies.open(restaurant, mine) : known;
                var untold = seen.untold(restaurant, tally.corrections());
                if (plan.fresh().stream().anyMatch(event -> untold.contains(event.number()))) {
                    countInOrder(
                            restaurant,
                            events.stream()
                                    .filter(event -> !untold.contains(event.number()))
                                    .toList());
                    return;
                }
                var counted = tally.plus(plan.fresh(), clock.instant());
                var writes = new ArrayList<>(plan.writes());
                writes.add(DynamoTallies.put(restaurant, mine, counted));
                db.transact(writes);
                plan.written();
                own.put(key, counted);
                return;
            } catch (ConditionFailed refused) {
                // Somebody else counted some of them, or others, at the same time, or corrected what was counted.
                seen.learn(refused, plan.keys());
                own.invalidate(key);
                if (attempt == MOST_ATTEMPTS) {
                    throw refused;
                }
                backOff(attempt);
            } catch (QueryDbException unknown) {
                seen.forget(plan.keys());
                own.invalidate(key);
                throw unknown;
            }
        }
    }

    /**
     * Makes the sum of a restaurant's tallies what it is to be, unless one of them was changed or added meanwhile. All get a
     * new version: whoever counts an event that comes after all reads the tally anew, and sees that it was counted already.
     *
     * @param listing as it was before the tallies were read
     * @param lanes the tallies as they were
     * @param wanted what their sum is to be
     * @param untold numbers of events that are counted with it though nobody has told them
     * @param audit written with it
     * @return whether it is done
     */
    boolean correct(
            RestaurantId restaurant,
            Listing listing,
            SortedMap<Integer, Tally> lanes,
            Tally wanted,
            List<Long> untold,
            Write audit) {
        var corrections = listing.corrections() + (untold.isEmpty() ? 0 : 1);
        var sum = Tally.sum(lanes.values());
        var writes = new ArrayList<Write>();
        lanes.forEach((lane, known) -> {
            var tally = known.corrected(corrections);
            var isFirst = lane.equals(lanes.firstKey());
            writes.add(DynamoTallies.put(
                    restaurant, lane, isFirst ? tally.corrected(sum, wanted, clock.instant()) : tally));
        });
        if (!untold.isEmpty()) {
            writes.add(DynamoSeen.putUntold(restaurant, corrections, untold));
        }
        writes.add(tallies.list(restaurant, listing, corrections));
        writes.add(audit);
        own.invalidate(DynamoTallies.key(restaurant, lane));
        try {
            db.transact(writes);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private static void backOff(int attempt) {
        var most = Math.min(MOST_BACKOFF_MILLIS, BACKOFF_MILLIS * attempt);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(most));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while counting", e);
        }
    }

    /** Days, weeks and months of these events: also those that were counted before, whose ranking may not have been written. */
    private static Collection<Span> past(List<MarkEvent> events) {
        var spans = new HashSet<Span>();
        events.stream().map(event -> Tally.day(event.created())).distinct().forEach(day -> Arrays.stream(
                        FavoriteWindow.values())
                .filter(FavoriteWindow::isCalendar)
                .map(window -> Span.on(window, day))
                .forEach(spans::add));
        return spans;
    }
}
