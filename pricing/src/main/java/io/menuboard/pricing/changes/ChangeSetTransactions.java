package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSet.Previewed;
import io.menuboard.pricing.changes.ChangeSet.Scheduled;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.changes.DynamoChunkTransactions.Outcome;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.ChunkPlans;
import io.menuboard.pricing.chunks.DynamoChunkPlan;
import io.menuboard.pricing.chunks.DynamoScheduledPlans.Wait;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Applies and takes back sets that fit one transaction: the set, its lines, their history and their audit records change
 * together or not at all, so that there is nothing to go on with and no task to do it.
 */
final class ChangeSetTransactions {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    /**
     * Of as many stores where they are to come, which takes each up to six of the hundred writes: version, change, overtaken line,
     * chunk, batch and revision. At once it takes seven, of which 14 stores fit: version, end of the one before, history, chunk,
     * audit record, revision and log.
     */
    private static final int MOST_LINES = 16;

    /** More than there is between UTC+14 and UTC-12. */
    private static final Duration MOST_BETWEEN_CLOCKS = Duration.ofHours(27);

    private static final Set<Wait> OVER = Set.of(Wait.OVER);

    private static final String MUST_WAIT_TO_UNDO =
            "changeSet must be in effect in every store, and the clock of one has gone back since; try again then";

    private final DynamoChangeSets sets;
    private final DynamoChangeLines lines;
    private final DynamoChunkTransactions transactions;
    private final ChunkPlans plans;
    private final Stores stores;
    private final Clock clock;

