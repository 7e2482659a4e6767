package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.changes.LineCheck.CheckedLine;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.ChangeChunk.Kind;
import io.menuboard.querydb.Consistency;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final Access access;
    private final DynamoChangeLines.Lines lines;
    private final PriceBook book;
    private final DynamoChangeLines stored;
    private final LineCheck check;
    private final LineCounts counts;
    private final AtomicInteger chunks = new AtomicInteger();

    /** @param access of who may draft changes of some stores; there is no other store for them */
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
                check(together, seen, Consistency.STRONG);
                together.clear();
                progress.accept(count - 1);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            together.add(change);
        }
        if (!together.isEmpty()) {
            check(together, seen, Consistency.STRONG);
        }
    }

    /**
     * Checks rows of a file, in any order, and keeps those that change something; one finding for each, in order. Half a
     * read unit for every 4 KB of prices of the same store and channel, and what is kept.
     */
    List<ChangeLine> checkRows(List<RequestedChange> rows) {
        var found = new LinkedHashMap<RequestedChange, ChangeLine>();
        rows.forEach(row -> found.put(row, LineCheck.unknownStore(row)));
        rows.stream()
                .collect(groupingBy(row -> row.store() + "#" + row.channel(), LinkedHashMap::new, toList()))
                .values()
                .forEach(together -> {
                    var checked = check(together, null, Consistency.EVENTUAL);
                    for (var i = 0; i < together.size(); i++) {
                        found.put(together.get(i), checked.get(i));
                    }
                });
        return List.copyOf(found.values());
    }

    /** Checks changes of one store and channel. */
    private List<ChangeLine> check(List<RequestedChange> together, @Nullable SeenKeys seen, Consistency consistency) {
        var id = together.getFirst().store();
        var channel = together.getFirst().channel();
        var store = access.may(Permission.PRICES_DRAFT, Scope.Kind.STORES, id.value())
                ? book.stores().findAllNow(access, List.of(id)).get(id)
                : null;
        var checked = store == null
                ? together.stream()
                        .map(change -> CheckedLine.atOnce(
                                isRepeated(change, seen) ? LineCheck.repeated(change) : LineCheck.unknownStore(change)))
                        .toList()
                : check(together, store, seen, consistency);
        save(checked, id, channel, consistency == Consistency.STRONG);
        checked.forEach(one -> counts.add(one.line(), store, one.kind() == Kind.SCHEDULED));
        return checked.stream().map(CheckedLine::line).toList();
    }

    private List<CheckedLine> check(
            List<RequestedChange> together, Store store, @Nullable SeenKeys seen, Consistency consistency) {
        var channel = together.getFirst().channel();
        var subjects =
                together.stream().map(RequestedChange::subject).distinct().toList();
        Map<PriceSubject, StoredPrices> versions = book.versions().versions(store.id(), channel, subjects, consistency);
        var isFirst = consistency == Consistency.EVENTUAL && versions.isEmpty() && check.isFirst(store.id(), channel);
        return together.stream()
                .map(change -> isRepeated(change, seen)
                        ? CheckedLine.atOnce(LineCheck.repeated(change))
                        : check.check(
                                change, store, versions.getOrDefault(change.subject(), StoredPrices.NONE), isFirst))
                .toList();
    }

    private static boolean isRepeated(RequestedChange change, @Nullable SeenKeys seen) {
        var key = change.store() + "#" + change.channel() + "#" + change.subject();
        return seen != null && seen.firstRow(key, change.number() + 1) != 0;
    }

    /** Lines of one chunk. */
    private record Together(Kind kind, @Nullable EffectiveDate asked) {}

    /** Saves chunks of those lines that are to be written, and the lines that are listed, in one request for 25 of them. */
    private void save(List<CheckedLine> checked, StoreId store, Channel channel, boolean isComplete) {
        var found = new ArrayList<DynamoChangeLines.ChunkWithLines>();
        checked.stream()
                .filter(one -> one.line().finding().isWritten())
                .collect(groupingBy(one -> new Together(one.kind(), one.asked()), LinkedHashMap::new, toList()))
                .forEach((together, ofChunk) -> ofChunk.stream()
                        .gather(Gatherers.windowFixed(
                                together.kind().isPacked() ? PACKED_AT_ONCE : DynamoChunkTransactions.LINES_AT_ONCE))
                        .forEach(window -> found.add(new DynamoChangeLines.ChunkWithLines(
                                chunk(store, channel, together, window), listed(window)))));
        var unwritten = isComplete
                ? checked.stream()
                        .map(CheckedLine::line)
                        .filter(line -> !line.finding().isWritten())
                        .toList()
                : List.<ChangeLine>of();
        stored.save(lines.set(), found, lines.partition(store, channel), unwritten);
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

    /** Lines of a chunk that is kept compressed are listed only where they need attention. */
    private static List<ChangeLine> listed(List<CheckedLine> chunk) {
        return chunk.stream()
                .filter(one -> !one.kind().isPacked() || one.line().finding().needsAcceptance())
                .map(CheckedLine::line)
                .toList();
    }
}
