package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.batches.DynamoBatchApplier;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.rules.ChangeRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        return set.retries() == null
                ? RuleExpansion.expand(access, rules, book.stores())
                : retry(sets.now(set.retries()));
    }

    /**
     * Changes that give each failed line of that set the price that it was to have. Of a file's lines of one price whose dates have
     * begun, the one of the latest date is ahead of the others, so that it is the one that changes the price.
     */
    private Stream<RequestedChange> retry(ChangeSet retried) {
        var latest = hasManyDates(retried) ? latestBegun(retried) : Map.<String, EffectiveDate>of();
        var again = hasManyDates(retried) ? following(retried, this::failed) : failed(retried);
        return latest.isEmpty()
                ? again
                : Stream.concat(
                        again.filter(one -> !isBefore(one, latest)),
                        failed(retried).filter(one -> isBefore(one, latest)));
    }

    /** True of a file, which may change one price at several dates, and of what tries its lines again. */
    private static boolean hasManyDates(ChangeSet retried) {
        return retried.imported() != null || retried.retries() != null;
    }

    /** The latest of the dates that have begun, of prices that have several but for the first that is read. */
    private Map<String, EffectiveDate> latestBegun(ChangeSet retried) {
        var seen = new SeenKeys();
        var latest = new HashMap<String, EffectiveDate>();
        try (var failed = failed(retried)) {
            failed.forEach(one -> {
                var date = one.date();
                if (date != null && hasBegun(one, date) && seen.firstRow(price(one), 1) != 0) {
                    latest.merge(price(one), date, (a, b) -> a.compareTo(b) < 0 ? b : a);
                }
            });
        }
        return latest;
    }

    private boolean hasBegun(RequestedChange one, EffectiveDate date) {
        return batches.isDue(
                new PriceBatch(one.store(), one.channel(), date), book.stores().require(SYSTEM, one.store()));
    }

    private static boolean isBefore(RequestedChange one, Map<String, EffectiveDate> latest) {
        var date = one.date();
        var last = latest.get(price(one));
        return date != null && last != null && date.compareTo(last) < 0;
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
        return following(stored, set -> lines.chunks(set)
                .flatMap(chunk -> chunk.lines().stream().map(line -> again(chunk, line))));
    }

    /** With those that follow others of the same price marked; where some are to come, all are read once more for that. */
    private static Stream<RequestedChange> following(
            ChangeSet stored, Function<ChangeSet, Stream<RequestedChange>> changes) {
        if (Objects.requireNonNull(stored.summary()).lastInstant() == null) {
            return changes.apply(stored);
        }
        var seen = new SeenKeys();
        var several = new SeenKeys();
        try (var all = changes.apply(stored)) {
            all.map(LineSources::price)
                    .filter(price -> seen.firstRow(price, 1) != 0)
                    .forEach(price -> several.firstRow(price, 1));
        }
        return changes.apply(stored)
                .map(one -> one.change() instanceof RequestedChange.Change.To(var price, var _, var _)
                                && several.contains(price(one))
                        ? one.to(new RequestedChange.Change.To(price, true))
                        : one);
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
        if (undone.imported() == null) {
            return lines.chunks(undone).flatMap(chunk -> undo(undone, chunk));
        }
        // A file may change one price at several dates; what it was before the first of them is what comes back.
        var seen = new SeenKeys();
        var loaded = loadedAndChanged(undone);
        return lines.chunks(undone).flatMap(chunk -> undo(undone, chunk)).mapMulti((one, next) -> {
            var price = price(one);
            switch (one.change()) {
                case RequestedChange.Change.Unload _ when loaded.contains(price) -> {}
                case RequestedChange.Change.PutBack(var by, var before) -> {
                    if (seen.firstRow(price, 1) == 0) {
                        var to = loaded.contains(price) ? null : before;
                        next.accept(one.to(new RequestedChange.Change.PutBack(by, to)));
                    }
                }
                default -> next.accept(one);
            }
        });
    }

    /** Prices that the file was the first to give, and has changed since; its chunks are read twice for that. */
    private SeenKeys loadedAndChanged(ChangeSet undone) {
        var changed = new SeenKeys();
        var both = new SeenKeys();
        if (Objects.requireNonNull(undone.summary()).lastInstant() != null) {
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
                var overtaken = lines.overtaken(
                        stored.id(),
                        written.getFirst().number(),
                        written.getLast().number());
                yield written.stream()
                        .filter(line -> !overtaken.containsKey(line.number()))
                        .toList();
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
                        line -> putBack(
                                by(undone),
                                chunk,
                                line,
                                undone.imported() == null ? line.before() : before(undone, chunk, line)));
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
            // invalid. Of a file it must not stand for the line of an earlier date.
            return undone.imported() == null
                    ? inEffect(undone, chunk).stream().map(line -> putBack(List.of(), chunk, line, null))
                    : Stream.empty();
        }
        batches.apply(batch, store, sets::attribution);
        return inEffect(undone, chunk).stream()
                .map(line -> putBack(by(undone), chunk, line, before(undone, chunk, line)));
    }

    private @Nullable Money before(ChangeSet undone, ChangeChunk chunk, ChangeChunk.Line line) {
        return book.history().before(chunk.store(), chunk.channel(), line.subject(), undone.id());
    }

    /** The set, and what has brought its prices back since. */
    private static List<ChangeSetId> by(ChangeSet undone) {
        return Stream.of(undone.id(), undone.data().restoredBy())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    private static RequestedChange putBack(
            List<ChangeSetId> by, ChangeChunk chunk, ChangeChunk.Line line, @Nullable Money before) {
        return new RequestedChange(
                line.number(),
                chunk.store(),
                chunk.channel(),
                line.subject(),
                null,
                new RequestedChange.Change.PutBack(by, before));
    }
}
