package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.batches.DynamoBatchApplier;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.rules.ChangeRule;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Sources of the lines that a set asks for: its rules, the set that it puts back or tries again, or its last preview. */
final class LineSources {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    private final DynamoChangeSets sets;
    private final DynamoChangeLines lines;
    private final DynamoBatchApplier batches;
    private final PriceBook book;

    LineSources(DynamoChangeSets sets, DynamoChangeLines lines, DynamoBatchApplier batches, PriceBook book) {
        this.sets = sets;
        this.lines = lines;
        this.batches = batches;
        this.book = book;
    }

    /**
     * Everything that the set asks for, read as it is consumed.
     *
     * @param access of who may draft changes of some stores, which alone rules are for
     * @param rules of a set that has its own
     */
    Stream<RequestedChange> requested(Access access, ChangeSet set, List<ChangeRule> rules) {
        if (set.undoes() != null) {
            return undo(sets.now(set.undoes()));
        }
        return set.retries() == null ? requested(access, rules.iterator()) : retry(sets.now(set.retries()));
    }

    /** Everything that rules ask for, which are read as it is consumed. */
    Stream<RequestedChange> requested(Access access, Iterator<ChangeRule> rules) {
        return RuleExpansion.expand(access, rules, book.stores());
    }

    /** Changes that give each failed line of that set the price that it was to have. */
    private Stream<RequestedChange> retry(ChangeSet retried) {
        return mayHaveManyDates(retried) ? latestFirst(retried, this::failed) : failed(retried);
    }

    /**
     * With lines marked that are of one price. Of those whose dates have begun, the one of the latest date is ahead of the others,
     * so that it is the one that counts. Read once more to find whether there are any, and twice more where there are.
     */
    private Stream<RequestedChange> latestFirst(
            ChangeSet stored, Function<ChangeSet, Stream<RequestedChange>> changes) {
        var several = several(changes.apply(stored));
        if (several.isEmpty()) {
            return changes.apply(stored);
        }
        var latest = latestBegun(changes.apply(stored).filter(one -> several.contains(price(one))));
        return Stream.concat(
                changes.apply(stored)
                        .filter(one -> !isBefore(one, latest))
                        .map(one -> several.contains(price(one)) ? following(one, List.of()) : one),
                changes.apply(stored)
                        .filter(one -> isBefore(one, latest))
                        .map(one -> following(
                                one,
                                List.of(Objects.requireNonNull(latest.get(price(one)))
                                        .number()))));
    }

    /** Prices that more than one of the changes is of. */
    private static SeenKeys several(Stream<RequestedChange> changes) {
        var seen = new SeenKeys();
        var several = new SeenKeys();
        try (changes) {
            changes.map(LineSources::price)
                    .filter(price -> seen.firstRow(price, 1) != 0)
                    .forEach(price -> several.firstRow(price, 1));
        }
        return several;
    }

    private static RequestedChange following(RequestedChange one, List<Integer> later) {
        var price = ((RequestedChange.Change.To) one.change()).price();
        return one.to(new RequestedChange.Change.To(price, true, List.of(), later));
    }

    /** Whether the set may change one price at several dates: a file may, and so may what puts its lines back or tries them again. */
    private static boolean mayHaveManyDates(ChangeSet set) {
        return set.imported() != null || set.undoes() != null || set.retries() != null;
    }

    /** Of each price, the change of the latest date that has begun. */
    private Map<String, RequestedChange> latestBegun(Stream<RequestedChange> changes) {
        var latest = new HashMap<String, RequestedChange>();
        try (changes) {
            changes.filter(this::hasBegun)
                    .forEach(one -> latest.merge(price(one), one, (a, b) -> isBefore(a, b) ? b : a));
        }
        return latest;
    }

    private boolean hasBegun(RequestedChange one) {
        var date = one.date();
        return date != null
                && batches.isDue(
                        new PriceBatch(one.store(), one.channel(), date),
                        book.stores().require(SYSTEM, one.store()));
    }

