package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSet.Previewed;
import io.menuboard.pricing.changes.ChangeSet.Scheduled;
import io.menuboard.pricing.changes.DynamoChangeWrites.Plan;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Applies and takes back sets that fit one transaction: the set, its lines, their history and their audit records change
 * together or not at all, so that there is nothing to go on with and no task to do it.
 */
final class ChangeSetTransactions {
    /** Where each line is of another store: version, history or change, end or overtaken line, chunk, batch or audit record. */
    private static final int MOST_LINES = 16;

    private static final int ATTEMPTS = 20;

    private final DynamoChangeSets sets;
    private final DynamoChangeLines lines;
    private final DynamoChunkTransactions chunks;
    private final DynamoChangeWrites writes;
    private final Stores stores;
    private final Clock clock;

    ChangeSetTransactions(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoChunkTransactions chunks,
            DynamoChangeWrites writes,
            Stores stores,
            Clock clock) {
        this.sets = sets;
        this.lines = lines;
        this.chunks = chunks;
        this.writes = writes;
        this.stores = stores;
        this.clock = clock;
    }

    /** Outcome of an attempt to do with a set what was asked, in one transaction. */
    sealed interface Attempt {
        /** Everything is written. */
        record Done(ChangeSet set) implements Attempt {}

        /** Prices are not what the preview saw; the draft needs another preview. */
        record Stale(ChangeSet set) implements Attempt {}

        /** Somebody else has begun something with the set, or its time has come; nothing was written. */
        record Overtaken() implements Attempt {}

        /** First prices of that store are being loaded; nothing was written. */
        record Loading(ChangeSet set, StoreId store) implements Attempt {}

        /** It does not fit one transaction; nothing was written. */
        record TooLarge() implements Attempt {}
    }

    private static boolean isSmall(ChangeSet set) {
        var summary = set.summary();
        return summary != null && summary.written() <= MOST_LINES;
    }

