package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.ChangeChunk.Kind;
import io.menuboard.querydb.Consistency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;

/**
 * One preview of a change set: has every requested change {@linkplain LineCheck checked}, and keeps the findings as lines of
 * the set, and as chunks of those that are to be written. Thread-safe for changes of different stores and channels.
 */
final class ChangePreview {
    /** Lines of a chunk that is kept compressed: some KB. */
    private static final int PACKED_AT_ONCE = 500;

    private static final String UNKNOWN_STORE = "there is no such store";

    private final Access access;
    private final DynamoChangeLines.Lines lines;
    private final PriceBook book;
    private final DynamoChangeLines stored;
    private final LineCheck check;
    private final LineCounts counts;
    private final AtomicInteger chunks = new AtomicInteger();

    /** @param access of who may draft changes of some stores; of the others, only that those that they see are there is told */
    ChangePreview(
            Access access,
            DynamoChangeLines.Lines lines,
            PriceBook book,
            DynamoChangeLines stored,
            LineCheck check,
            LineCounts counts) {
        this.access = access;
        this.lines = lines;
        this.book = book;
        this.stored = stored;
        this.check = check;
        this.counts = counts;
    }

    /** Which lines are listed of those that applying the set does not write; all of them are counted. */
    enum Unwritten {
        COUNTED,
        /** All but those of prices that are so already. */
        REFUSED_LISTED,
        LISTED;

        private boolean has(Finding finding) {
            return switch (this) {
                case COUNTED -> false;
                case REFUSED_LISTED -> finding.isRefused();
                case LISTED -> !finding.isWritten();
            };
        }
    }

    /** Prices of {@link Channel#ALL} in a store, which count where a channel has none of its own; for that channel itself, none. */
    interface General {
        @Nullable
        Money at(PriceSubject subject, EffectiveDate date);
    }

    /**
     * A line with its finding, and how it is written.
     *
     * @param asked date from which it counts, where its chunk has a date of its own that is to come; otherwise null
     * @param since date from which it counts, where it has a date of its own that has begun; otherwise null
     * @param general the price of all channels, where the channel has none of its own before or after; otherwise null
     */
    record CheckedLine(
            ChangeLine line,
            Kind kind,
            @Nullable EffectiveDate asked,
            @Nullable EffectiveDate since,
            @Nullable Money general) {
        CheckedLine(ChangeLine line, Kind kind, @Nullable EffectiveDate asked, @Nullable EffectiveDate since) {
            this(line, kind, asked, since, null);
        }

        /** @param suspicious why the change is, beside that price; null where it is not */
        CheckedLine beside(Money price, @Nullable String suspicious) {
            var message = suspicious + " beside the price of all channels, " + price.text();
            return new CheckedLine(suspicious == null ? line : line.suspicious(message), kind, asked, since, price);
        }

        /** A line that is written as soon as the set is applied, or not at all. */
        static CheckedLine atOnce(ChangeLine line) {
            return new CheckedLine(line, Kind.AT_ONCE, null, null);
        }

        /** Of those that are written: lines of a chunk that is kept compressed are listed only where they need attention. */
        boolean isListed() {
            return !kind.isPacked() || line.finding().needsAcceptance();
        }

        ChangeChunk.Line toWrite() {
            return new ChangeChunk.Line(
                    line.number(), line.subject(), line.before(), line.after(), since, kind.isPacked() && isListed());
        }
    }

    /** The preview, when everything has been checked. */
    ChangeSetData.Preview finished() {
        return new ChangeSetData.Preview(lines.preview(), lines.shards(), counts.summary(), true, null);
    }

    /** Summary of the lines so far. */
    ChangeSetSummary summary() {
        return counts.summary();
    }

    /**
     * Checks changes of different prices.
     *
     * @param progress gets the number of lines so far
     * @throws InvalidInput {@code TOO_MANY_LINES}
     * @throws InterruptedException where the thread is interrupted
     */
    void checkDistinct(Iterator<RequestedChange> changes, IntConsumer progress) throws InterruptedException {
        check(changes, null, progress);
    }

