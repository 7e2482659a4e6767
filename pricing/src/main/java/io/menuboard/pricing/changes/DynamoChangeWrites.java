package io.menuboard.pricing.changes;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.batches.DynamoPendingChanges;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeChunk.Line;
import io.menuboard.pricing.changes.ChangeChunk.State;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans what writing a chunk of a change set takes, from what the table has: each write has the condition that what was
 * read is still so, so that a plan is carried out as a whole or made again. Writes nothing itself.
 */
final class DynamoChangeWrites {
    private static final String MOVED = "the price is not what it was when it was previewed";

    private final PriceBook book;
    private final DynamoPendingChanges pending;
    private final DynamoPriceBatches batches;
    private final Clock clock;

    DynamoChangeWrites(PriceBook book, DynamoPendingChanges pending, DynamoPriceBatches batches, Clock clock) {
        this.book = book;
        this.pending = pending;
        this.batches = batches;
        this.clock = clock;
    }

    /**
     * What is to be written for one chunk.
     *
     * @param writes without the chunk itself
     * @param date what the chunk is written for; null for none
     * @param failures why lines are not written, by number
     * @param overtaken how many more lines of which set another one has taken the place of; fewer where it is negative
     */
    record Plan(
            ChangeChunk chunk,
            State state,
            @Nullable EffectiveDate date,
            List<Write> writes,
            Map<Integer, String> failures,
            Map<ChangeSetId, Integer> overtaken) {

        private static Plan begin(ChangeChunk chunk, State state, @Nullable EffectiveDate date) {
            return new Plan(chunk, state, date, new ArrayList<>(), new TreeMap<>(), new HashMap<>());
        }

        /** With what becomes of the chunk, which that run has written then. */
        List<Write> writesOf(int run) {
            var all = new ArrayList<>(writes);
            all.add(chunk.written(run, state, date, failures));
            return all;
        }

        private void overtaken(ChangeSetId set, int more) {
            overtaken.merge(set, more, Integer::sum);
        }
    }

    // ---- at once

    /**
     * Changes that are in effect at once, with their history. A line whose price is not what the preview saw fails. Eight
     * write units a line, three for the audit record, and two where a price is a product's first.
     */
    Plan atOnce(Attribution terms, ChangeChunk chunk, Store store) {
        var now = early(clock.instant());
        var today = EffectiveDate.latestAt(now, store.timeZone());
        var plan = Plan.begin(chunk, State.APPLIED, today);
        var versions = versions(chunk);
        var changed = new ArrayList<PriceSubject>();
        var first = false;
        for (var line : chunk.lines()) {
            var all = versions.getOrDefault(line.subject(), List.of());
            var own = line.date();
            var date = own == null ? today : own;
            var current = lastUntil(all, date);
            if (own == null && !Objects.equals(current == null ? null : current.price(), line.before())) {
                plan.failures.put(line.number(), MOVED);
                continue;
            }
            var replaced = current != null && current.effectiveDate().equals(date) ? current : null;
            // Since a date of its own a price only counts where there is none.
            var other = own == null ? null : lastUntil(all, today);
            if (other != null && !terms.changeSet().equals(other.changeSet())) {
                plan.failures.put(line.number(), MOVED);
                continue;
            }
            var at = after(replaced, store, now);
            plan.writes.add(Write.put(
                    DynamoPriceVersions.item(
                            store.id(),
                            chunk.channel(),
                            line.subject(),
                            new StoredPrice(date, line.after(), terms.changeSet(), false, at, List.of())),
                    replaced == null ? Condition.absent() : DynamoPriceVersions.isUnchanged(replaced)));
            plan.writes.add(book.history()
                    .write(terms, store.id(), chunk.channel(), line.subject(), at, date, current, line.after()));
            if (current != null
                    && replaced == null
                    && !current.superseded()
                    && !terms.changeSet().equals(current.changeSet())) {
                plan.writes.add(book.versions().supersede(store.id(), chunk.channel(), line.subject(), current, now));
            }
            first |= all.isEmpty();
            changed.add(line.subject());
            versions.put(
                    line.subject(),
                    with(all, new StoredPrice(date, line.after(), terms.changeSet(), false, at, List.of())));
        }
        if (!changed.isEmpty()) {
            plan.writes.add(book.audit().changed(terms, store.id(), chunk.channel(), today, changed));
        }
        if (first) {
            plan.writes.add(isNotBeingLoaded(chunk, terms.changeSet()));
        }
        return plan;
    }

