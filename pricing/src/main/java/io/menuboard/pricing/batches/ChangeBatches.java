package io.menuboard.pricing.batches;

import static java.util.stream.Collectors.toSet;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches of price changes: all of one store and channel that take effect together. Applying one gives each of its
 * changes its history; what prices are does not wait for that. Thread-safe.
 *
 * <p>Reads need {@link Permission#PRICES_READ}, and leave out batches of stores that it is not for.
 */
public final class ChangeBatches implements DueBatches {
    /** Most days that one answer is about. */
    public static final int MOST_DAYS = 62;

    private static final Logger log = LoggerFactory.getLogger(ChangeBatches.class);

    private final DynamoBatchApplier applier;
    private final DynamoPriceBatches stored;
    private final DynamoPendingChanges pending;
    private final BatchedChangeSets sets;
    private final Stores stores;
    private final Clock clock;

    ChangeBatches(
            DynamoBatchApplier applier,
            DynamoPriceBatches stored,
            DynamoPendingChanges pending,
            BatchedChangeSets sets,
            Stores stores,
            Clock clock) {
        this.applier = applier;
        this.stored = stored;
        this.pending = pending;
        this.sets = sets;
        this.stores = stores;
        this.clock = clock;
    }

    /**
     * Safe to repeat, late, and by many at once. Needs {@link Permission#PRICES_APPLY} for all stores. Cost as of {@link DynamoBatchApplier#apply}.
     */
    @Override
    public Due apply(Access access, PriceBatch batch) {
        access.requireForAll(Permission.PRICES_APPLY);
        var store = stores.require(access, batch.store());
        var at = batch.effectiveDate().startsAt(store.timeZone());
        if (clock.instant().isBefore(at)) {
            return new Due.NotDueYet(at);
        }
        var applied = applier.apply(batch, store, sets::attribution);
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
    public List<ScheduledBatch> between(Access access, Instant from, Instant to) {
        checkRange(from, to);
        return read(access, from, to, new HashMap<>()).stream()
                .sorted(Comparator.comparing(ScheduledBatch::at))
                .toList();
    }

    /**
     * The same as a list with pages, by instant, store and channel. Read from where the page begins on: a day with those
     * before and after it, then two more, then four, until the page is full and one more is found.
     *
     * @throws InvalidInput as {@link #between}, and {@code INVALID_CURSOR}
     */
    public Page<ScheduledBatch> between(Access access, Instant from, Instant to, PageRequest page) {
        checkRange(from, to);
        var known = new HashMap<LocalDate, List<ScheduledBatch>>();
        return new ScheduledBatchList(from, to, (low, high) -> read(access, low, high, known)).page(page);
    }

    /** Those of them that are there and not applied; one strongly consistent read unit each, and their stores. */
    List<ScheduledBatch> findAll(Access access, List<PriceBatch> wanted) {
        var inSight = inSight(access);
        return atTheirTimes(
                access,
                stored.findAll(wanted.stream().filter(inSight).toList()).stream()
                        .filter(ChangeBatches::hasChanges)
                        .toList());
    }

    private static void checkRange(Instant from, Instant to) {
        if (!to.isAfter(from) || Duration.between(from, to).compareTo(Duration.ofDays(MOST_DAYS)) > 0) {
            throw new InvalidInput(
                    "INVALID_RANGE", "to", "must be after from, and at most " + MOST_DAYS + " days after it");
        }
    }

    private List<ScheduledBatch> read(
            Access access, Instant from, Instant to, Map<LocalDate, List<ScheduledBatch>> known) {
        return around(access, day(from), day(to), known).stream()
                .filter(batch -> !batch.at().isBefore(from) && batch.at().isBefore(to))
                .toList();
    }

    /**
     * Every batch that takes effect on one of these days of its store's own calendar and is not applied, by instant. Costs
     * as {@link #between}.
     *
     * @param last inclusive, and at most {@value #MOST_DAYS} days after {@code first}
     */
    public List<ScheduledBatch> onDays(Access access, LocalDate first, LocalDate last) {
        if (last.isBefore(first) || last.isAfter(first.plusDays(MOST_DAYS))) {
            throw new IllegalArgumentException("from " + first + " to " + last);
        }
        return around(access, first, last, new HashMap<>()).stream()
                .filter(batch -> {
                    var day = batch.batch().effectiveDate().local().toLocalDate();
                    return !day.isBefore(first) && !day.isAfter(last);
                })
                .sorted(Comparator.comparing(ScheduledBatch::at))
                .toList();
    }

    /**
     * The batches that are listed on those days of UTC, on the one before and on the one after: no zone is a whole day from
     * UTC. Their instants are those of the zones that the stores have now, which may be others than when they were listed.
     */
    private List<ScheduledBatch> around(
            Access access, LocalDate first, LocalDate last, Map<LocalDate, List<ScheduledBatch>> knownDays) {
        var days = first.minusDays(1).datesUntil(last.plusDays(2)).toList();
        var inSight = inSight(access);
        return atTheirTimes(
                access,
                stored.of(days, knownDays).stream()
                        .filter(listed -> inSight.test(listed.batch()) && hasChanges(listed))
                        .toList());
    }

    /** False where the last change has left the batch, which is about to be removed. */
    private static boolean hasChanges(ScheduledBatch batch) {
        return !batch.changes().isEmpty();
    }

    private static Predicate<PriceBatch> inSight(Access access) {
        access.require(Permission.PRICES_READ);
        return access.stores(Permission.PRICES_READ)
                .<Predicate<PriceBatch>>map(
                        some -> batch -> some.contains(batch.store().value()))
                .orElse(_ -> true);
    }

    /**
     * Batches as listed, at the instants of the zones that their stores have now; half a read unit for each store that is not
     * remembered. What is of a store that cannot be read stays where it is listed.
     */
    List<ScheduledBatch> atTheirTimes(Access access, List<ScheduledBatch> listed) {
        var known = stores.findAll(
                access, listed.stream().map(batch -> batch.batch().store()).collect(toSet()));
        return listed.stream()
                .map(batch -> Optional.ofNullable(known.get(batch.batch().store()))
                        .map(store -> new ScheduledBatch(
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
     * @throws InvalidInput {@code INVALID_RANGE} where {@code to} is not after {@code from}
     */
    public Page<UpcomingChange> upcoming(
            Access access,
            StoreId store,
            Channel channel,
            @Nullable Instant from,
            @Nullable Instant to,
            PageRequest page) {
        if (from != null && to != null && !to.isAfter(from)) {
            throw new InvalidInput("INVALID_RANGE", "to", "must be after from");
        }
        return pending.upcoming(stores.require(access, store), channel, from, to, page);
    }
}
