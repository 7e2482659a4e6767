package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSet.Transition;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.DynamoChunkPlan;
import io.menuboard.pricing.chunks.DynamoChunks;
import io.menuboard.pricing.chunks.DynamoPriceLoads;
import io.menuboard.pricing.chunks.Timing;
import io.menuboard.pricing.revisions.DynamoPriceLog;
import io.menuboard.pricing.revisions.DynamoPriceRevisions;
import io.menuboard.pricing.revisions.PriceLogEntry;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Carries out plans of chunks in transactions: with nothing else, or all of a set with its transition. Thread-safe. */
final class DynamoChunkTransactions {
    /**
     * Lines of one transaction: at most three writes each, and four more, of the hundred that there may be; besides that, one for
     * each other set that lines to come overtake, or one for the log of lines at once, which overtake none.
     */
    static final int LINES_AT_ONCE = 24;

    private final QueryDb db;
    private final DynamoPriceBatches batches;
    private final DynamoChangeSets sets;
    private final PriceRevisions revisions;
    private final DynamoPriceLog priceLog;

    DynamoChunkTransactions(
            QueryDb db,
            DynamoPriceBatches batches,
            DynamoChangeSets sets,
            PriceRevisions revisions,
            DynamoPriceLog priceLog) {
        this.db = db;
        this.batches = batches;
        this.sets = sets;
        this.revisions = revisions;
        this.priceLog = priceLog;
    }

    /** Plans what a chunk takes, from what the table has now; empty where there is nothing that may be done. */
    @FunctionalInterface
    interface Planner {
        Optional<DynamoChunkPlan> plan(ChangeChunk chunk);
    }

    /**
     * Writes a chunk, once for each run, in one transaction with what it takes.
     *
     * @return the chunk as it is then; as it was where the planner has nothing to do
     */
    ChangeChunk write(ChangeChunk found, int run, Planner planner) {
        var write = new ChunkWrite(found, run, planner);
        return Contention.retry("chunk " + found.place(), write::attempt);
    }

    /** Attempts to write one chunk, each as the last one has found it. */
    private final class ChunkWrite {
        private final int run;
        private final Planner planner;
        private ChangeChunk chunk;

        ChunkWrite(ChangeChunk found, int run, Planner planner) {
            this.run = run;
            this.planner = planner;
            chunk = found;
        }

        Optional<ChangeChunk> attempt() {
            var plan = chunk.run() >= run ? Optional.<DynamoChunkPlan>empty() : planner.plan(chunk);
            if (plan.isEmpty()) {
                return Optional.of(chunk);
            }
            var writes = plan.get().writesOf(run);
            plan.get().overtaken().forEach((set, more) -> writes.add(DynamoChangeSets.overtaken(set, more)));
            writes.addAll(raised(List.of(plan.get())).orElseThrow());
            try {
                transact(writes, List.of(plan.get()));
                return Optional.of(plan.get().after(run));
            } catch (ConditionFailed e) {
                // Another run has written the chunk, or somebody has changed one of its prices since they were read.
                var key = DynamoChunks.key(chunk.place());
                if (e.keys().contains(key)) {
                    var kind = chunk.kind();
                    chunk = db.read(e.current(key).orElseThrow(), item -> DynamoChunks.read(item, kind));
                }
                return Optional.empty();
            }
        }
    }

    /** Outcome of a transaction of all of a set. */
    sealed interface Outcome {
        record Written() implements Outcome {}

        /** It does not fit one transaction; nothing was written. */
        record TooLarge() implements Outcome {}

        /**
         * Something has changed since it was read; nothing was written.
         *
         * @param loading a store whose first prices are being loaded; empty where that is not the reason
         */
        record Changed(Optional<StoreId> loading) implements Outcome {}
    }

    /**
     * Carries out the plans that apply a set, with the transition of the set, and marks the set that it undoes.
     *
     * @param overtaken number of further lines of other sets that it has overtaken, by set
     */
    Outcome apply(List<DynamoChunkPlan> plans, Transition<?> transition, Map<ChangeSetId, Integer> overtaken) {
        var more = writes(transition, overtaken);
        more.addAll(sets.undoing(
                transition.from(), Objects.requireNonNull(transition.by()).actor()));
        return write(plans, transition, more);
    }

    /** Carries out the plans that take a set back, with the transition of the set, and removes batches that are empty then. */
    Outcome takeBack(List<DynamoChunkPlan> plans, Transition<?> transition, Map<ChangeSetId, Integer> overtaken) {
        var outcome = write(plans, transition, writes(transition, overtaken));
        if (outcome instanceof Outcome.Written) {
            plans.forEach(plan -> removeIfEmpty(plan.after(transition.to().run())));
        }
        return outcome;
    }