    /** For further lines of the same price, which a file may have with several dates. */
    private static List<StoredPrice> with(List<StoredPrice> versions, StoredPrice another) {
        return Stream.concat(versions.stream(), Stream.of(another))
                .sorted(Comparator.comparing(StoredPrice::effectiveDate))
                .toList();
    }

    /** Within the first nine tenths of its second, so that what comes {@link #after} it is not in the next one. */
    private static Instant early(Instant now) {
        var second = now.truncatedTo(ChronoUnit.SECONDS);
        return second.plusMillis(Duration.between(second, now).toMillis() * 9 / 10);
    }

    /** History sorts by it: what replaces a version that came or was written in the same second comes after that one. */
    private static Instant after(@Nullable StoredPrice replaced, Store store, Instant now) {
        if (replaced == null || replaced.changeSet() == null) {
            return now;
        }
        var before = Objects.requireNonNullElseGet(
                replaced.writtenAt(), () -> replaced.effectiveDate().startsAt(store.timeZone()));
        return before.isBefore(now) ? now : before.plusMillis(1);
    }

    // ---- to come

    /**
     * Changes that are to come. Where several sets want the same price from the same instant on, the one that was made last
     * has it, and the others are kept under it, in whatever order they are written. Five write units a line, three for the
     * batch.
     */
    Plan scheduled(Attribution terms, ChangeChunk chunk, Store store, EffectiveDate asked) {
        return scheduled(terms, chunk, store, asked, versions(chunk));
    }

    private Plan scheduled(
            Attribution terms,
            ChangeChunk chunk,
            Store store,
            EffectiveDate asked,
            Map<PriceSubject, List<StoredPrice>> versions) {
        var date = asked.in(store.timeZone());
        var plan = Plan.begin(chunk, State.WRITTEN, date);
        // What could not be written before stays out of a set that is moved.
        plan.failures.putAll(chunk.failures());
        if (!clock.instant().isBefore(date.startsAt(store.timeZone()))) {
            chunk.lines().forEach(line -> plan.failures.put(line.number(), "its time came before it was written"));
            return plan;
        }
        var counts = new HashMap<ChangeSetId, Integer>();
        var first = false;
        for (var line : chunk.without(plan.failures)) {
            var all = versions.getOrDefault(line.subject(), List.of());
            var top = at(all, date);
            if (top != null && isLater(top.changeSet(), terms.changeSet())) {
                goUnder(terms.changeSet(), line, top, plan);
            } else if (top == null || !terms.changeSet().equals(top.changeSet())) {
                goOver(terms.changeSet(), line, date, top, plan, counts);
            }
            first |= all.isEmpty();
        }
        if (!counts.isEmpty()) {
            plan.writes.add(batches.add(batch(chunk, date), store.timeZone(), counts));
        }
        if (first) {
            plan.writes.add(isNotBeingLoaded(chunk, terms.changeSet()));
        }
        return plan;
    }

    private static boolean isLater(@Nullable ChangeSetId other, ChangeSetId set) {
        return other != null && other.compareTo(set) > 0;
    }

