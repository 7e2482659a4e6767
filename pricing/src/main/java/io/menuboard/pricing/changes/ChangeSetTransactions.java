package io.menuboard.pricing.changes;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.DynamoChangeSets.Stored;
import io.menuboard.pricing.changes.DynamoChangeWrites.Plan;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Applies and takes back sets that fit one transaction: the set, its lines, their history and their audit records change
 * together or not at all, so that there is nothing to go on with and no task to do it.
 */
final class ChangeSetTransactions {
    /** Where each line is of another store: version, history or change, end or overtaken line, chunk, batch or audit record. */
    private static final int MOST_LINES = 16;

    private static final int RACES = 20;

    private final DynamoChangeSets sets;
    private final DynamoPriceChanges changes;
    private final DynamoChangeWrites writes;
    private final Stores stores;
    private final Clock clock;

    ChangeSetTransactions(
            DynamoChangeSets sets, DynamoPriceChanges changes, DynamoChangeWrites writes, Stores stores, Clock clock) {
        this.sets = sets;
        this.changes = changes;
        this.writes = writes;
        this.stores = stores;
        this.clock = clock;
    }

    /** What came of it. */
    sealed interface Ended {
        /** Everything is written. */
        record Done(Stored stored) implements Ended {}

        /** Prices are not what the preview saw; the draft needs another preview. */
        record Stale(Stored stored) implements Ended {}

        /** Somebody else has begun something with the set; nothing was written. */
        record Overtaken(Stored stored) implements Ended {}

        /** First prices of that store are being loaded; nothing was written. */
        record Loading(Stored stored, StoreId store) implements Ended {}

        /** It does not fit one transaction; nothing was written. */
        record TooLarge() implements Ended {}
    }

    private static boolean isSmall(Stored stored) {
        var summary = stored.set().summary();
        return summary != null && summary.written() <= MOST_LINES;
    }

    // ---- applying

    /** Applies the preview of that draft: a read unit for the chunks, one for the prices of each, and the transaction. */
    Ended apply(Stored found) {
        if (!isSmall(found)) {
            return new Ended.TooLarge();
        }
        for (var race = 0; race < RACES; race++) {
            var chunks = chunks(found);
            if (chunks.stream().anyMatch(chunk -> chunk.kind().isPacked())) {
                return new Ended.TooLarge();
            }
            var terms = terms(found.set());
            var plans = chunks.stream()
                    .map(chunk -> plan(terms, found.set(), chunk))
                    .toList();
            if (plans.stream().anyMatch(plan -> !plan.failures().isEmpty())) {
                return stale(found, plans);
            }
            var run = found.run() + 1;
            var waits = plans.stream().anyMatch(plan -> plan.state() == ChangeChunk.State.WRITTEN);
            var status = waits ? ChangeSetStatus.SCHEDULED : ChangeSetStatus.APPLIED;
            var at = waits ? null : clock.instant();
            var overtaken = overtaken(plans);
            var own = Objects.requireNonNullElse(overtaken.remove(found.set().id()), 0);
            var more = new ArrayList<Write>();
            more.add(DynamoChangeSets.write(found.set().id(), change(status, run, 0, own, at), is(found)));
            overtaken.forEach((set, lines) -> more.add(DynamoChangeSets.overtaken(set, lines)));
            more.addAll(undone(found.set()));
            if (!fit(plans, run, more)) {
                return new Ended.TooLarge();
            }
            var changed = changes.write(plans, run, more);
            if (changed.isEmpty()) {
                return new Ended.Done(found.after(run, status, own, at));
            }
            var loaded = chunks.stream()
                    .filter(chunk -> changed.contains(DynamoPriceLoads.guardKey(chunk.store(), chunk.channel())))
                    .findFirst();
            if (loaded.isPresent()) {
                return new Ended.Loading(found, loaded.get().store());
            }
            var now = sets.find(found.set().id(), Consistency.STRONG).orElseThrow();
            if (now.run() != found.run() || now.set().status() != found.set().status()) {
                return new Ended.Overtaken(now);
            }
        }
        throw new IllegalStateException("prices of " + found.set().id() + " change faster than they are written");
    }

    private Plan plan(Attribution terms, ChangeSet set, ChangeChunk chunk) {
        var store = stores.require(chunk.store());
        return chunk.kind() == ChangeChunk.Kind.AT_ONCE
                ? writes.atOnce(terms, chunk, store)
                : writes.asPreviewed(terms, chunk, store, dateOf(set, chunk));
    }

    /** From when on the lines of a chunk count that waits for its time. */
    static EffectiveDate dateOf(ChangeSet set, ChangeChunk chunk) {
        var asked = chunk.asked();
        return Objects.requireNonNull(asked == null ? set.effectiveDate() : asked);
    }

    private Ended stale(Stored found, List<Plan> plans) {
        var lines = plans.stream().mapToInt(plan -> plan.failures().size()).sum();
        var why = plans.stream()
                .flatMap(plan -> plan.failures().values().stream())
                .findFirst()
                .orElseThrow();
        return sets.update(
                        found.set().id(),
                        Expression.of("SET problem = :problem REMOVE #token")
                                .name("#token", "token")
                                .string(":problem", lines == 1 ? why : lines + " lines: " + why),
                        is(found),
                        now -> now.run() == found.run() && now.set().token() == null)
                .<Ended>map(Ended.Stale::new)
                .orElseGet(() -> new Ended.Overtaken(
                        sets.find(found.set().id(), Consistency.STRONG).orElseThrow()));
    }

