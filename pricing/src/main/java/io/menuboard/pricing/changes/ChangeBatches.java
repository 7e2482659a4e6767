package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toSet;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.UnreadableItem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches of price changes: all of one store and channel that take effect together. Applying one gives each of its
 * changes its history; what prices are does not wait for that. Thread-safe.
 */
public final class ChangeBatches implements DueBatches {
    /** Most days that one answer is about. */
    public static final int MOST_DAYS = 62;

    private static final Logger log = LoggerFactory.getLogger(ChangeBatches.class);

    /**
     * How long a batch may be overdue before the reconciler applies it, and how long before its time it leaves it to the
     * message that is under way: whoever is told of it is given the time.
     */
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** A schedule that is missing is seen before its time also by whoever comes next, should one reconciler die. */
    private static final int PERIODS_AHEAD = 3;

    /** As long as an outage may last that nobody mends. */
    private static final int DAYS_BACK = 31;

    private final DynamoPriceChanges changes;
    private final DynamoChangeSets sets;
    private final Stores stores;
    private final Clock clock;
    private final ChangesConfig config;

    ChangeBatches(DynamoPriceChanges changes, DynamoChangeSets sets, Stores stores, Clock clock, ChangesConfig config) {
        this.changes = changes;
        this.sets = sets;
        this.stores = stores;
        this.clock = clock;
        this.config = config;
    }

    /**
     * A batch as it is listed.
     *
     * @param at when its effective date begins, by the time zone that its store has now
     * @param changes how many changes of which set
     */
    public record Scheduled(PriceBatch batch, Instant at, Map<ChangeSetId, Integer> changes) {
        /** How many changes there are. */
        public int size() {
            return changes.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** Safe to repeat, late, and by many at once. Cost of each line as of {@link ChangeSets#apply}. */
    @Override
    public Due apply(PriceBatch batch) {
        var store = stores.require(batch.store());
        var at = batch.effectiveDate().startsAt(store.timeZone());
        if (clock.instant().isBefore(at)) {
            return new Due.NotDueYet(at);
        }
        var applied = changes.apply(batch, store, sets::attribution);
        if (applied > 0) {
            log.info(
                    "batch applied: store={} channel={} effectiveDate={} changes={}",
                    batch.store(),
                    batch.channel(),
                    batch.effectiveDate(),
                    applied);
        }
        return new Due.Applied();
    }

    /**
     * Every batch that takes effect from one instant until before another and is not applied, by instant. Half a read unit
     * for each day of UTC, one before and one after them, shard and 4 KB, about 15 batches.
     *
     * @throws InvalidInput {@code INVALID_RANGE} where {@code to} is not after {@code from}, or too long after it
     */
    public List<Scheduled> between(Instant from, Instant to) {
        if (!to.isAfter(from) || Duration.between(from, to).compareTo(Duration.ofDays(MOST_DAYS)) > 0) {
            throw new InvalidInput(
                    "INVALID_RANGE", "to", "must be after from, and at most " + MOST_DAYS + " days after it");
        }
        return around(day(from), day(to)).stream()
                .filter(batch -> !batch.at().isBefore(from) && batch.at().isBefore(to))
                .sorted(Comparator.comparing(Scheduled::at))
                .toList();
    }

    /**
     * Every batch that takes effect on one of these days of its store's own calendar and is not applied, by instant. Costs
     * as {@link #between}.
     *
     * @param last inclusive, and at most {@value #MOST_DAYS} days after {@code first}
     */
    public List<Scheduled> onDays(LocalDate first, LocalDate last) {
        if (last.isBefore(first) || last.isAfter(first.plusDays(MOST_DAYS))) {
            throw new IllegalArgumentException("from " + first + " to " + last);
        }
        return around(first, last).stream()
                .filter(batch -> {
                    var day = batch.batch().effectiveDate().local().toLocalDate();
                    return !day.isBefore(first) && !day.isAfter(last);
                })
                .sorted(Comparator.comparing(Scheduled::at))
                .toList();
    }

    /**
     * The batches that are listed on those days of UTC, on the one before and on the one after: no zone is a whole day from
     * UTC. Their instants are those of the zones that the stores have now, which may be others than when they were listed.
     */
    private List<Scheduled> around(LocalDate first, LocalDate last) {
        var listed = first.minusDays(1)
                .datesUntil(last.plusDays(2))
                .flatMap(changes::batchesOf)
                .toList();
        var known = stores.findAll(
                listed.stream().map(batch -> batch.batch().store()).collect(toSet()));
        return listed.stream()
                .map(batch -> Optional.ofNullable(known.get(batch.batch().store()))
                        .map(store -> new Scheduled(
                                batch.batch(),
                                batch.batch().effectiveDate().startsAt(store.timeZone()),
                                batch.changes()))
                        .orElse(batch))
                .toList();
    }

    private static LocalDate day(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }

    /**
     * Changes of a store and channel that are to come, by effective date; half a read unit per 4 KB, about 20.
     *
     * @param from only those that take effect then or later; null for all
     * @param to only those that take effect before; null for all
     */
    public Page<UpcomingChange> upcoming(
            StoreId store, Channel channel, @Nullable Instant from, @Nullable Instant to, PageRequest page) {
        return changes.upcoming(stores.require(store), channel, from, to, page);
    }

    /**
     * Applies what is overdue, and has what is soon due wake its batches, whatever was lost on the way. One batch that
     * fails keeps no other one waiting, and one that only another version can read is left to that. Half a read unit for each shard of 33 days, and a request for each batch that is
     * soon due.
     *
     * @return how many batches were overdue
     */
    public int reconcile(BatchSchedules schedules) {
        var now = clock.instant();
        var today = day(now);
        var overdue = today.minusDays(DAYS_BACK)
                .datesUntil(today.plusDays(1))
                .flatMap(changes::batchesOf)
                .filter(batch -> batch.at().plus(GRACE).isBefore(now))
                .toList();
        var left = new LongAdder();
        each(overdue, batch -> {
            log.warn(
                    "batch is overdue: store={} channel={} effectiveDate={}",
                    batch.batch().store(),
                    batch.batch().channel(),
                    batch.batch().effectiveDate());
            try {
                apply(batch.batch());
            } catch (UnreadableItem _) {
                left.increment();
            }
        });
        if (left.sum() > 0) {
            log.warn("overdue batches are left to instances of another version: count={}", left);
        }
        var soon = now.plus(config.reconcileEvery().multipliedBy(PERIODS_AHEAD));
        var missing = Stream.of(today, today.plusDays(1))
                .flatMap(changes::batchesOf)
                .filter(batch ->
                        batch.at().minus(GRACE).isAfter(now) && batch.at().isBefore(soon.plus(GRACE)))
                .toList();
        each(missing, batch -> schedules.schedule(batch.batch(), batch.at()));
        return overdue.size();
    }

    /** Does that with all of them, some at a time, and fails after the last if one failed. */
    private void each(List<Scheduled> batches, Consumer<Scheduled> work) {
        var failures = new ConcurrentLinkedQueue<RuntimeException>();
        try (var threads = Executors.newFixedThreadPool(
                config.chunksAtOnce(), Thread.ofVirtual().factory())) {
            batches.forEach(batch -> threads.execute(() -> {
                try {
                    work.accept(batch);
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            }));
        }
        var first = failures.poll();
        if (first != null) {
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }
}