    private void goOver(
            ChangeSetId set,
            Line line,
            EffectiveDate date,
            @Nullable StoredPrice top,
            Plan plan,
            Map<ChangeSetId, Integer> counts) {
        var chunk = plan.chunk;
        var waiting = top == null ? Optional.<Integer>empty() : pending.lineOf(batch(chunk, date), line.subject());
        var under = new ArrayList<StoredPrice.Layer>();
        if (top != null) {
            under.addAll(top.beneath());
            under.add(new StoredPrice.Layer(top.changeSet(), waiting.orElse(null), top.price()));
        }
        plan.writes.add(put(chunk, line.subject(), new StoredPrice(date, line.after(), set, false, null, under), top));
        plan.writes.add(Write.put(
                DynamoPendingChanges.item(batch(chunk, date), line.subject(), line.number(), line.after(), set),
                waiting.isEmpty()
                        ? Condition.absent()
                        : DynamoPriceVersions.isOf(top == null ? null : top.changeSet())));
        counts.merge(set, 1, Integer::sum);
        var other = top == null ? null : top.changeSet();
        if (other != null && waiting.isPresent()) {
            plan.writes.add(Write.put(DynamoChangeLines.overtaken(other, waiting.get(), set), SaveMode.ANY));
            plan.overtaken(other, 1);
            counts.merge(other, -1, Integer::sum);
        }
    }

    private static void goUnder(ChangeSetId set, Line line, StoredPrice top, Plan plan) {
        var under = new ArrayList<>(top.beneath());
        if (under.stream().noneMatch(layer -> set.equals(layer.changeSet()))) {
            var place = (int) under.stream()
                    .filter(layer -> !isLater(layer.changeSet(), set))
                    .count();
            under.add(place, new StoredPrice.Layer(set, line.number(), line.after()));
            plan.writes.add(put(plan.chunk, line.subject(), top.over(under), top));
            plan.writes.add(Write.put(
                    DynamoChangeLines.overtaken(set, line.number(), Objects.requireNonNull(top.changeSet())),
                    SaveMode.ANY));
            plan.overtaken(set, 1);
        }
    }

    /** As {@link #scheduled}, but that a line whose price is not what the preview saw fails. */
    Plan asPreviewed(Attribution terms, ChangeChunk chunk, Store store, EffectiveDate asked) {
        var versions = versions(chunk);
        var plan = scheduled(terms, chunk, store, asked, versions);
        var date = asked.in(store.timeZone());
        for (var line : chunk.without(plan.failures)) {
            var all = versions.getOrDefault(line.subject(), List.of());
            if (!Objects.equals(ChangePreview.before(all, date, false), line.before())) {
                plan.failures.put(line.number(), MOVED);
            }
        }
        return plan;
    }

    // ---- taken back

    /**
     * Takes back what {@link #scheduled} wrote, before its time, so that what it had taken the place of is there again; and
     * leaves unwritten what nobody has written. For what it cost to write.
     *
     * @return empty where it is in effect, or its time has come: then nothing is taken back
     */
    Optional<Plan> takenBack(ChangeSetId set, ChangeChunk chunk, Store store) {
        var date = chunk.state() == State.WRITTEN ? chunk.date() : null;
        if (chunk.state() == State.APPLIED
                || (chunk.state() == State.WRITTEN && chunk.kind().isPacked())
                || (date != null && !clock.instant().isBefore(date.startsAt(store.timeZone())))) {
            return Optional.empty();
        }
        var plan = Plan.begin(chunk, State.CANCELLED, date);
        plan.failures.putAll(chunk.failures());
        if (date == null) {
            return Optional.of(plan);
        }
        var versions = versions(chunk);
        var counts = new HashMap<ChangeSetId, Integer>();
        for (var line : chunk.writtenLines()) {
            var top = at(versions.getOrDefault(line.subject(), List.of()), date);
            if (top != null && set.equals(top.changeSet())) {
                uncover(set, line, date, top, plan, counts);
            } else if (top == null || !withdraw(set, line, top, plan)) {
                plan.failures.put(line.number(), "another change set has taken its place");
            }
        }
        if (!counts.isEmpty()) {
            plan.writes.add(batches.add(batch(chunk, date), store.timeZone(), counts));
        }
        return Optional.of(plan);
    }

