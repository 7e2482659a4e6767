package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toMap;

import io.menuboard.kernel.LazyStreams;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.DynamoChunks;
import io.menuboard.pricing.chunks.DynamoOvertakenLines;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of change sets as items:
 *
 * <ul>
 *   <li>{@code CHANGESET#{id}#{preview}#{shard}}/{@code LINE#{finding}#{number}}: what a preview found
 *   <li>{@code CHANGESET#{id}#{preview}#{shard}}/{@code CHUNK#{number}}: a {@linkplain DynamoChunks chunk}
 * </ul>
 *
 * <p>All of them expire with the history that they made, or were to make when they were previewed; the chunks of a set that is moved,
 * with that which they are to make then.
 */
final class DynamoChangeLines {
    private static final int LISTS_AT_ONCE = 32;

    private final QueryDb db;
    private final Duration keptFor;

    DynamoChangeLines(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /**
     * The lines that one preview found.
     *
     * @param preview of all previews of the set
     * @param shards how many partitions they are in
     * @param kind how they are written where their chunks do not say it
     */
    record Lines(ChangeSetId set, String preview, int shards, ChangeChunk.Kind kind) {

        /** Lines of the last preview of a set that has one. */
        static Lines of(ChangeSet set) {
            var preview = Objects.requireNonNull(set.data().preview());
            return new Lines(set.id(), preview.id(), preview.shards(), kindOf(set));
        }

        static ChangeChunk.Kind kindOf(ChangeSet set) {
            return set.effectiveDate() == null ? ChangeChunk.Kind.AT_ONCE : ChangeChunk.Kind.SCHEDULED;
        }

        /** Partition of the lines of one store and channel. */
        String partition(StoreId store, Channel channel) {
            var shard = Math.floorMod((store + "#" + channel).hashCode(), shards);
            return DynamoChangeLines.partition(set, preview, shard);
        }

        private Stream<String> partitions() {
            return IntStream.range(0, shards).mapToObj(shard -> DynamoChangeLines.partition(set, preview, shard));
        }
    }

    /** A chunk, with those lines of it that are listed. */
    record ChunkWithLines(ChangeChunk chunk, List<ChangeLine> listed) {}

    /**
     * Saves lines of one store and channel. One write unit a line, and one per KB of the chunks.
     *
     * @param partition of those lines
     * @param unwritten lines that applying the set does not write
     */
    void save(ChangeSetId id, List<ChunkWithLines> chunks, String partition, List<ChangeLine> unwritten) {
        var made = id.createdAt();
        var saves = new ArrayList<Save>();
        for (var chunk : chunks) {
            var number = chunk.chunk().number();
            var ttl = latest(made, chunk.listed()).plus(keptFor);
            chunk.listed().forEach(line -> saves.add(save(line(partition, number, line, ttl))));
            saves.add(save(DynamoChunks.item(chunk.chunk(), ttl)));
        }
        var ttl = latest(made, unwritten).plus(keptFor);
        unwritten.forEach(line -> saves.add(save(line(partition, 0, line, ttl))));
        db.saveBatch(saves).orThrow();
    }

    /** When the last of some lines takes effect, or the set was made. Lines that wait for their time are all listed. */
    private static Instant latest(Instant made, List<ChangeLine> lines) {
        return lines.stream()
                .flatMap(line -> Stream.ofNullable(line.startsAt()))
                .reduce(made, (one, other) -> one.isAfter(other) ? one : other);
    }

    private static Save save(Item item) {
        return new Save(item, SaveMode.ANY);
    }

    /** Every chunk, strongly consistent, as it is consumed: those of one store and channel that follow each other do here. */
    Stream<ChangeChunk> chunks(Lines lines) {
        return LazyStreams.flatMap(
                        lines.partitions(),
                        partition -> db.all(
                                Query.table("changeChunks", partition).beginsWith(DynamoChunks.PREFIX),
                                Consistency.STRONG))
                .map(item -> db.read(item, chunk -> DynamoChunks.read(chunk, lines.kind())));
    }

    /** Chunks of the last preview of a set. */
    Stream<ChangeChunk> chunks(ChangeSet set) {
        return chunks(Lines.of(set));
    }

    /** Lines that the last preview of a set {@linkplain Finding#isRefused refused}, strongly consistent, as they are consumed. */
    Stream<ChangeLine> refused(ChangeSet set) {
        var places = Stream.of(Finding.values())
                .filter(Finding::isRefused)
                .map(Finding::place)
                .toList();
        return LazyStreams.flatMap(
                        Lines.of(set).partitions(),
                        partition -> LazyStreams.flatMap(
                                places.stream(),
                                place -> db.all(
                                        Query.table("changeLines", partition).beginsWith("LINE#" + place + "#"),
                                        Consistency.STRONG)))
                .map(item -> db.read(item, line -> line(line, (ChangeChunk) null, Map.of())));
    }

    /**
     * A page of lines of each set, those of one finding or all, by finding and then by number, and what became of each chunk;
     * none of a set without a preview.
     */
    List<Page<ChangeLine>> lines(List<ChangeSet> sets, @Nullable Finding finding, PageRequest page) {
        var found = Concurrently.map(LISTS_AT_ONCE, sets, set -> listed(set, finding, page));
        var chunks = chunks(found);
        return Concurrently.map(LISTS_AT_ONCE, found, listed -> lines(listed, chunks));
    }

    /** A page of lines as they are stored. */
    private record Listed(ChangeSet set, Page<Item> lines) {
        private Stream<Item> written() {
            return lines.nodes().stream().filter(line -> finding(line).isWritten());
        }
    }

    private Listed listed(ChangeSet set, @Nullable Finding finding, PageRequest page) {
        if (set.data().preview() == null) {
            return new Listed(set, Page.empty());
        }
        var prefix = "LINE#" + (finding == null ? "" : finding.place() + "#");
        var queries = Lines.of(set)
                .partitions()
                .map(partition -> Query.table("changeLines", partition).beginsWith(prefix))
                .toList();
        return new Listed(set, db.query(queries, DynamoChangeLines::checked, page));
    }

    /** Chunks of the written lines, by their keys; empty for one that cannot be read. */
    private Map<Key, Optional<ChangeChunk>> chunks(List<Listed> lists) {
        var kinds = new LinkedHashMap<Key, ChangeChunk.Kind>();
        lists.forEach(list -> list.written().forEach(line -> kinds.put(chunkOf(line), Lines.kindOf(list.set()))));
        return kinds.isEmpty()
                ? Map.of()
                : db.getBatch(List.copyOf(kinds.keySet())).stream()
                        .flatMap(Optional::stream)
                        .collect(toMap(
                                Item::key,
                                item -> db.readable(
                                        item,
                                        chunk -> DynamoChunks.read(
                                                chunk, Objects.requireNonNull(kinds.get(item.key()))))));
    }

    private static Key chunkOf(Item line) {
        return DynamoChunks.key(new ChangeChunk.Place(line.key().partition(), (int) line.integer("chunk")));
    }

    private Page<ChangeLine> lines(Listed listed, Map<Key, Optional<ChangeChunk>> chunks) {
        var waits = listed.written()
                .flatMap(line -> chunks.getOrDefault(chunkOf(line), Optional.empty()).stream())
                .anyMatch(chunk -> chunk.state() == ChangeChunk.State.WRITTEN);
        var numbers = listed.written().mapToInt(DynamoChangeLines::number).summaryStatistics();
        var overtaken = waits && listed.set().data().overtaken() > 0
                ? overtaken(listed.set().id(), numbers.getMin(), numbers.getMax())
                : Map.<Integer, ChangeSetId>of();
        return listed.lines().map(item -> line(item, chunks, overtaken));
    }

    /** The line, if all of it can be read. */
    private static Item checked(Item line) {
        if (line(line, (ChangeChunk) null, Map.of()).finding().isWritten()) {
            line.integer("chunk");
        }
        return line;
    }

    /** @param chunks by key; empty for one that cannot be read */
    private static ChangeLine line(
            Item item, Map<Key, Optional<ChangeChunk>> chunks, Map<Integer, ChangeSetId> overtaken) {
        var chunk = finding(item).isWritten() ? chunks.get(chunkOf(item)) : null;
        return chunk == null
                ? line(item, (ChangeChunk) null, overtaken)
                : chunk.map(known -> line(item, known, overtaken))
                        .orElseGet(
                                () -> line(item, (ChangeChunk) null, overtaken).with(ChangeLine.Outcome.UNKNOWN));
    }

    /** Those of some lines of the set whose place no later set has taken: a read unit per 4 KB of what is overtaken of them. */
    List<ChangeChunk.Line> withoutOvertaken(ChangeSetId id, List<ChangeChunk.Line> some) {
        if (some.isEmpty()) {
            return some;
        }
        var numbers = some.stream().mapToInt(ChangeChunk.Line::number).summaryStatistics();
        var overtaken = overtaken(id, numbers.getMin(), numbers.getMax());
        return some.stream()
                .filter(line -> !overtaken.containsKey(line.number()))
                .toList();
    }

    /** Sets that have overtaken lines from that number to that one, by number of the line. */
    private Map<Integer, ChangeSetId> overtaken(ChangeSetId id, int first, int last) {
        var from = DynamoOvertakenLines.key(id, first);
        var query = Query.table("overtakenLines", from.partition())
                .between(from.sort(), DynamoOvertakenLines.key(id, last).sort());
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.collect(toMap(
                    item -> db.read(item, DynamoOvertakenLines::line),
                    item -> db.read(item, DynamoOvertakenLines::by)));
        }
    }

    private static String partition(ChangeSetId id) {
        return DynamoChangeSets.partition(id);
    }

    private static String partition(ChangeSetId id, String preview, int shard) {
        return partition(id) + "#" + preview + "#" + shard;
    }

    private static int number(Item lineOrChunk) {
        var sort = lineOrChunk.key().sort();
        return Integer.parseInt(sort.substring(sort.lastIndexOf('#') + 1));
    }

    private static Finding finding(Item line) {
        return Finding.at(line.key().sort().split("#", -1)[1]);
    }

    private static Item line(String partition, int chunk, ChangeLine line, Instant ttl) {
        var item = Item.at(new Key(partition, "LINE#" + line.finding().place() + "#" + "%09d".formatted(line.number())))
                .type("changeLine")
                .number("chunk", chunk)
                .string("store", line.store().value())
                .string("channel", line.channel().value())
                .string("subject", line.subject().toString())
                .ttl(ttl);
        var before = line.before();
        if (before != null) {
            item.string("before", before.text());
        }
        var after = line.after();
        if (after != null) {
            item.string("after", after.text());
        }
        var date = line.effectiveDate();
        if (date != null) {
            item.string("effectiveDate", date.toString());
        }
        if (line.message() != null) {
            item.string("message", line.message());
        }
        return item.build();
    }

    private static ChangeLine line(Item item, @Nullable ChangeChunk chunk, Map<Integer, ChangeSetId> overtaken) {
        var number = number(item);
        var message = item.findString("message").orElse(null);
        var outcome = ChangeLine.Outcome.NONE;
        if (chunk != null && chunk.state() != ChangeChunk.State.NEW) {
            var by = overtaken.get(number);
            var failure = chunk.failures().get(number);
            if (by != null) {
                outcome = ChangeLine.Outcome.SUPERSEDED;
                message = "change set " + by + " was made later and changes the same price";
            } else if (failure != null) {
                outcome = ChangeLine.Outcome.FAILED;
                message = failure;
            } else {
                outcome = switch (chunk.state()) {
                    case NEW -> ChangeLine.Outcome.NONE;
                    case WRITTEN -> ChangeLine.Outcome.SCHEDULED; // until its time has come
                    case APPLIED -> ChangeLine.Outcome.APPLIED;
                    case CANCELLED -> ChangeLine.Outcome.CANCELLED;
                };
            }
        }
        return new ChangeLine(
                number,
                new StoreId(item.string("store")),
                new Channel(item.string("channel")),
                PriceSubject.of(item.string("subject")),
                item.findString("before").map(Money::of).orElse(null),
                item.findString("after").map(Money::of).orElse(null),
                chunk != null && chunk.state() == ChangeChunk.State.WRITTEN
                        ? chunk.date()
                        : item.findString("effectiveDate")
                                .map(EffectiveDate::inKey)
                                .orElse(null),
                null,
                finding(item),
                message,
                outcome);
    }
}
