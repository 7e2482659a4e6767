package io.menuboard.pricing.changes;

import static io.menuboard.pricing.StoredPrices.priceOf;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.ChunkPlans;
import io.menuboard.pricing.chunks.DynamoChunkPlan;
import io.menuboard.pricing.chunks.DynamoPriceLoads;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Writes chunks of change sets, takes them back, and compares them with the prices that there are. Thread-safe. */
final class ChunkWriter {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    private final DynamoChunkTransactions transactions;
    private final ChunkPlans plans;
    private final DynamoPriceLoads loads;
    private final PriceBook book;
    private final Clock clock;

    ChunkWriter(
            DynamoChunkTransactions transactions,
            ChunkPlans plans,
            DynamoPriceLoads loads,
            PriceBook book,
            Clock clock) {
        this.transactions = transactions;
        this.plans = plans;
        this.loads = loads;
        this.book = book;
        this.clock = clock;
    }

    /** Number of lines whose price before is not what the preview saw. */
    int countMoved(ChangeSet set, ChangeChunk chunk) {
        if (chunk.run() > 0 || chunk.kind().isPacked()) {
            return 0;
        }
        var store = book.stores().require(SYSTEM, chunk.store());
        var atOnce = chunk.kind() == ChangeChunk.Kind.AT_ONCE;
        var date = atOnce
                ? EffectiveDate.latestAt(clock.instant(), store.timeZone())
                : chunk.dateOr(set.effectiveDate()).in(store.timeZone());
        var versions = book.versions().versions(chunk.store(), chunk.channel(), chunk.subjects());
        return (int) chunk.lines().stream()
                .filter(line -> {
                    var all = versions.getOrDefault(line.subject(), StoredPrices.NONE);
                    // Since a date of its own a price only counts where there was none, nor one that was deleted.
                    return line.date() == null
                            ? !Objects.equals(line.before(), priceOf(atOnce ? all.until(date) : all.before(date)))
                            : all.until(date) != null;
                })
                .count();
    }

    /** Takes the chunk back for that run, before its time; the number of lines whose time had come. */
    int takeBack(ChangeSetId set, ChangeChunk chunk, int run) {
        var store = book.stores().require(SYSTEM, chunk.store());
        var isAgain = new AtomicBoolean();
        var now = transactions.write(
                chunk, run, current -> plans.scheduled().planBack(set, current, store, isAgain.getAndSet(true)));
        if (chunk.kind() == ChangeChunk.Kind.LOAD) {
            loads.release(set, chunk.store(), chunk.channel());
        }
        if (now.run() == run && now.state() == ChangeChunk.State.CANCELLED) {
            transactions.removeIfEmpty(now);
            return 0;
        }
        return now.writtenLines().size();
    }

    /** Instant at which a chunk takes effect of a set that was taken back to move it there: what stays as it was keeps its own. */
    Instant movedTo(ChangeChunk chunk, EffectiveDate date) {
        return startsAt(chunk, countLate(chunk, date) == 0 ? date : Objects.requireNonNull(chunk.date()));
    }

    /** Instant at which a chunk takes effect that is written for that date. */
    private Instant startsAt(ChangeChunk chunk, EffectiveDate date) {
        return date.startsAt(book.stores().require(SYSTEM, chunk.store()).timeZone());
    }

    /** True where that time has come in a store of the chunks, and the run that is to move them has taken none of them back. */
    boolean isTooLate(Stream<ChangeChunk> chunks, EffectiveDate date, int run) {
        var now = clock.instant();
        if (date.startsSomewhereAt().isAfter(now)) {
            return false;
        }
        var hasCome = false;
        for (var each = chunks.iterator(); each.hasNext(); ) {
            var chunk = each.next();
            if (chunk.run() == run) {
                return false;
            }
            hasCome |= !startsAt(chunk, date).isAfter(now);
        }
        return hasCome;
    }

    /** Number of lines of the chunk that are in effect, or wait, for another date than that one. */
    int countLate(ChangeChunk chunk, EffectiveDate date) {
        return chunk.state() == ChangeChunk.State.WRITTEN
                        && !date.in(book.stores().require(SYSTEM, chunk.store()).timeZone())
                                .equals(chunk.date())
                ? chunk.writtenLines().size()
                : 0;
    }

    /** Writing of all chunks of a set, in its latest run. */
    Writing writing(ChangeSet set) {
        return writing(set, _ -> true, "");
    }

