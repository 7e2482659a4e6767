package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toMap;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Change sets as items:
 *
 * <ul>
 *   <li>{@code CHANGESET#{id}}/{@code META}, listed in {@code gsi1} under {@code CHANGESETS} by id
 *   <li>{@code CHANGESET#{id}}/{@code RULES#{0000…}}: what was asked for
 *   <li>{@code CHANGESET#{id}#{preview}#{shard}}/{@code LINE#{finding}#{number}}: what a preview found
 *   <li>{@code CHANGESET#{id}#{preview}#{shard}}/{@code CHUNK#{number}}: the lines that are written together, and what
 *       became of them
 *   <li>{@code CHANGESET#{id}}/{@code OVERTAKEN#{line}}: which later set has taken a line's place
 * </ul>
 *
 * <p>All of them expire with the history that they made.
 */
final class DynamoChangeSets {
    private static final String META = "META";
    private static final String RULES = "RULES#";
    private static final String OVERTAKEN = "OVERTAKEN#";
    private static final String INDEX = "gsi1";
    private static final String ALL = "CHANGESETS";

    /** Characters of one rule: at three bytes each, less than the 400 KB that an item may have. */
    static final int LONGEST_RULE = 120_000;

    /** Characters of rules that are in the set's own item, which is to stay below one KB. */
    private static final int LONGEST_RULES_IN_SET = 200;

    /** Characters of rules in one item, but for one that has more itself. */
    private static final int RULES_AT_ONCE = 60_000;

    private final QueryDb db;
    private final int shards;
    private final Duration keptFor;

    /** @param shards of sets whose items do not say how many they have, which were made before items did */
    DynamoChangeSets(QueryDb db, int shards, Duration keptFor) {
        this.db = db;
        this.shards = shards;
        this.keptFor = keptFor;
    }

    /**
     * A change set with what nobody else needs to know.
     *
     * @param run number of the last thing that was begun with it
     * @param lines which lines are its lines; null before the first preview
     * @param checked whether the run has found that prices are as the preview saw them
     * @param unwritten of the lines that failed, those that could not be written
     * @param restoredBy the set that has put back what the one had done that put this one back; or null
     */
    record Stored(
            ChangeSet set,
            int run,
            @Nullable Lines lines,
            boolean checked,
            int unwritten,
            @Nullable ChangeSetId restoredBy) {
        /** As it is once that run has ended so. */
        Stored after(int newRun, ChangeSetStatus status, int overtaken, @Nullable Instant appliedAt) {
            return new Stored(set.ended(status, overtaken, appliedAt), newRun, lines, false, 0, restoredBy);
        }

        /** Which lines are its lines; only of a set that was previewed. */
        Lines previewed() {
            return Objects.requireNonNull(lines);
        }
    }

    /**
     * The lines that one preview found.
     *
     * @param preview of all previews of the set
     * @param shards how many partitions they are in
     * @param kind how they are written where their chunks do not say it
     */
    record Lines(ChangeSetId set, String preview, int shards, ChangeChunk.Kind kind) {

        /** Those of one store and channel are in one. */
        Key chunk(StoreId store, Channel channel, int chunk) {
            var shard = Math.floorMod((store + "#" + channel).hashCode(), shards);
            return chunkKey(partition(set, preview, shard), chunk);
        }

        private Stream<String> partitions() {
            return IntStream.range(0, shards).mapToObj(shard -> partition(set, preview, shard));
        }
    }

    // ---- the set

    /**
     * Writes a new one, rules first, unless somebody else has. One write unit per KB of rules, and two for the set, whose
     * item has short rules itself.
     *
     * @param lines what its preview found; null where that is still to come
     * @return false where there is one with its id already
     */
    boolean create(ChangeSet set, List<ChangeRule> rules, @Nullable Lines lines) {
        var texts = rules.stream().map(ChangeRules::text).toList();
        var isShort = texts.stream().mapToInt(String::length).sum() <= LONGEST_RULES_IN_SET;
        if (!isShort) {
            db.saveBatch(ruleItems(set, texts)).orThrow();
        }
        var meta = Item.at(meta(set.id()))
                .type("changeSet")
                .index(ALL, set.id().value())
                .string("name", set.name())
                .string("reason", set.reason())
                .string("actor", DynamoPriceHistory.actor(set.actor()))
                .string("status", set.status().name())
                .number("run", lines == null ? 0 : 1)
                .ttl(set.createdAt().plus(keptFor));
        if (isShort && !texts.isEmpty()) {
            meta.strings("rules", texts);
        }
        if (set.effectiveDate() != null) {
            meta.string("effectiveDate", set.effectiveDate().toString());
        }
        if (set.undoes() != null) {
            meta.string("undoes", set.undoes().value());
        }
        if (set.retries() != null) {
            meta.string("retries", set.retries().value());
        }
        if (set.imported() != null) {
            meta.string("import", set.imported().value());
        }
        if (lines != null) {
            meta.string("preview", lines.preview())
                    .string("token", lines.preview())
                    .number("shards", lines.shards())
                    .string("summary", summary(Objects.requireNonNull(set.summary())));
        }
        try {
            db.save(meta.build(), SaveMode.INIT);
            return true;
        } catch (AlreadyExists _) {
            return false;
        }
    }

    /** Keeps some rules of a set that is yet to be made; one write unit per KB. */
    void keep(ChangeSet set, int number, List<ChangeRule> rules) {
        db.saveBatch(List.of(
                        rules(set, number, rules.stream().map(ChangeRules::text).toList())))
                .orThrow();
    }

    private List<Save> ruleItems(ChangeSet set, List<String> texts) {
        var saves = new ArrayList<Save>();
        var some = new ArrayList<String>();
        var length = 0;
        for (var text : texts) {
            if (!some.isEmpty() && length + text.length() > RULES_AT_ONCE) {
                saves.add(rules(set, saves.size(), some));
                some.clear();
                length = 0;
            }
            some.add(text);
            length += text.length();
        }
        saves.add(rules(set, saves.size(), some));
        return saves;
    }

    private Save rules(ChangeSet set, int number, List<String> rules) {
        return new Save(
                Item.at(new Key(partition(set.id()), RULES + "%07d".formatted(number)))
                        .type("changeRules")
                        .strings("rules", rules)
                        .ttl(set.createdAt().plus(keptFor))
                        .build(),
                SaveMode.ANY);
    }

    /** @throws io.menuboard.querydb.UnreadableItem where another version wrote it and this one cannot read it */
    Optional<Stored> find(ChangeSetId id, Consistency consistency) {
        return db.get(meta(id), consistency).map(this::read);
    }

    /** Newest first, those that this version can read. */
    Page<ChangeSet> list(PageRequest page) {
        return db.query(
                Query.index("changeSets", INDEX, ALL).reversed(),
                item -> stored(item).set(),
                page);
    }

    /** What was asked for, in order, as it is consumed. */
    Stream<ChangeRule> rules(ChangeSetId id) {
        // The set's own item, which may have them, comes before those that otherwise do.
        return db.all(Query.table("changeRules", partition(id)).between(META, RULES + "~"), Consistency.STRONG)
                .filter(item -> item.attributes().containsKey("rules"))
                .map(item -> db.read(item, some -> some.strings("rules").stream()
                        .map(ChangeRules::of)
                        .toList()))
                .flatMap(List::stream);
    }

    /**
     * Changes the set's own item if the condition holds; empty where it does not. A change that is made again must do no
     * harm.
     *
     * @param done tells from the set whether it was changed so, where the answer to that was lost
     */
    Optional<Stored> update(ChangeSetId id, Expression update, Expression condition, Predicate<Stored> done) {
        try {
            return Optional.of(read(db.update(meta(id), update, condition, item -> done.test(read(item)))));
        } catch (ConditionFailed _) {
            return Optional.empty();
        }
    }

    /** The same change, as part of a transaction. */
    static Write write(ChangeSetId id, Expression update, Expression condition) {
        return Write.update(meta(id), update, condition);
    }

    /** That another set has taken the place of so many more of its lines; of fewer where that is negative. */
    static Write overtaken(ChangeSetId id, int more) {
        return Write.update(
                meta(id),
                Expression.of("ADD overtaken :more").number(":more", more),
                Expression.of("attribute_exists(pk)"));
    }

    // ---- its lines

    /** Writes what a preview found. One write unit a line, and one per KB of what will be written. */
    void save(List<Save> saves) {
        db.saveBatch(saves).orThrow();
    }

    /** A chunk, with those lines of it that are listed. */
    List<Save> saves(ChangeSetId id, ChangeChunk chunk, List<ChangeLine> lines) {
        var saves = new ArrayList<Save>();
        lines.forEach(line -> saves.add(save(id, chunk.key().partition(), chunk.number(), line)));
        saves.add(new Save(chunk.item(id.createdAt().plus(keptFor)), SaveMode.ANY));
        return saves;
    }

    Save save(ChangeSetId id, String partition, int chunk, ChangeLine line) {
        return new Save(line(partition, chunk, line, id.createdAt().plus(keptFor)), SaveMode.ANY);
    }

    private static Key chunkKey(String partition, int chunk) {
        return new Key(partition, "CHUNK#%07d".formatted(chunk));
    }

    /** Every chunk, strongly consistent, as it is consumed: those of one store and channel that follow each other do here. */
    Stream<ChangeChunk> chunks(Lines lines) {
        return lines.partitions()
                .flatMap(partition ->
                        db.all(Query.table("changeChunks", partition).beginsWith("CHUNK#"), Consistency.STRONG))
                .map(item -> db.read(item, chunk -> ChangeChunk.of(chunk, lines.kind())));
    }

    /** A page of lines, those of one finding or all, by finding and then by number, and what became of each chunk. */
    Page<ChangeLine> lines(Lines lines, @Nullable Finding finding, PageRequest page) {
        var prefix = "LINE#" + (finding == null ? "" : finding.place() + "#");
        var queries = lines.partitions()
                .map(partition -> Query.table("changeLines", partition).beginsWith(prefix))
                .toList();
        var found = db.query(queries, page, item -> db.readable(item, DynamoChangeSets::checked));
        var written =
                found.nodes().stream().filter(item -> finding(item).isWritten()).toList();
        var chunks = db
                .getBatch(written.stream()
                        .map(item -> chunkKey(item.key().partition(), (int) item.integer("chunk")))
                        .distinct()
                        .toList())
                .stream()
                .flatMap(Optional::stream)
                .collect(toMap(
                        DynamoChangeSets::number,
                        item -> db.readable(item, chunk -> ChangeChunk.of(chunk, lines.kind()))));
        var numbers = written.stream().mapToInt(DynamoChangeSets::number).summaryStatistics();
        var overtaken = chunks.values().stream()
                        .flatMap(Optional::stream)
                        .noneMatch(chunk -> chunk.state() == ChangeChunk.State.WRITTEN)
                ? Map.<Integer, ChangeSetId>of()
                : overtaken(lines.set(), numbers.getMin(), numbers.getMax());
        return found.map(item -> line(item, chunks, overtaken));
    }

    /** The line, if all of it can be read. */
    private static Item checked(Item line) {
        if (line(line, (ChangeChunk) null, Map.of()).finding().isWritten()) {
            line.integer("chunk");
        }
        return line;
    }

    /** @param chunks by number; empty for one that cannot be read */
    private static ChangeLine line(
            Item item, Map<Integer, Optional<ChangeChunk>> chunks, Map<Integer, ChangeSetId> overtaken) {
        var chunk = finding(item).isWritten() ? chunks.get((int) item.integer("chunk")) : null;
        return chunk == null
                ? line(item, (ChangeChunk) null, overtaken)
                : chunk.map(known -> line(item, known, overtaken))
                        .orElseGet(
                                () -> line(item, (ChangeChunk) null, overtaken).with(ChangeLine.Outcome.UNKNOWN));
    }

    /** Which later sets have taken the place of lines from that number to that one, by number. */
    Map<Integer, ChangeSetId> overtaken(ChangeSetId id, int first, int last) {
        var query = Query.table("overtakenLines", partition(id)).between(overtaken(first), overtaken(last));
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.collect(toMap(
                    item -> db.read(
                            item, mark -> Integer.valueOf(mark.key().sort().substring(OVERTAKEN.length()))),
                    item -> db.read(item, mark -> new ChangeSetId(mark.string("by")))));
        }
    }

    private static String overtaken(int line) {
        return OVERTAKEN + "%09d".formatted(line);
    }

    static Key overtakenKey(ChangeSetId id, int line) {
        return new Key(partition(id), overtaken(line));
    }

    /** That a later set has taken the place of that line. */
    static Item overtaken(ChangeSetId id, int line, ChangeSetId by) {
        return Item.at(overtakenKey(id, line))
                .type("overtakenLine")
                .string("by", by.value())
                .build();
    }

    // ---- keys and attributes

    private static String partition(ChangeSetId id) {
        return "CHANGESET#" + id;
    }

    private static String partition(ChangeSetId id, String preview, int shard) {
        return partition(id) + "#" + preview + "#" + shard;
    }

    private static Key meta(ChangeSetId id) {
        return new Key(partition(id), META);
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

    /** Findings in the order of their counts in a summary; new ones at the end, so that older summaries can be read. */
    private static final List<Finding> COUNTED = List.of(
            Finding.WILL_CHANGE,
            Finding.CONFLICT,
            Finding.SUSPICIOUS,
            Finding.NO_CHANGE,
            Finding.NOT_FOUND,
            Finding.INVALID);

    private static final List<Finding> COUNTED_LATER =
            List.of(Finding.NEW, Finding.DELETION, Finding.UNKNOWN_PRODUCT, Finding.MIXED_CURRENCIES);

    static String summary(ChangeSetSummary summary) {
        var cells = new ArrayList<String>();
        cells.add(String.valueOf(summary.lines()));
        COUNTED.forEach(finding -> cells.add(String.valueOf(summary.count(finding))));
        cells.add(String.valueOf(summary.stores()));
        cells.add(String.valueOf(summary.replaced()));
        cells.add(String.valueOf(summary.replacing()));
        cells.add(Objects.toString(summary.firstInstant(), ""));
        cells.add(Objects.toString(summary.lastInstant(), ""));
        cells.add(String.valueOf(summary.timeZones()));
        COUNTED_LATER.forEach(finding -> cells.add(String.valueOf(summary.count(finding))));
        return String.join("\t", cells);
    }

    private static ChangeSetSummary summary(String text) {
        var cells = text.split("\t", -1);
        var found = new EnumMap<Finding, Integer>(Finding.class);
        var at = 1;
        for (var finding : COUNTED) {
            found.put(finding, Integer.valueOf(cells[at++]));
        }
        var rest = at;
        at += 6;
        for (var i = 0; i < COUNTED_LATER.size() && at < cells.length; i++) {
            found.put(COUNTED_LATER.get(i), Integer.valueOf(cells[at++]));
        }
        found.values().removeIf(count -> count == 0);
        return new ChangeSetSummary(
                found,
                Integer.parseInt(cells[rest]),
                Integer.parseInt(cells[rest + 1]),
                Integer.parseInt(cells[rest + 2]),
                cells[rest + 3].isEmpty() ? null : Instant.parse(cells[rest + 3]),
                cells[rest + 4].isEmpty() ? null : Instant.parse(cells[rest + 4]),
                Integer.parseInt(cells[rest + 5]));
    }

    private Stored read(Item item) {
        return db.read(item, this::stored);
    }

    private Stored stored(Item item) {
        var id = new ChangeSetId(item.key().partition().substring("CHANGESET#".length()));
        var date = item.findString("effectiveDate").map(EffectiveDate::inKey).orElse(null);
        var set = new ChangeSet(
                id,
                item.string("name"),
                item.string("reason"),
                DynamoPriceHistory.actor(item.string("actor")),
                date,
                ChangeSetStatus.valueOf(item.string("status")),
                item.findString("summary").map(DynamoChangeSets::summary).orElse(null),
                item.findString("token").orElse(null),
                item.findString("task").map(TaskId::new).orElse(null),
                number(item, "failed") + number(item, "overtaken"),
                item.findString("appliedAt").map(Instant::parse).orElse(null),
                item.findString("undoes").map(ChangeSetId::new).orElse(null),
                item.findString("undoneBy").map(ChangeSetId::new).orElse(null),
                item.findString("retries").map(ChangeSetId::new).orElse(null),
                item.findString("import").map(ImportId::new).orElse(null),
                item.findString("problem").orElse(null));
        var shardsOf = item.findNumber("shards").map(Number::intValue).orElse(shards);
        return new Stored(
                set,
                (int) item.integer("run"),
                item.findString("preview")
                        .map(preview -> new Lines(
                                id,
                                preview,
                                shardsOf,
                                date == null ? ChangeChunk.Kind.AT_ONCE : ChangeChunk.Kind.SCHEDULED))
                        .orElse(null),
                item.attributes().containsKey("checked"),
                number(item, "failed"),
                item.findString("restoredBy").map(ChangeSetId::new).orElse(null));
    }

    private static int number(Item item, String name) {
        return item.findNumber(name).map(Number::intValue).orElse(0);
    }
}