    private static boolean isBefore(RequestedChange one, Map<String, RequestedChange> latest) {
        var last = latest.get(price(one));
        return last != null && isBefore(one, last);
    }

    /** True where the first has an earlier date than the second. */
    private static boolean isBefore(RequestedChange one, RequestedChange other) {
        var date = one.date();
        return date != null && date.compareTo(Objects.requireNonNull(other.date())) < 0;
    }

    private static String price(RequestedChange one) {
        return one.store() + "#" + one.channel() + "#" + one.subject();
    }

    private Stream<RequestedChange> failed(ChangeSet retried) {
        return lines.chunks(retried).flatMap(chunk -> chunk.lines().stream()
                .filter(line -> chunk.failures().containsKey(line.number()))
                .map(line -> again(chunk, line)));
    }

    /** Changes that the last preview of an imported set found. */
    Stream<RequestedChange> again(ChangeSet stored) {
        Function<ChangeSet, Stream<RequestedChange>> changes =
                set -> lines.chunks(set).flatMap(chunk -> chunk.lines().stream().map(line -> again(chunk, line)));
        return hasDatesToCome(stored) ? latestFirst(stored, changes) : changes.apply(stored);
    }

    /** Whether there were any when the set was previewed. */
    private static boolean hasDatesToCome(ChangeSet stored) {
        return Objects.requireNonNull(stored.summary()).lastInstant() != null;
    }

    private static RequestedChange again(ChangeChunk chunk, ChangeChunk.Line line) {
        var date = line.date() == null ? chunk.asked() : line.date();
        return new RequestedChange(
                line.number(),
                chunk.store(),
                chunk.channel(),
                line.subject(),
                date,
                new RequestedChange.Change.To(line.after(), false));
    }

    /** Changes that put back each applied line of that set; the preview finds those that have changed since. */
    private Stream<RequestedChange> undo(ChangeSet undone) {
        if (!mayHaveManyDates(undone)) {
            return lines.chunks(undone).flatMap(chunk -> undo(undone, chunk));
        }
        // Of several dates of one price, what it was before the first of them is what comes back.
        var seen = new SeenKeys();
        var loaded = loadedAndChanged(undone);
        return lines.chunks(undone).flatMap(chunk -> undo(undone, chunk)).mapMulti((one, next) -> {
            var price = price(one);
            switch (one.change()) {
                case RequestedChange.Change.Unload _ when loaded.contains(price) -> {}
                case RequestedChange.Change.PutBack(var by, var _, var _) -> {
                    if (seen.firstRow(price, 1) == 0) {
                        next.accept(
                                loaded.contains(price) ? one.to(new RequestedChange.Change.PutBack(by, null)) : one);
                    }
                }
                default -> next.accept(one);
            }
        });
    }

    /** Prices that the set was the first to give, and has changed since; its chunks are read twice for that. */
    private SeenKeys loadedAndChanged(ChangeSet undone) {
        var changed = new SeenKeys();
        var both = new SeenKeys();
        if (hasDatesToCome(undone)) {
            eachInEffect(undone, ChangeChunk.Kind.SCHEDULED, price -> changed.firstRow(price, 1));
            eachInEffect(undone, ChangeChunk.Kind.LOAD, price -> {
                if (changed.contains(price)) {
                    both.firstRow(price, 1);
                }
            });
        }
        return both;
    }

    private void eachInEffect(ChangeSet stored, ChangeChunk.Kind kind, Consumer<String> price) {
        try (var chunks = lines.chunks(stored)) {
            chunks.filter(chunk -> chunk.kind() == kind).forEach(chunk -> inEffect(stored, chunk)
                    .forEach(line -> price.accept(chunk.store() + "#" + chunk.channel() + "#" + line.subject())));
        }
    }