    private List<Write> writes(Transition<?> transition, Map<ChangeSetId, Integer> overtaken) {
        var writes = sets.writes(transition);
        overtaken.forEach((set, more) -> writes.add(DynamoChangeSets.overtaken(set, more)));
        return writes;
    }

    private Outcome write(List<DynamoChunkPlan> plans, Transition<?> transition, List<Write> more) {
        var writes = new ArrayList<>(more);
        plans.forEach(plan -> writes.addAll(plan.writesOf(transition.to().run())));
        // Chunks of one store and channel may all ask whether first prices are being loaded there.
        var checked = new HashSet<Key>();
        writes.removeIf(write -> write instanceof Write.Check && !checked.add(write.key()));
        var raised = raised(plans);
        if (raised.isEmpty()) {
            return new Outcome.Changed(Optional.empty());
        }
        writes.addAll(raised.get());
        if (!fit(writes)) {
            return new Outcome.TooLarge();
        }
        try {
            transact(writes, plans);
            return new Outcome.Written();
        } catch (ConditionFailed e) {
            return new Outcome.Changed(plans.stream()
                    .map(DynamoChunkPlan::chunk)
                    .filter(chunk -> e.keys().contains(DynamoPriceLoads.guardKey(chunk.store(), chunk.channel())))
                    .findFirst()
                    .map(ChangeChunk::store));
        }
    }

    /**
     * Another revision of each store and channel whose prices those plans change, and the log of what they change at once.
     *
     * @return empty where time has passed between one plan of a store and channel and another, so that they have no common instant
     */
    private Optional<List<Write>> raised(List<DynamoChunkPlan> plans) {
        var byPlace = plans.stream()
                .filter(plan -> !plan.writes().isEmpty())
                .collect(groupingBy(
                        plan -> new Priced(plan.chunk().store(), plan.chunk().channel()),
                        LinkedHashMap::new,
                        mapping(DynamoChunkPlan::timing, toList())));
        var writes = new ArrayList<Write>();
        for (var place : byPlace.entrySet()) {
            var raised = raised(place.getKey(), place.getValue());
            if (raised.isEmpty()) {
                return Optional.empty();
            }
            writes.addAll(raised);
        }
        return Optional.of(writes);
    }

    private List<Write> raised(Priced place, List<Timing> timings) {
        var later = timings.stream()
                .filter(Timing.Later.class::isInstance)
                .map(timing -> ((Timing.Later) timing).at())
                .min(Comparator.naturalOrder());
        var atOnce = timings.stream()
                .filter(Timing.AtOnce.class::isInstance)
                .map(Timing.AtOnce.class::cast)
                .toList();
        if (atOnce.isEmpty()) {
            return List.of(DynamoPriceRevisions.raiseForLater(place.store(), place.channel(), later.orElseThrow()));
        }
        var first = atOnce.getFirst();
        var second = first.now().truncatedTo(ChronoUnit.SECONDS);
        if (atOnce.stream()
                        .anyMatch(other -> other.revision().logged()
                                        != first.revision().logged()
                                || !other.now().truncatedTo(ChronoUnit.SECONDS).equals(second))
                || later.filter(instant -> !second.isBefore(instant)).isPresent()) {
            return List.of();
        }
        return List.of(
                DynamoPriceRevisions.raiseAtOnce(
                        place.store(), place.channel(), first.revision(), second, later.orElse(null)),
                priceLog.write(
                        place.store(),
                        place.channel(),
                        new PriceLogEntry(
                                first.revision().logged() + 1,
                                second,
                                first.by(),
                                atOnce.stream()
                                        .flatMap(timing -> timing.lines().stream())
                                        .toList())));
    }

    private record Priced(StoreId store, Channel channel) {}

    private void transact(List<Write> writes, List<DynamoChunkPlan> plans) {
        try {
            db.transact(writes);
        } finally {
            plans.forEach(plan -> revisions.forget(plan.chunk().store()));
        }
    }

    /** True where one transaction takes them: chunks of one store and channel, for one, may share a batch. */
    private static boolean fit(List<Write> writes) {
        var changed = writes.stream()
                .filter(write -> !(write instanceof Write.Check))
                .map(Write::key)
                .toList();
        return writes.size() <= QueryDb.MAX_TRANSACTION && new HashSet<>(changed).size() == changed.size();
    }

    /** Removes the batch that a chunk has left empty, if that was taken back. */
    void removeIfEmpty(ChangeChunk chunk) {
        if (chunk.date() != null && chunk.state() == ChangeChunk.State.CANCELLED) {
            batches.removeIfEmpty(new PriceBatch(chunk.store(), chunk.channel(), chunk.date()));
        }
    }
}