    /**
     * The same, but that lines of other stores fail that are not written yet.
     *
     * @param reason why they do
     */
    Writing writing(ChangeSet set, Predicate<StoreId> permitted, String reason) {
        return new Writing(set, permitted, reason);
    }

    /** One run that writes a set, and the guards of stores whose first prices it loads. */
    final class Writing {
        private final ChangeSet set;
        private final Predicate<StoreId> permitted;
        private final String reason;
        private final Map<Guarded, Optional<Boolean>> guards = new ConcurrentHashMap<>();

        private Writing(ChangeSet set, Predicate<StoreId> permitted, String reason) {
            this.set = set;
            this.permitted = permitted;
            this.reason = reason;
        }

        /** A store and channel whose first prices are loaded. */
        private record Guarded(StoreId store, Channel channel) {}

        /** Writes the chunk, if this run has not; the number of lines that could not be written. */
        int write(ChangeChunk chunk) {
            var by = set.data().attribution();
            var store = book.stores().require(SYSTEM, chunk.store());
            // What this run has begun to load is loaded: some of it may be there.
            if (!permitted.test(chunk.store()) && chunk.run() < set.run()) {
                return failures(transactions.write(chunk, set.run(), now -> refused(now, store)));
            }
            return switch (chunk.kind()) {
                case AT_ONCE ->
                    failures(transactions.write(
                            chunk, set.run(), now -> Optional.of(plans.atOnce().plan(by, now, store))));
                case SCHEDULED -> {
                    var date = chunk.dateOr(set.effectiveDate());
                    // One that is still written came too late to be taken back, and stays as it is.
                    yield failures(transactions.write(
                            chunk,
                            set.run(),
                            now -> now.state() == ChangeChunk.State.WRITTEN
                                    ? Optional.empty()
                                    : Optional.of(plans.scheduled().plan(by, now, store, date))));
                }
                case LOAD -> load(chunk);
                case UNLOAD -> loads.unload(by, chunk, set.run()).size();
            };
        }

        /** Empty where a chunk is still written that came too late to be taken back. */
        private Optional<DynamoChunkPlan> refused(ChangeChunk chunk, Store store) {
            return switch (chunk.kind()) {
                case AT_ONCE, LOAD -> Optional.of(DynamoChunkPlan.refused(chunk, null, chunk.lines(), reason));
                case SCHEDULED -> {
                    var date = chunk.dateOr(set.effectiveDate()).in(store.timeZone());
                    yield chunk.state() == ChangeChunk.State.WRITTEN
                            ? Optional.empty()
                            : Optional.of(DynamoChunkPlan.refused(chunk, date, chunk.lines(), reason));
                }
                case UNLOAD -> Optional.of(DynamoChunkPlan.refused(chunk, null, there(chunk), reason));
            };
        }

        /** Lines whose prices nobody has removed, not even this run before it was interrupted. */
        private List<ChangeChunk.Line> there(ChangeChunk chunk) {
            var versions = book.versions().versions(chunk.store(), chunk.channel(), chunk.subjects());
            return chunk.lines().stream()
                    .filter(line -> line.date() != null
                            && versions.getOrDefault(line.subject(), StoredPrices.NONE)
                                            .startingAt(line.date())
                                    != null)
                    .toList();
        }

        /** Also those of an earlier run, where the chunk stays as that left it. */
        private static int failures(ChangeChunk chunk) {
            return chunk.failures().size();
        }

        private int load(ChangeChunk chunk) {
            var key = new Guarded(chunk.store(), chunk.channel());
            if (chunk.run() >= set.run() && chunk.state() == ChangeChunk.State.APPLIED) {
                guards.putIfAbsent(key, Optional.empty());
                return chunk.failures().size();
            }
            var guarded = guards.compute(
                    key,
                    (_, known) -> known != null && known.isPresent()
                            ? known
                            : Optional.of(loads.guard(set.id(), chunk.store(), chunk.channel())));
            var by = set.data().attribution();
            return (guarded.orElseThrow() ? loads.load(by, chunk, set.run()) : loads.refuse(by, chunk, set.run()))
                    .size();
        }

        /** Takes the guards away, when every chunk is written. */
        void release() {
            guards.keySet().forEach(guarded -> loads.release(set.id(), guarded.store(), guarded.channel()));
        }
    }
}