    /** Applies the preview of that draft: a read unit for the chunks, one for the prices of each, and the transaction. */
    Attempt apply(Previewed set) {
        if (!isSmall(set)) {
            return new Attempt.TooLarge();
        }
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var all = chunks(set);
            if (all.stream().anyMatch(chunk -> chunk.kind().isPacked())) {
                return new Attempt.TooLarge();
            }
            var plans = all.stream().map(chunk -> plan(set, chunk)).toList();
            if (plans.stream().anyMatch(plan -> !plan.failures().isEmpty())) {
                return stale(set, plans);
            }
            var overtaken = overtaken(plans);
            var own = Objects.requireNonNullElse(overtaken.remove(set.id()), 0);
            var waits = plans.stream().anyMatch(plan -> plan.state() == ChangeChunk.State.WRITTEN);
            var applied = waits ? set.scheduled(own) : set.applied(clock.instant(), own);
            var more = new ArrayList<Write>();
            more.add(DynamoChangeSets.update(applied));
            overtaken.forEach((other, count) -> more.add(DynamoChangeSets.overtaken(other, count)));
            more.addAll(sets.undoing(set));
            if (!fit(plans, applied.to().run(), more)) {
                return new Attempt.TooLarge();
            }
            var changed = chunks.write(plans, applied.to().run(), more);
            if (changed.isEmpty()) {
                return new Attempt.Done(applied.to());
            }
            var loaded = storeThatIsLoaded(all, changed);
            if (loaded.isPresent()) {
                return new Attempt.Loading(set, loaded.get());
            }
            if (isOvertaken(set)) {
                return new Attempt.Overtaken();
            }
        }
        throw new IllegalStateException("prices of " + set.id() + " change faster than they are written");
    }

    private Plan plan(ChangeSet set, ChangeChunk chunk) {
        var by = set.data().attribution();
        var store = stores.require(chunk.store());
        return chunk.kind() == ChangeChunk.Kind.AT_ONCE
                ? writes.atOnce(by, chunk, store)
                : writes.asPreviewed(by, chunk, store, chunk.dateIn(set));
    }

    private static Optional<StoreId> storeThatIsLoaded(List<ChangeChunk> chunks, List<Key> changed) {
        return chunks.stream()
                .filter(chunk -> changed.contains(DynamoPriceLoads.guardKey(chunk.store(), chunk.channel())))
                .findFirst()
                .map(ChangeChunk::store);
    }

    private Attempt stale(Previewed set, List<Plan> plans) {
        var lines = plans.stream().mapToInt(plan -> plan.failures().size()).sum();
        var why = plans.stream()
                .flatMap(plan -> plan.failures().values().stream())
                .findFirst()
                .orElseThrow();
        return sets.save(set.outdated(lines == 1 ? why : lines + " lines: " + why))
                .<Attempt>map(Attempt.Stale::new)
                .orElseGet(Attempt.Overtaken::new);
    }

    /**
     * Takes a set back that waits for its time. Where that has come for some of its lines, the others are taken back, and
     * it is partly applied.
     */
    Attempt cancel(Scheduled set) {
        if (!isSmall(set)) {
            return new Attempt.TooLarge();
        }
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var plans = new ArrayList<Plan>();
            var stays = false;
            for (var chunk : chunks(set)) {
                var plan = writes.takenBack(set.id(), chunk, stores.require(chunk.store()));
                plan.ifPresent(plans::add);
                stays |= plan.isEmpty() && !chunk.writtenLines().isEmpty();
            }
            if (plans.isEmpty()) {
                return new Attempt.Overtaken();
            }
            var overtaken = overtaken(plans);
            var own = Objects.requireNonNullElse(overtaken.remove(set.id()), 0);
            var cancelled = stays
                    ? set.partlyCancelled(set.data().unwritten() + countTakenBack(plans), own, clock.instant())
                    : set.cancelled(own);
            var run = cancelled.to().run();
            var more = new ArrayList<Write>();
            more.add(DynamoChangeSets.update(cancelled));
            overtaken.forEach((other, count) -> more.add(DynamoChangeSets.overtaken(other, count)));
            if (!fit(plans, run, more)) {
                return new Attempt.TooLarge();
            }
            if (chunks.write(plans, run, more).isEmpty()) {
                plans.forEach(plan -> chunks.removeIfEmpty(plan.chunk().after(plan, run)));
                return new Attempt.Done(sets.now(set.id()));
            }
            if (isOvertaken(set)) {
                return new Attempt.Overtaken();
            }
        }
        throw new IllegalStateException("prices of " + set.id() + " change faster than they are taken back");
    }

    private static int countTakenBack(List<Plan> plans) {
        return plans.stream()
                .mapToInt(plan ->
                        plan.chunk().lines().size() - plan.chunk().failures().size())
                .sum();
    }

    private boolean isOvertaken(ChangeSet found) {
        var now = sets.now(found.id());
        return now.run() != found.run()
                || now.status() != found.status()
                || !Objects.equals(now.token(), found.token());
    }

    private List<ChangeChunk> chunks(ChangeSet set) {
        try (var chunks = lines.chunks(set)) {
            return chunks.toList();
        }
    }

    private static Map<ChangeSetId, Integer> overtaken(List<Plan> plans) {
        var all = new HashMap<ChangeSetId, Integer>();
        plans.forEach(plan -> plan.overtaken().forEach((set, more) -> all.merge(set, more, Integer::sum)));
        all.values().removeIf(more -> more == 0);
        return all;
    }

    /** Whether one transaction takes them: chunks of one store and channel, for one, may share a batch. */
    private static boolean fit(List<Plan> plans, int run, List<Write> more) {
        var all = Stream.concat(plans.stream().flatMap(plan -> plan.writesOf(run).stream()), more.stream())
                .toList();
        var changed = all.stream()
                .filter(write -> !(write instanceof Write.Check))
                .map(Write::key)
                .toList();
        var checked = all.stream()
                .filter(Write.Check.class::isInstance)
                .map(Write::key)
                .distinct();
        return new HashSet<>(changed).size() == changed.size()
                && changed.size() + checked.count() <= QueryDb.MAX_TRANSACTION;
    }
}