    /** As {@link #checkDistinct}, where two may be of one price: 24 to 72 bytes for each change to find that. */
    void check(Iterator<RequestedChange> changes, IntConsumer progress) throws InterruptedException {
        check(changes, new SeenKeys(), progress);
    }

    private void check(Iterator<RequestedChange> changes, @Nullable SeenKeys seen, IntConsumer progress)
            throws InterruptedException {
        var together = new ArrayList<RequestedChange>();
        var count = 0;
        while (changes.hasNext()) {
            var change = changes.next();
            counts.check(++count);
            if (!together.isEmpty()
                    && (together.size() == DynamoChunkTransactions.LINES_AT_ONCE
                            || !change.goesWith(together.getFirst()))) {
                check(together, seen, Consistency.STRONG, Unwritten.LISTED);
                together.clear();
                progress.accept(count - 1);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            together.add(change);
        }
        if (!together.isEmpty()) {
            check(together, seen, Consistency.STRONG, Unwritten.LISTED);
        }
    }

    /**
     * Checks rows of a file, in any order, and keeps those that change something; one finding for each, in order. Half a
     * read unit for every 4 KB of prices of the same store and channel, as much for those of all channels where the channel has
     * none of its own, and what is kept.
     *
     * @param unwritten which of the others are kept, too
     */
    List<ChangeLine> checkRows(List<RequestedChange> rows, Unwritten unwritten) {
        var found = new LinkedHashMap<RequestedChange, ChangeLine>();
        rows.forEach(row -> found.put(row, unknownStore(row, UNKNOWN_STORE)));
        rows.stream()
                .collect(groupingBy(row -> row.store() + "#" + row.channel(), LinkedHashMap::new, toList()))
                .values()
                .forEach(together -> {
                    var checked = check(together, null, Consistency.EVENTUAL, unwritten);
                    for (var i = 0; i < together.size(); i++) {
                        found.put(together.get(i), checked.get(i));
                    }
                });
        return List.copyOf(found.values());
    }

    /** Lists lines that an earlier preview refused: they are not checked again, and so never written. */
    void keep(List<ChangeLine> refused) {
        refused.stream()
                .collect(groupingBy(line -> line.store() + "#" + line.channel(), LinkedHashMap::new, toList()))
                .values()
                .forEach(together -> {
                    var id = together.getFirst().store();
                    var store = store(id);
                    var reason = store == null ? refusal(id) : "";
                    var kept = together.stream()
                            .map(line -> CheckedLine.atOnce(store == null ? line.notFound(reason) : line))
                            .toList();
                    save(kept, id, together.getFirst().channel(), Unwritten.REFUSED_LISTED);
                    kept.forEach(one -> counts.add(one, store));
                });
    }

    /** Null where there is none, and where changes of it may not be drafted. */
    private @Nullable Store store(StoreId id) {
        return access.may(Permission.PRICES_DRAFT, Scope.Kind.STORES, id.value())
                ? book.stores().findAllNow(access, List.of(id)).get(id)
                : null;
    }

    /** Checks changes of one store and channel. */
    private List<ChangeLine> check(
            List<RequestedChange> together, @Nullable SeenKeys seen, Consistency consistency, Unwritten unwritten) {
        var id = together.getFirst().store();
        var channel = together.getFirst().channel();
        var store = store(id);
        var checked = store == null ? refused(together, seen, id) : check(together, store, seen, consistency);
        save(checked, id, channel, unwritten);
        checked.forEach(one -> counts.add(one, store));
        return checked.stream().map(CheckedLine::line).toList();
    }

    private List<CheckedLine> refused(List<RequestedChange> together, @Nullable SeenKeys seen, StoreId store) {
        var reason = refusal(store);
        return together.stream()
                .map(change ->
                        CheckedLine.atOnce(isRepeated(change, seen) ? repeated(change) : unknownStore(change, reason)))
                .toList();
    }

    /** Why prices of a store are not changed: only who may read them hears that there is such a store. */
    private String refusal(StoreId id) {
        var isSeen = access.may(Permission.PRICES_READ, Scope.Kind.STORES, id.value())
                && !book.stores().findAllNow(access, List.of(id)).isEmpty();
        return isSeen ? "whoever previewed this may not change prices of this store" : UNKNOWN_STORE;
    }

    private List<CheckedLine> check(
            List<RequestedChange> together, Store store, @Nullable SeenKeys seen, Consistency consistency) {
        var channel = together.getFirst().channel();
        var subjects =
                together.stream().map(RequestedChange::subject).distinct().toList();
        Map<PriceSubject, StoredPrices> versions = book.versions().versions(store.id(), channel, subjects, consistency);
        var isFirst = consistency == Consistency.EVENTUAL && versions.isEmpty() && check.isFirst(store.id(), channel);
        var general = general(store, channel, subjects, consistency);
        return together.stream()
                .map(change -> isRepeated(change, seen)
                        ? CheckedLine.atOnce(repeated(change))
                        : check.check(
                                change,
                                store,
                                versions.getOrDefault(change.subject(), StoredPrices.NONE),
                                general,
                                isFirst))
                .toList();
    }

    /** Read where the first of them is asked for. */
    private General general(Store store, Channel channel, List<PriceSubject> subjects, Consistency consistency) {
        var read = new HashMap<PriceSubject, StoredPrices>();
        return (subject, date) -> {
            if (channel.equals(Channel.ALL)) {
                return null;
            }
            if (read.isEmpty()) {
                subjects.forEach(one -> read.put(one, StoredPrices.NONE));
                read.putAll(book.versions().versions(store.id(), Channel.ALL, subjects, consistency));
            }
            return StoredPrices.priceOf(
                    Objects.requireNonNull(read.get(subject)).until(date));
        };
    }

    /** The line of a change for a store that there is not, for whoever asks. */
    private static ChangeLine unknownStore(RequestedChange change, String reason) {
        return ChangeLine.found(change, null, null, Finding.NOT_FOUND, reason);
    }

    /** The line of a change of a price that another line changes already. */
    private static ChangeLine repeated(RequestedChange change) {
        return ChangeLine.found(change, null, null, Finding.INVALID, "the set has another line for this price");
    }

    private static boolean isRepeated(RequestedChange change, @Nullable SeenKeys seen) {
        var key = change.store() + "#" + change.channel() + "#" + change.subject();
        return seen != null && seen.firstRow(key, change.number() + 1) != 0;
    }

    /** Lines of one chunk. */
    private record Together(Kind kind, @Nullable EffectiveDate asked) {}

    /** Saves chunks of those lines that are to be written, and the lines that are listed, in one request for 25 of them. */
    private void save(List<CheckedLine> checked, StoreId store, Channel channel, Unwritten unwritten) {
        var found = new ArrayList<DynamoChangeLines.ChunkWithLines>();
        checked.stream()
                .filter(one -> one.line().finding().isWritten())
                .collect(groupingBy(one -> new Together(one.kind(), one.asked()), LinkedHashMap::new, toList()))
                .forEach((together, ofChunk) -> ofChunk.stream()
                        .gather(Gatherers.windowFixed(
                                together.kind().isPacked() ? PACKED_AT_ONCE : DynamoChunkTransactions.LINES_AT_ONCE))
                        .forEach(window -> found.add(new DynamoChangeLines.ChunkWithLines(
                                chunk(store, channel, together, window), listed(window)))));
        var others = checked.stream()
                .map(CheckedLine::line)
                .filter(line -> unwritten.has(line.finding()))
                .toList();
        stored.save(lines.set(), found, lines.partition(store, channel), others);
    }

    private ChangeChunk chunk(StoreId store, Channel channel, Together together, List<CheckedLine> window) {
        return ChangeChunk.fresh(
                new ChangeChunk.Place(lines.partition(store, channel), chunks.getAndIncrement()),
                store,
                channel,
                together.kind(),
                together.asked(),
                window.stream().map(CheckedLine::toWrite).toList());
    }

    private static List<ChangeLine> listed(List<CheckedLine> chunk) {
        return chunk.stream()
                .filter(CheckedLine::isListed)
                .map(CheckedLine::line)
                .toList();
    }
}
