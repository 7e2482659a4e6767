package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.favorites.RecountSnapshots.Snapshot;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Counts of restaurants, each event once, whenever, however often and in whatever order it is delivered (ADR 16): one
 * transaction writes the sum of some events into a rollup, and into the ledger that these events were counted. Thread-safe.
 */
final class DynamoCounters {
    /** Of a transaction, which has a rollup too. */
    private static final int MOST_PAGES = QueryDb.MAX_TRANSACTION - 1;

    private static final int MOST_ATTEMPTS = 30;

    /** After which events are counted in halves: many take longer than few, and lose against whoever counts one after the other. */
    private static final int ATTEMPTS_TOGETHER = 5;

    private static final int BACKOFF_MILLIS = 10;
    private static final int MOST_BACKOFF_MILLIS = 300;
    private static final int LOCKS = 1024;
    private static final int ROLLUPS_REMEMBERED = 5_000;

    private final QueryDb db;
    private final DynamoEventLedger ledger;
    private final DynamoRollups rollups;
    private final Clock clock;
    private final AuditTrail audit;
    private final Settings settings;
    private final Semaphore places;

    /** The counter shard to which this instance counts. */
    private volatile int own;

    private final Cache<Key, Rollup> remembered =
            Caffeine.newBuilder().maximumSize(ROLLUPS_REMEMBERED).build();

    /** One restaurant is counted by one thread of this process at a time; others would only be refused. */
    private final List<Lock> locks =
            IntStream.range(0, LOCKS).<Lock>mapToObj(_ -> new ReentrantLock()).toList();

    /**
     * Settings of counting.
     *
     * @param shards most rollups of a restaurant
     * @param concurrency restaurants that are counted at once
     */
    record Settings(int shards, int concurrency) {}

    DynamoCounters(
            QueryDb db,
            DynamoEventLedger ledger,
            DynamoRollups rollups,
            AuditTrail audit,
            Clock clock,
            Settings settings) {
        this.db = db;
        this.ledger = ledger;
        this.rollups = rollups;
        this.audit = audit;
        this.clock = clock;
        this.settings = settings;
        this.places = new Semaphore(settings.concurrency());
    }

    /** Counts to the shard of this consumer slot from now on: who has the same slot has the same shard. */
    void useSlot(int slot) {
        own = slot % settings.shards();
    }

    /** Counts those of the events that were not counted yet. */
    void count(RestaurantId restaurant, List<MarkEvent> events) {
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
    }

    private void countInOrder(RestaurantId restaurant, List<MarkEvent> events) {
        for (var attempt = 1; ; attempt++) {
            var plan = ledger.place(events);
            if (plan.fresh().isEmpty()) {
                return;
            }
            if (plan.keys().size() > MOST_PAGES || (attempt > ATTEMPTS_TOGETHER && events.size() > 1)) {
                var half = events.size() / 2;
                countInOrder(restaurant, events.subList(0, half));
                countInOrder(restaurant, events.subList(half, events.size()));
                return;
            }
            var mine = own;
            var key = DynamoRollups.key(restaurant, mine);
            try {
                var known = remembered.getIfPresent(key);
                var rollup = known == null ? rollups.open(restaurant, mine) : known;
                var seen = ledger.reconciled(restaurant, rollup.corrections());
                if (seen.isEmpty()) {
                    // Somebody is correcting the counts: what was reconciled may be among these events, and is not seen
                    // yet.
                    if (attempt == MOST_ATTEMPTS) {
                        throw new IllegalStateException("a correction of " + restaurant + " is still seen in part");
                    }
                    backOff(attempt);
                    continue;
                }
                var reconciled = seen.get();
                if (plan.fresh().stream().anyMatch(event -> reconciled.contains(event.number()))) {
                    countInOrder(
                            restaurant,
                            events.stream()
                                    .filter(event -> !reconciled.contains(event.number()))
                                    .toList());
                    return;
                }
                var counted = rollup.plus(plan.fresh(), clock.instant());
                var writes = new ArrayList<>(plan.writes());
                writes.add(DynamoRollups.put(restaurant, mine, counted));
                db.transact(writes);
                plan.written();
                remembered.put(key, counted);
                return;
            } catch (ConditionFailed refused) {
                // Somebody else counted some of them, or others, at the same time, or corrected what was counted.
                ledger.learn(refused, plan.keys());
                remembered.invalidate(key);
                if (attempt == MOST_ATTEMPTS) {
                    throw refused;
                }
                backOff(attempt);
            } catch (QueryDbException unknown) {
                ledger.forget(plan.keys());
                remembered.invalidate(key);
                throw unknown;
            }
        }
    }

    /**
     * Makes the sum of a restaurant's rollups what it is to be, unless one of them was changed or added meanwhile. All get a
     * new version: counting an event that comes after all reads the rollup anew, and sees that it was counted already. Where there
     * are more undelivered events than are remembered at once, the sum stays as it is until all of them are.
     *
     * @param snapshot the rollups as they were, and as their sum is to be; its undelivered events are counted with it
     * @param details for the audit trail, of whose record it has one
     * @return whether it is done
     */
    boolean correct(RestaurantId restaurant, Snapshot snapshot, Actor by, Map<String, String> details) {
        var listing = snapshot.listing();
        var known = snapshot.counters();
        var reconciled = DynamoEventLedger.putReconciled(restaurant, listing.corrections(), snapshot.undelivered());
        var corrections = listing.corrections() + reconciled.size();
        var sum = Rollup.sum(known.values());
        var writes = new ArrayList<Write>();
        known.forEach((shard, before) -> {
            var rollup = before.corrected(corrections);
            var changes = shard.equals(known.firstKey()) && snapshot.hasAllUndelivered();
            writes.add(DynamoRollups.put(
                    restaurant,
                    shard,
                    changes ? rollup.corrected(sum, snapshot.recounted(), clock.instant()) : rollup));
        });
        writes.addAll(reconciled);
        writes.add(rollups.list(restaurant, listing, corrections));
        var action = snapshot.hasAllUndelivered() ? "counts corrected" : "undelivered events noted";
        writes.add(audit.write(by, subject(restaurant), action, details));
        remembered.invalidate(DynamoRollups.key(restaurant, own));
        try {
            db.transact(writes);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Subject in the audit trail. */
    static String subject(RestaurantId restaurant) {
        return "FAVORITES#" + restaurant;
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
}