    /**
     * That the set which this one puts back is undone; where that one had put back a third, that the third is in effect
     * again; and so on.
     */
    List<Write> undone(ChangeSet set) {
        var marks = new ArrayList<Write>();
        var isUndone = true;
        for (var next = set.undoes(); next != null; isUndone = !isUndone) {
            var found = sets.find(next, Consistency.STRONG);
            if (found.isEmpty()) {
                break;
            }
            marks.add(isUndone ? undone(next, set.id()) : restored(found.get().set(), set.id()));
            next = found.get().set().undoes();
        }
        return marks;
    }

    private static Write undone(ChangeSetId undone, ChangeSetId by) {
        return DynamoChangeSets.write(
                undone,
                Expression.of("SET #status = :undone, undoneBy = :by")
                        .name("#status", "status")
                        .string(":undone", ChangeSetStatus.UNDONE.name())
                        .string(":by", by.value()),
                EXISTS);
    }

    private static Write restored(ChangeSet restored, ChangeSetId by) {
        var status = restored.failed() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
        return DynamoChangeSets.write(
                restored.id(),
                Expression.of("SET #status = :status, restoredBy = :by REMOVE undoneBy")
                        .name("#status", "status")
                        .string(":status", status.name())
                        .string(":by", by.value()),
                EXISTS);
    }

    // ---- taken back

    /**
     * Takes a set back that waits for its time. Where that has come for some of its lines, the others are taken back, and
     * it is partly applied.
     */
    Ended cancel(Stored found) {
        if (!isSmall(found)) {
            return new Ended.TooLarge();
        }
        for (var race = 0; race < RACES; race++) {
            var set = found.set();
            var chunks = chunks(found);
            var plans = new ArrayList<Plan>();
            var stays = false;
            for (var chunk : chunks) {
                var plan = writes.takenBack(set.id(), chunk, stores.require(chunk.store()));
                plan.ifPresent(plans::add);
                stays |= plan.isEmpty() && !chunk.writtenLines().isEmpty();
            }
            if (plans.isEmpty()) {
                return new Ended.Overtaken(found);
            }
            var run = found.run() + 1;
            var status = stays ? ChangeSetStatus.PARTLY_APPLIED : ChangeSetStatus.CANCELLED;
            var at = stays ? clock.instant() : null;
            var unwritten = found.unwritten()
                    + (stays
                            ? plans.stream()
                                    .mapToInt(plan -> plan.chunk().lines().size()
                                            - plan.chunk().failures().size())
                                    .sum()
                            : 0);
            var overtaken = overtaken(plans);
            var own = Objects.requireNonNullElse(overtaken.remove(set.id()), 0);
            var more = new ArrayList<Write>();
            more.add(DynamoChangeSets.write(set.id(), change(status, run, unwritten, own, at), is(found)));
            overtaken.forEach((other, lines) -> more.add(DynamoChangeSets.overtaken(other, lines)));
            if (!fit(plans, run, more)) {
                return new Ended.TooLarge();
            }
            if (changes.write(plans, run, more).isEmpty()) {
                plans.forEach(plan -> changes.removeIfEmpty(plan.chunk().after(plan, run)));
                return new Ended.Done(sets.find(set.id(), Consistency.STRONG).orElseThrow());
            }
            var now = sets.find(set.id(), Consistency.STRONG).orElseThrow();
            if (now.run() != found.run() || now.set().status() != set.status()) {
                return new Ended.Overtaken(now);
            }
        }
        throw new IllegalStateException("prices of " + found.set().id() + " change faster than they are taken back");
    }

    // ---- shared

    private List<ChangeChunk> chunks(Stored stored) {
        try (var chunks = sets.chunks(stored.previewed())) {
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

    private static final Expression EXISTS = Expression.of("attribute_exists(pk)");

    /** Holds while nobody has begun anything with the set since it was read. */
    private static Expression is(Stored found) {
        var condition = Expression.of(
                        "#run = :was AND #status = :from" + (found.set().token() == null ? "" : " AND #token = :token"))
                .name("#run", "run")
                .name("#status", "status")
                .number(":was", found.run())
                .string(":from", found.set().status().name());
        var token = found.set().token();
        return token == null ? condition : condition.name("#token", "token").string(":token", token);
    }

    private static Expression change(
            ChangeSetStatus status, int run, int unwritten, int overtaken, @Nullable Instant at) {
        var change = Expression.of("SET #status = :status, #run = :run, failed = :failed"
                        + (at == null ? "" : ", appliedAt = :at") + " REMOVE task, checked, problem"
                        + (overtaken == 0 ? "" : " ADD overtaken :overtaken"))
                .name("#status", "status")
                .name("#run", "run")
                .string(":status", status.name())
                .number(":run", run)
                .number(":failed", unwritten);
        change = at == null ? change : change.string(":at", at.toString());
        return overtaken == 0 ? change : change.number(":overtaken", overtaken);
    }

    /** Who changes prices, and why. */
    static Attribution terms(ChangeSet set) {
        return new Attribution(set.id(), set.actor(), set.reason());
    }

    /** The set of that id, so far as it says who changes prices, and why. */
    Optional<Attribution> terms(ChangeSetId id) {
        return sets.find(id, Consistency.EVENTUAL).map(stored -> terms(stored.set()));
    }
}
