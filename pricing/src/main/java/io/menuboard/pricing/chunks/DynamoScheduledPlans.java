package io.menuboard.pricing.chunks;

import static io.menuboard.pricing.StoredPrices.priceOf;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.batches.DynamoPendingChanges;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.chunks.ChangeChunk.Line;
import io.menuboard.pricing.chunks.ChangeChunk.State;
import io.menuboard.pricing.chunks.ConflictRules.Placement;
import io.menuboard.pricing.chunks.ConflictRules.Withdrawal;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans of chunks whose changes are to come, and of taking them back. {@link ConflictRules} decide where several sets
 * change the same price from the same instant on. Writes nothing itself.
 */
public final class DynamoScheduledPlans {
    /** More than clocks differ that go by the table's. */
    private static final Duration AT_HAND = Duration.ofSeconds(30);

    private final PriceBook book;
    private final DynamoPendingChanges pending;
    private final DynamoPriceBatches batches;
    private final PriceRevisions revisions;
    private final Clock clock;

    DynamoScheduledPlans(
            PriceBook book,
            DynamoPendingChanges pending,
            DynamoPriceBatches batches,
            PriceRevisions revisions,
            Clock clock) {
        this.book = book;
        this.pending = pending;
        this.batches = batches;
        this.revisions = revisions;
        this.clock = clock;
    }

    /** Plans changes that are to come. Five write units a line, three for the batch. */
    public DynamoChunkPlan plan(Attribution by, ChangeChunk chunk, Store store, EffectiveDate asked) {
        return plan(by.changeSet(), chunk, store, asked, versions(chunk));
    }

    /** As {@link #plan}, but that a line whose price is not what the preview saw fails. */
    public DynamoChunkPlan planAsPreviewed(Attribution by, ChangeChunk chunk, Store store, EffectiveDate asked) {
        var versions = versions(chunk);
        var plan = plan(by.changeSet(), chunk, store, asked, versions);
        var date = asked.in(store.timeZone());
        for (var line : chunk.without(plan.failures())) {
            var all = versions.getOrDefault(line.subject(), StoredPrices.NONE);
            if (!Objects.equals(priceOf(all.before(date)), line.before())) {
                plan.fail(line, DynamoAtOncePlans.MOVED);
            }
        }
        return plan;
    }

    private DynamoChunkPlan plan(
            ChangeSetId set,
            ChangeChunk chunk,
            Store store,
            EffectiveDate asked,
            Map<PriceSubject, StoredPrices> versions) {
        var date = asked.in(store.timeZone());
        var at = date.startsAt(store.timeZone());
        var plan = DynamoChunkPlan.begin(
                chunk,
                State.WRITTEN,
                new Timing.Later(at),
                date,
                at.plus(book.history().keptFor()));
        // What could not be written before stays out of a set that is moved.
        plan.failures().putAll(chunk.failures());
        if (hasBegun(date, store, chunk.channel())) {
            chunk.lines().forEach(line -> plan.fail(line, "its time came before it was written"));
            return plan;
        }
        var planning = new Planning(set, store, date, plan);
        for (var line : chunk.without(plan.failures())) {
            planning.add(line, versions.getOrDefault(line.subject(), StoredPrices.NONE));
        }
        planning.end();
        return plan;
    }

    /**
     * Plans to take back what {@link #plan} wrote, before its time, so that what it had overtaken is there again; and to
     * leave unwritten what nobody has written. For what it cost to write.
     *
     * @param isAgain whether a plan before could not be carried out: then the batch is read, too, a read unit per 4 KB, and where
     *     changes of the chunk are not found there, this is made sure of, two write units each
     * @return empty where it is in effect, or its time has come, also where that was so of a line before its store's clock
     *     went back: then nothing is taken back
     */
    public Optional<DynamoChunkPlan> planBack(ChangeSetId set, ChangeChunk chunk, Store store, boolean isAgain) {
        if (!isAgain || chunk.state() != State.WRITTEN || chunk.date() == null) {
            return planBack(set, chunk, store);
        }
        var batch = new PriceBatch(chunk.store(), chunk.channel(), chunk.date());
        // Read before the versions: a change that another set puts there in between has not gone.
        var left = pending.left(batch);
        var gone = chunk.subjects().stream()
                .filter(subject -> !left.contains(subject))
                .map(subject -> DynamoPendingChanges.key(batch, subject))
                .collect(toUnmodifiableSet());
        return planBack(set, chunk, store).filter(plan -> {
            var missing = plan.writes().stream()
                    .map(Write::key)
                    .filter(gone::contains)
                    .toList();
            return missing.isEmpty() || !pending.areGone(missing);
        });
    }

