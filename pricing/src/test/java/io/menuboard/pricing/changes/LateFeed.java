package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.BatchesFixture;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.events.PriceAnnouncing;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.querydb.ChangeRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells instances of records of the feed and of batches that are due: late, doubled, in any order, some of them never, and
 * of batches that are not due at all.
 */
final class LateFeed {
    private final List<PartitionFeed> feeds;
    private final List<ChangeHandler> handlers;
    private final List<ChangeRecord> records = new ArrayList<>();
    private final List<PriceBatch> batches = new ArrayList<>();
    private final MemorySchedules schedules = new MemorySchedules();
    private final Map<String, PriceUpdated> events = new HashMap<>();
    private final Random random;
    private final boolean loses;

    /** @param loses whether records of batches get lost */
    LateFeed(ChangesFixture fixture, List<Store> stores, Random random, boolean loses) {
        this.random = random;
        this.loses = loses;
        feeds = stores.stream()
                .map(store -> new PartitionFeed(fixture.db, "STORE#" + store.id()))
                .toList();
        handlers = List.of(
                fixture.batching.waker(schedules),
                PriceAnnouncing.to(event -> events.merge(event.id(), event, LateFeed::same)));
    }

    /** An id is that of one event. */
    private static PriceUpdated same(PriceUpdated before, PriceUpdated event) {
        if (!before.equals(event)) {
            throw new AssertionError(before + " and " + event);
        }
        return event;
    }

    /** Looks at what has changed since. */
    void read() {
        for (var feed : feeds) {
            for (var record : feed.next()) {
                records.add(record);
                if (record.type().equals(DynamoPriceBatches.TYPE)) {
                    batches.add(BatchesFixture.batchAt(record.key()));
                }
            }
        }
    }

    /** Tells some of it. */
    void tell(ChangesFixture fixture) {
        Collections.shuffle(records, random);
        for (var i = random.nextInt(records.size() + 1); i > 0; i--) {
            var record = records.removeFirst();
            switch (random.nextInt(5)) {
                case 0 -> {
                    deliver(record);
                    records.add(record);
                }
                case 1 -> {
                    if (!loses || !record.type().equals(DynamoPriceBatches.TYPE)) {
                        records.add(record);
                    }
                }
                default -> deliver(record);
            }
        }
        for (var batch : schedules.fired(fixture.clock.instant())) {
            for (var i = random.nextInt(3); i > 0; i--) {
                fixture.batches.apply(EVERYTHING, batch);
            }
        }
        for (var i = random.nextInt(3); i > 0 && !batches.isEmpty(); i--) {
            fixture.batches.apply(EVERYTHING, batches.get(random.nextInt(batches.size())));
        }
    }

    /** Tells all of it. */
    void finish(ChangesFixture fixture) {
        read();
        tell(fixture);
        fixture.reconcile(schedules);
        read();
        while (!records.isEmpty()) {
            deliver(records.removeFirst());
        }
    }

    private void deliver(ChangeRecord record) {
        handlers.stream()
                .filter(handler -> handler.types().contains(record.type()))
                .forEach(handler -> handler.handle(record));
    }

    /** What was announced, and since when it counts. */
    List<String> announced() {
        return events.values().stream()
                .map(event -> announcement(event.store(), event.product(), event.effectiveAt(), event.changeSet()))
                .toList();
    }

    static String announcement(StoreId store, String product, Instant at, String set) {
        return store + " " + product + " " + at + " by " + set;
    }

    /** Batches that are still to be woken; those whose records were lost may be. */
    Set<String> left() {
        var left = new TreeSet<String>();
        if (!loses) {
            schedules.all().keySet().forEach(batch -> left.add(batch.toString()));
        }
        return left;
    }
}