    ChangeSetTransactions(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoChunkTransactions transactions,
            ChunkPlans plans,
            Stores stores,
            Clock clock) {
        this.sets = sets;
        this.lines = lines;
        this.transactions = transactions;
        this.plans = plans;
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
    Attempt apply(Previewed set, Event by) {
        return isSmall(set)
                ? Contention.retry("prices of " + set.id(), () -> attemptToApply(set, by))
                : new Attempt.TooLarge();
    }

    /** Empty where prices have changed since they were read. */
    private Optional<Attempt> attemptToApply(Previewed set, Event by) {
        var chunks = chunks(set);
        if (chunks.stream().anyMatch(chunk -> chunk.kind().isPacked())) {
            return Optional.of(new Attempt.TooLarge());
        }
        var planned = chunks.stream().map(chunk -> plan(set, chunk)).toList();
        if (planned.stream().anyMatch(plan -> !plan.failures().isEmpty())) {
            return Optional.of(stale(set, planned));
        }
        var overtaken = overtaken(planned);
        var own = Objects.requireNonNullElse(overtaken.remove(set.id()), 0);
        var waits = planned.stream().anyMatch(plan -> plan.state() == ChangeChunk.State.WRITTEN);
        var applied = waits ? set.scheduled(by, own) : set.applied(by, clock.instant(), own);
        return switch (transactions.apply(planned, applied, overtaken)) {
            case Outcome.Written() -> Optional.of(new Attempt.Done(applied.to()));
            case Outcome.TooLarge() -> Optional.of(new Attempt.TooLarge());
            case Outcome.Changed(var loading) ->
                loading.<Attempt>map(store -> new Attempt.Loading(set, store)).or(() -> overtaken(set));
        };
    }

    private DynamoChunkPlan plan(ChangeSet set, ChangeChunk chunk) {
        var by = set.data().attribution();
        var store = stores.require(SYSTEM, chunk.store());
        return chunk.kind() == ChangeChunk.Kind.AT_ONCE
                ? plans.atOnce().plan(by, chunk, store)
                : plans.scheduled().planAsPreviewed(by, chunk, store, chunk.dateOr(set.effectiveDate()));
    }

    private Attempt stale(Previewed set, List<DynamoChunkPlan> planned) {
        var failed = planned.stream().mapToInt(plan -> plan.failures().size()).sum();
        var why = planned.stream()
                .flatMap(plan -> plan.failures().values().stream())
                .findFirst()
                .orElseThrow();
        return sets.save(set.outdated(failed == 1 ? why : failed + " lines: " + why))
                .<Attempt>map(Attempt.Stale::new)
                .orElseGet(Attempt.Overtaken::new);
    }

    /**
     * Takes a set back that waits for its time. Where that has come for some of its lines, the others are taken back, and
     * it is partly applied.
     */
    Attempt cancel(Scheduled set, Event by) {
        if (!isSmall(set)) {
            return new Attempt.TooLarge();
        }
        var isAgain = new AtomicBoolean();
        return Contention.retry("prices of " + set.id(), () -> attemptToCancel(set, by, isAgain.getAndSet(true)));
    }

    /**
     * The rule that forbids to take a set back, to move it or to undo it. A set counts as in effect by the time zones that its
     * stores had when it was previewed; where that forbids the former two, or allows the last, to a set whose stores are known,
     * up to 500, those that they have now decide, as long as a clock can be that far behind: half a read unit for each store
     * that is not remembered. Where the time of one is to come, or each line has a date of its own: one unit per 4 KB of its
     * chunks, until some wait and others do not, which of a set that is in effect are all; per 4 KB of what is to come at the
     * same time; and of each chunk that waits for the lines that were overtaken, where there are any.
     */
    Optional<String> refusal(ChangeSetAction action, ChangeSet set) {
        var now = clock.instant();
        var refusal = set.refusal(action, now);
        var isUndo = action == ChangeSetAction.UNDO;
        if (refusal.isPresent() == isUndo || !(isUndo || set instanceof Scheduled) || !mayWait(set, now)) {
            return refusal;
        }
        var known =
                stores.findAllNow(SYSTEM, Objects.requireNonNull(set.summary()).touched());
        if (known.values().stream().noneMatch(store -> mayWait(set, store, now))) {
            return refusal;
        }
        try (var chunks = lines.chunks(set)) {
            var waits = plans.scheduled()
                    .waits(
                            set.id(),
                            chunks,
                            store -> Objects.requireNonNull(known.get(store), store::value),
                            chunk -> withoutOvertaken(set, chunk));
            if (set instanceof Scheduled scheduled && waits.contains(Wait.TO_COME)) {
                return action.refusalOfScheduled(new Scheduled(scheduled.data(), waits.size() > 1));
            }
            return isUndo && !OVER.containsAll(waits) ? Optional.of(MUST_WAIT_TO_UNDO) : refusal;
        }
    }

    /** Lines of a chunk that was written, and whose place no later set has taken. */
    private List<ChangeChunk.Line> withoutOvertaken(ChangeSet set, ChangeChunk chunk) {
        var written = chunk.writtenLines();
        return set.data().overtaken() == 0 ? written : lines.withoutOvertaken(set.id(), written);
    }

    private static boolean mayWait(ChangeSet set, Instant now) {
        var last = set.summary() == null ? null : set.summary().lastInstant();
        return last != null && now.isBefore(last.plus(MOST_BETWEEN_CLOCKS));
    }

    /** True also where each line has a date of its own, which its chunk alone has. */
    private static boolean mayWait(ChangeSet set, Store store, Instant now) {
        var date = set.effectiveDate();
        return date == null || date.startsAt(store.timeZone()).isAfter(now);
    }

    /** Empty where prices have changed since they were read. */
    private Optional<Attempt> attemptToCancel(Scheduled set, Event by, boolean isAgain) {
        var planned = new ArrayList<DynamoChunkPlan>();
        var stays = false;
        for (var chunk : chunks(set)) {
            var store = stores.require(SYSTEM, chunk.store());
            var plan = plans.scheduled().planBack(set.id(), chunk, store, isAgain);
            plan.ifPresent(planned::add);
            stays |= plan.isEmpty() && !chunk.writtenLines().isEmpty();
        }
        if (planned.isEmpty()) {
            return overtaken(set).or(() -> sets.save(set.cancelled(by, 0, 0, clock.instant()))
                    .map(Attempt.Done::new));
        }
        var overtaken = overtaken(planned);
        var own = Objects.requireNonNullElse(overtaken.remove(set.id()), 0);
        var cancelled = stays
                ? set.cancelled(by, countTakenBack(planned), own, clock.instant())
                : set.cancelled(by, 0, own, null);
        return switch (transactions.takeBack(planned, cancelled, overtaken)) {
            case Outcome.Written() -> Optional.of(new Attempt.Done(sets.now(set.id())));
            case Outcome.TooLarge() -> Optional.of(new Attempt.TooLarge());
            case Outcome.Changed _ -> overtaken(set);
        };
    }

    private static int countTakenBack(List<DynamoChunkPlan> planned) {
        return planned.stream()
                .map(DynamoChunkPlan::chunk)
                .mapToInt(chunk -> chunk.lines().size() - chunk.failures().size())
                .sum();
    }

    /**
     * Sees whether somebody has begun something with the set, or asked or said anything about its preview, since it was read; empty
     * where nobody has.
     */
    private Optional<Attempt> overtaken(ChangeSet found) {
        var now = sets.now(found.id());
        return now.run() != found.run()
                        || now.status() != found.status()
                        || !Objects.equals(now.token(), found.token())
                        || !Objects.equals(now.approval(), found.approval())
                ? Optional.of(new Attempt.Overtaken())
                : Optional.empty();
    }

    private List<ChangeChunk> chunks(ChangeSet set) {
        try (var chunks = lines.chunks(set)) {
            return chunks.toList();
        }
    }

    private static Map<ChangeSetId, Integer> overtaken(List<DynamoChunkPlan> planned) {
        var all = new HashMap<ChangeSetId, Integer>();
        planned.forEach(plan -> plan.overtaken().forEach((set, more) -> all.merge(set, more, Integer::sum)));
        all.values().removeIf(more -> more == 0);
        return all;
    }
}