    private Optional<DynamoChunkPlan> planBack(ChangeSetId set, ChangeChunk chunk, Store store) {
        var date = chunk.state() == State.WRITTEN ? chunk.date() : null;
        if (chunk.state() == State.APPLIED
                || (chunk.state() == State.WRITTEN && chunk.kind().isPacked())
                || (date != null && hasBegun(date, store, chunk.channel()))) {
            return Optional.empty();
        }
        var plan = DynamoChunkPlan.begin(
                chunk,
                State.CANCELLED,
                date == null ? new Timing.Never() : new Timing.Later(date.startsAt(store.timeZone())),
                date);
        plan.failures().putAll(chunk.failures());
        if (date == null) {
            return Optional.of(plan);
        }
        var versions = versions(chunk);
        var planning = new Planning(set, store, date, plan);
        for (var line : chunk.writtenLines()) {
            planning.takeBack(line, versions.getOrDefault(line.subject(), StoredPrices.NONE));
        }
        if (planning.wasInEffect) {
            return Optional.empty();
        }
        planning.end();
        return Optional.of(plan);
    }

    /** How a chunk that was written stands to its time, on the clock that its store has now. */
    public enum Wait {
        /** Its time has come. */
        OVER,
        /** Its time is to come, and every line waits for it, or for the set that has overtaken it to be taken back. */
        TO_COME,
        /** Its time is to come, but some lines have been in effect before the clock went back. */
        AGAIN
    }

    /**
     * How chunks of a set stand to their time, without those of which nothing was written. Reads each batch whose time is to
     * come, and no more chunks once one waits and another does not.
     *
     * @param own lines of a chunk that was written, without those that a later set has overtaken: these do not wait themselves
     */
    public Set<Wait> waits(
            ChangeSetId set,
            Stream<ChangeChunk> chunks,
            Function<StoreId, Store> stores,
            Function<ChangeChunk, List<Line>> own) {
        var waiting = new HashMap<PriceBatch, Set<PriceSubject>>();
        var found = EnumSet.noneOf(Wait.class);
        var each = chunks.iterator();
        while (each.hasNext() && !(found.contains(Wait.TO_COME) && found.size() > 1)) {
            var chunk = each.next();
            if (chunk.writtenLines().isEmpty()) {
                continue;
            }
            var date = chunk.date();
            if (chunk.state() != State.WRITTEN
                    || chunk.kind().isPacked()
                    || date == null
                    || hasBegun(date, stores.apply(chunk.store()), chunk.channel())) {
                found.add(Wait.OVER);
                continue;
            }
            var left = waiting.computeIfAbsent(
                    new PriceBatch(chunk.store(), chunk.channel(), date), batch -> pending.of(batch, set));
            var waits = own.apply(chunk).stream().map(Line::subject).allMatch(left::contains);
            found.add(waits ? Wait.TO_COME : Wait.AGAIN);
        }
        return Collections.unmodifiableSet(found);
    }

    private boolean hasBegun(EffectiveDate date, Store store, Channel channel) {
        var at = date.startsAt(store.timeZone());
        var left = Duration.between(clock.instant(), at);
        // The clock of another instance may have reached it, which the transaction would find, too.
        return !left.isPositive()
                || (left.compareTo(AT_HAND) < 0
                        && !revisions
                                .since(store.id(), System.nanoTime())
                                .of(channel)
                                .passed()
                                .isBefore(at));
    }

    private Map<PriceSubject, StoredPrices> versions(ChangeChunk chunk) {
        return book.versions().versions(chunk.store(), chunk.channel(), chunk.subjects());
    }

    /** One plan, made line by line. */
    private final class Planning {
        private final ChangeSetId set;
        private final Store store;
        private final PriceBatch batch;
        private final DynamoChunkPlan plan;
        private final Map<ChangeSetId, Integer> counts = new HashMap<>();
        private boolean hasFirst;
        private boolean wasInEffect;

        Planning(ChangeSetId set, Store store, EffectiveDate date, DynamoChunkPlan plan) {
            this.set = set;
            this.store = store;
            this.plan = plan;
            batch = new PriceBatch(store.id(), plan.chunk().channel(), date);
        }