    /** Lines of an applied set that were not taken back, and whose place no later set has taken. */
    private List<ChangeChunk.Line> inEffect(ChangeSet stored, ChangeChunk chunk) {
        return switch (chunk.state()) {
            case NEW, CANCELLED -> List.of();
            case APPLIED -> chunk.writtenLines();
            case WRITTEN -> {
                var written = chunk.writtenLines();
                if (stored.data().overtaken() == 0 || written.isEmpty()) {
                    yield written;
                }
                yield lines.withoutOvertaken(stored.id(), written);
            }
        };
    }

    private Stream<RequestedChange> undo(ChangeSet undone, ChangeChunk chunk) {
        return switch (chunk.kind()) {
            case LOAD ->
                eachApplied(chunk, line -> {
                    var from = Objects.requireNonNull(line.date());
                    return new RequestedChange(
                            line.number(),
                            chunk.store(),
                            chunk.channel(),
                            line.subject(),
                            null,
                            new RequestedChange.Change.Unload(from, line.after()));
                });
            case UNLOAD ->
                eachApplied(
                        chunk,
                        line -> new RequestedChange(
                                line.number(),
                                chunk.store(),
                                chunk.channel(),
                                line.subject(),
                                line.date(),
                                new RequestedChange.Change.To(line.before(), false)));
            case AT_ONCE ->
                eachApplied(
                        chunk,
                        line -> putBack(chunk, line, new RequestedChange.Change.PutBack(by(undone), line.before())));
            case SCHEDULED -> scheduled(undone, chunk);
        };
    }

    /** Also of a packed chunk that a run has begun and not ended: some of its lines may be written. */
    private static Stream<RequestedChange> eachApplied(
            ChangeChunk chunk, Function<ChangeChunk.Line, RequestedChange> back) {
        return chunk.state() == ChangeChunk.State.APPLIED
                        || (chunk.state() == ChangeChunk.State.WRITTEN
                                && chunk.kind().isPacked())
                ? chunk.writtenLines().stream().map(back)
                : Stream.empty();
    }

    /** Puts back lines that waited for their time to what they replaced then: something may have come in between. */
    private Stream<RequestedChange> scheduled(ChangeSet undone, ChangeChunk chunk) {
        var date = chunk.date();
        if (chunk.state() != ChangeChunk.State.WRITTEN || date == null) {
            return Stream.empty();
        }
        var batch = new PriceBatch(chunk.store(), chunk.channel(), date);
        var store = book.stores().require(SYSTEM, chunk.store());
        if (!batches.isDue(batch, store)) {
            // The store has moved to a time zone where it is to come: another price is found there, and the line is
            // invalid. Of several dates it must not stand for the line of an earlier one.
            return mayHaveManyDates(undone)
                    ? Stream.empty()
                    : inEffect(undone, chunk).stream()
                            .map(line -> putBack(chunk, line, new RequestedChange.Change.PutBack(List.of(), null)));
        }
        batches.apply(batch, store, sets::attribution);
        return inEffect(undone, chunk).stream().map(line -> putBack(chunk, line, before(undone, chunk, line)));
    }

    /** To what history says: where it has no change by the set, there may have been a price all the same. */
    private RequestedChange.Change.PutBack before(ChangeSet undone, ChangeChunk chunk, ChangeChunk.Line line) {
        return book.history()
                .firstBy(chunk.store(), chunk.channel(), line.subject(), undone.id())
                .map(entry -> new RequestedChange.Change.PutBack(by(undone), entry.before()))
                .orElseGet(() -> new RequestedChange.Change.PutBack(by(undone), null, false));
    }

    /** The set, and what has brought its prices back since. */
    private static List<ChangeSetId> by(ChangeSet undone) {
        return Stream.of(undone.id(), undone.data().restoredBy())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    private static RequestedChange putBack(
            ChangeChunk chunk, ChangeChunk.Line line, RequestedChange.Change.PutBack back) {
        return new RequestedChange(line.number(), chunk.store(), chunk.channel(), line.subject(), null, back);
    }
}