    /** Puts back what the set's version has taken the place of. */
    private static void uncover(
            ChangeSetId set,
            Line line,
            EffectiveDate date,
            StoredPrice top,
            Plan plan,
            Map<ChangeSetId, Integer> counts) {
        var chunk = plan.chunk;
        var changeKey = DynamoPendingChanges.key(batch(chunk, date), line.subject());
        counts.merge(set, -1, Integer::sum);
        if (top.beneath().isEmpty()) {
            plan.writes.add(Write.delete(
                    DynamoPriceVersions.key(chunk.store(), chunk.channel(), line.subject(), date),
                    DynamoPriceVersions.isUnchanged(top)));
            plan.writes.add(Write.delete(changeKey, DynamoPriceVersions.isOf(set)));
            return;
        }
        var back = top.beneath().getLast();
        var rest = top.beneath().subList(0, top.beneath().size() - 1);
        plan.writes.add(put(
                chunk, line.subject(), new StoredPrice(date, back.price(), back.changeSet(), false, null, rest), top));
        if (back.changeSet() == null || back.line() == null) {
            plan.writes.add(Write.delete(changeKey, DynamoPriceVersions.isOf(set)));
            return;
        }
        plan.writes.add(Write.put(
                DynamoPendingChanges.item(
                        batch(chunk, date), line.subject(), back.line(), back.price(), back.changeSet()),
                DynamoPriceVersions.isOf(set)));
        plan.writes.add(Write.delete(DynamoChangeLines.overtakenKey(back.changeSet(), back.line())));
        plan.overtaken(back.changeSet(), -1);
        counts.merge(back.changeSet(), 1, Integer::sum);
    }

    /** Takes the set's version from under that of another one; false where it is not there. */
    private static boolean withdraw(ChangeSetId set, Line line, StoredPrice top, Plan plan) {
        var rest = top.beneath().stream()
                .filter(layer -> !set.equals(layer.changeSet()))
                .toList();
        if (rest.size() == top.beneath().size()) {
            return false;
        }
        plan.writes.add(put(plan.chunk, line.subject(), top.over(rest), top));
        plan.writes.add(Write.delete(DynamoChangeLines.overtakenKey(set, line.number())));
        plan.overtaken(set, -1);
        return true;
    }

    // ---- shared

    private static PriceBatch batch(ChangeChunk chunk, EffectiveDate date) {
        return new PriceBatch(chunk.store(), chunk.channel(), date);
    }

    private Map<PriceSubject, List<StoredPrice>> versions(ChangeChunk chunk) {
        return book.versions()
                .versions(
                        chunk.store(),
                        chunk.channel(),
                        chunk.lines().stream().map(Line::subject).distinct().toList());
    }

    /** @param was what is there; null for nothing */
    private static Write put(ChangeChunk chunk, PriceSubject subject, StoredPrice version, @Nullable StoredPrice was) {
        return Write.put(
                DynamoPriceVersions.item(chunk.store(), chunk.channel(), subject, version),
                was == null ? Condition.absent() : DynamoPriceVersions.isUnchanged(was));
    }

    /** First prices that are loaded are written without conditions, so that no other set may make a first one meanwhile. */
    private static Write isNotBeingLoaded(ChangeChunk chunk, ChangeSetId but) {
        return Write.check(
                DynamoPriceLoads.guardKey(chunk.store(), chunk.channel()),
                Condition.absent().or(DynamoPriceVersions.isOf(but)));
    }

    private static @Nullable StoredPrice at(List<StoredPrice> versions, EffectiveDate date) {
        return versions.stream()
                .filter(version -> version.effectiveDate().equals(date))
                .findFirst()
                .orElse(null);
    }

    static @Nullable StoredPrice lastUntil(List<StoredPrice> versions, EffectiveDate date) {
        return versions.stream()
                .filter(version -> version.effectiveDate().compareTo(date) <= 0)
                .reduce((_, last) -> last)
                .orElse(null);
    }
}