        void add(Line line, StoredPrices versions) {
            var top = versions.startingAt(batch.effectiveDate());
            switch (ConflictRules.place(set, line, top)) {
                case Placement.OnTop() -> putOnTop(line, top);
                case Placement.Beneath(var version, var winner) -> {
                    plan.add(put(line, version, top));
                    overtake(set, line.number(), winner);
                }
                case Placement.Present() -> {}
            }
            hasFirst |= versions.isEmpty();
        }

        private void putOnTop(Line line, @Nullable StoredPrice top) {
            var waiting = top == null ? Optional.<Integer>empty() : pending.lineOf(batch, line.subject());
            var other = top == null ? null : top.changeSet();
            var version = ConflictRules.onTop(batch.effectiveDate(), set, line.after(), top, waiting.orElse(null));
            plan.add(put(line, version, top));
            plan.add(Write.put(
                    DynamoPendingChanges.item(batch, line.subject(), line.number(), line.after(), set),
                    waiting.isEmpty() ? Condition.absent() : DynamoPriceVersions.isOf(other)));
            counts.merge(set, 1, Integer::sum);
            if (other != null && waiting.isPresent()) {
                overtake(other, waiting.get(), set);
                counts.merge(other, -1, Integer::sum);
            }
        }

        private void overtake(ChangeSetId overtaken, int line, ChangeSetId winner) {
            var gone = Objects.requireNonNull(plan.gone());
            plan.add(Write.put(DynamoOvertakenLines.item(overtaken, line, winner, gone), SaveMode.ANY));
            plan.overtake(overtaken, 1);
        }

        void takeBack(Line line, StoredPrices versions) {
            var top = versions.startingAt(batch.effectiveDate());
            switch (ConflictRules.withdraw(set, top)) {
                case Withdrawal.Removed(var version) -> {
                    plan.add(DynamoPriceVersions.delete(store.id(), plan.chunk().channel(), line.subject(), version));
                    plan.add(deletePending(line));
                    counts.merge(set, -1, Integer::sum);
                }
                case Withdrawal.Uncovered(var version, var layer) -> {
                    plan.add(put(line, version, top));
                    counts.merge(set, -1, Integer::sum);
                    uncover(line, layer);
                }
                case Withdrawal.FromBeneath(var version) -> {
                    plan.add(put(line, version, top));
                    plan.add(Write.delete(DynamoOvertakenLines.key(set, line.number())));
                    plan.overtake(set, -1);
                }
                case Withdrawal.WasInEffect() -> wasInEffect = true;
                case Withdrawal.Absent() -> {
                    // A Query may find the chunk of a transaction before its versions: what is to stay must not be of
                    // the set.
                    plan.add(Write.check(
                            DynamoPriceVersions.key(
                                    store.id(), plan.chunk().channel(), line.subject(), batch.effectiveDate()),
                            top == null ? Condition.absent() : DynamoPriceVersions.isUnchanged(top)));
                    plan.fail(line, "another change set has taken its place");
                }
            }
        }

        /** Has the change of the version that has the price again wait for its time, if it did. */
        private void uncover(Line line, StoredPrice.Layer layer) {
            var owner = layer.changeSet();
            var number = layer.line();
            if (owner == null || number == null) {
                plan.add(deletePending(line));
                return;
            }
            plan.add(Write.put(
                    DynamoPendingChanges.item(batch, line.subject(), number, layer.price(), owner),
                    DynamoPriceVersions.isOf(set)));
            plan.add(Write.delete(DynamoOvertakenLines.key(owner, number)));
            plan.overtake(owner, -1);
            counts.merge(owner, 1, Integer::sum);
        }

        void end() {
            if (!counts.isEmpty()) {
                plan.add(batches.add(batch, store.timeZone(), counts));
            }
            if (hasFirst) {
                plan.add(DynamoPriceLoads.isNotBeingLoaded(plan.chunk(), set));
            }
        }

        private Write put(Line line, StoredPrice version, @Nullable StoredPrice replaced) {
            return DynamoPriceVersions.put(store.id(), plan.chunk().channel(), line.subject(), version, replaced);
        }

        private Write deletePending(Line line) {
            return Write.delete(DynamoPendingChanges.key(batch, line.subject()), DynamoPriceVersions.isOf(set));
        }
    }
}
