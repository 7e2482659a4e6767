package io.menuboard.pricing;

import static java.util.stream.Collectors.toMap;

import io.menuboard.querydb.Actor;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Characters of rules in one item, but for one that has more itself. */
    private static final int RULES_AT_ONCE = 60_000;

    private final QueryDb db;
    private final int shards;
    private final Duration keptFor;

    DynamoChangeSets(QueryDb db, int shards, Duration keptFor) {
        this.db = db;
        this.shards = shards;
        this.keptFor = keptFor;
    }

    /**
     * A change set with what nobody else needs to know.
     *
     * @param run number of the last thing that was begun with it
     * @param preview which lines are its lines; null before the first preview
     * @param checked whether the run has found that prices are as the preview saw them
     */
    record Stored(ChangeSet set, int run, @Nullable String preview, boolean checked) {}

    // ---- the set

    /** Writes a new one, rules first. One write unit per KB of rules, and two. */
    void create(ChangeSet set, List<ChangeRule> rules) {
        var saves = new ArrayList<Save>();
        var some = new ArrayList<String>();
        var bytes = 0;
        for (var rule : rules) {
            var text = ChangeRules.text(rule);
            if (!some.isEmpty() && bytes + text.length() > RULES_AT_ONCE) {
                saves.add(rules(set, saves.size(), some));
                some.clear();
                bytes = 0;
            }
            some.add(text);
            bytes += text.length();
        }
        saves.add(rules(set, saves.size(), some));
        db.saveBatch(saves).orThrow();
        var meta = Item.at(meta(set.id()))
                .type("changeSet")
                .index(ALL, set.id().value())
                .string("name", set.name())
                .string("reason", set.reason())
                .string("actor", actor(set.actor()))
                .string("status", set.status().name())
                .number("run", 0)
                .ttl(set.createdAt().plus(keptFor));
        if (set.effectiveDate() != null) {
            meta.string("effectiveDate", set.effectiveDate().toString());
        }
        if (set.undoes() != null) {
            meta.string("undoes", set.undoes().value());
        }
        if (set.retries() != null) {
            meta.string("retries", set.retries().value());
        }
        db.save(meta.build(), SaveMode.ANY);
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

    Optional<Stored> find(ChangeSetId id, Consistency consistency) {
        return db.get(meta(id), consistency).map(DynamoChangeSets::stored);
    }

    /** Newest first. */
    Page<ChangeSet> list(PageRequest page) {
        return db.query(Query.index("changeSets", INDEX, ALL).reversed(), page)
                .map(item -> stored(item).set());
    }

    /** What was asked for, in order, as it is consumed. */
    Stream<ChangeRule> rules(ChangeSetId id) {
        return db.all(Query.table("changeRules", partition(id)).beginsWith(RULES), Consistency.STRONG)
                .flatMap(item -> item.strings("rules").stream())
                .map(ChangeRules::of);
    }

    /**
     * Changes the set's own item if the condition holds; empty where it does not. A change that is made again must do no
     * harm.
     */
    Optional<Stored> update(ChangeSetId id, Expression update, Expression condition) {
        try {
            return Optional.of(stored(db.update(meta(id), update, condition, _ -> false)));
        } catch (ConditionFailed _) {
            return Optional.empty();
        }
    }

    // ---- its lines

    /** Writes what a preview found. One write unit a line, and one per KB of what will be written. */
    void save(ChangeSetId id, String preview, ChangeChunk chunk, List<ChangeLine> lines) {
        var partition = chunk.key().partition();
        var ttl = id.createdAt().plus(keptFor);
        var saves = new ArrayList<Save>();
        lines.forEach(line -> saves.add(new Save(line(partition, chunk.number(), line, ttl), SaveMode.ANY)));
        if (!chunk.lines().isEmpty()) {
            saves.add(new Save(chunk.item(ttl), SaveMode.ANY));
        }
        db.saveBatch(saves).orThrow();
    }

    /** Those of one store and channel stand together. */
    Key chunkKey(ChangeSetId id, String preview, StoreId store, Channel channel, int chunk) {
        var shard = Math.floorMod((store + "#" + channel).hashCode(), shards);
        return chunkKey(partition(id, preview, shard), chunk);
    }

    private static Key chunkKey(String partition, int chunk) {
        return new Key(partition, "CHUNK#%07d".formatted(chunk));
    }

    /** Every chunk, strongly consistent, as it is consumed: those of one store and channel that follow each other do here. */
    Stream<ChangeChunk> chunks(ChangeSetId id, String preview) {
        return IntStream.range(0, shards)
                .boxed()
                .flatMap(shard -> db.all(
                        Query.table("changeChunks", partition(id, preview, shard))
                                .beginsWith("CHUNK#"),
                        Consistency.STRONG))
                .map(ChangeChunk::of);
    }

    /** A page of lines, those of one finding or all, by finding and then by number, and what became of each chunk. */
    Page<ChangeLine> lines(
            ChangeSetId id, String preview, @Nullable Finding finding, boolean applied, PageRequest page) {
        var prefix = "LINE#" + (finding == null ? "" : finding.place() + "#");
        var queries = IntStream.range(0, shards)
                .mapToObj(shard -> Query.table("changeLines", partition(id, preview, shard))
                        .beginsWith(prefix))
                .toList();
        var found = db.query(queries, page, Optional::of);
        var chunks = db
                .getBatch(found.nodes().stream()
                        .filter(item -> finding(item).isWritten())
                        .map(item -> chunkKey(item.key().partition(), (int) item.integer("chunk")))
                        .distinct()
                        .toList())
                .stream()
                .flatMap(Optional::stream)
                .map(ChangeChunk::of)
                .collect(toMap(ChangeChunk::number, chunk -> chunk));
        var overtaken = chunks.isEmpty() ? Map.<Integer, ChangeSetId>of() : overtaken(id);
        return found.map(item -> line(item, chunks.get((int) item.integer("chunk")), overtaken, applied));
    }

    /** Which later sets have taken the place of lines, by number. */
    Map<Integer, ChangeSetId> overtaken(ChangeSetId id) {
        try (var items =
                db.all(Query.table("overtakenLines", partition(id)).beginsWith(OVERTAKEN), Consistency.STRONG)) {
            return items.collect(toMap(
                    item -> Integer.valueOf(item.key().sort().substring(OVERTAKEN.length())),
                    item -> new ChangeSetId(item.string("by"))));
        }
    }

    /** That a later set has taken the place of that line. */
    static Item overtaken(ChangeSetId id, int line, ChangeSetId by) {
        return Item.at(new Key(partition(id), OVERTAKEN + "%09d".formatted(line)))
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
            item.string("before", DynamoPrices.text(before));
        }
        var after = line.after();
        if (after != null) {
            item.string("after", DynamoPrices.text(after));
        }
        var startsAt = line.startsAt();
        if (startsAt != null) {
            item.number("startsAt", startsAt.getEpochSecond());
        }
        if (line.message() != null) {
            item.string("message", line.message());
        }
        return item.build();
    }

    private static ChangeLine line(
            Item item, @Nullable ChangeChunk chunk, Map<Integer, ChangeSetId> overtaken, boolean applied) {
        var parts = item.key().sort().split("#", -1);
        var number = Integer.parseInt(parts[2]);
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
                    case WRITTEN -> applied ? ChangeLine.Outcome.APPLIED : ChangeLine.Outcome.SCHEDULED;
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
                item.findString("before").map(DynamoPrices::money).orElse(null),
                item.findString("after").map(DynamoPrices::money).orElse(null),
                item.findNumber("startsAt")
                        .map(seconds -> Instant.ofEpochSecond(seconds.longValue()))
                        .orElse(null),
                finding(item),
                message,
                outcome);
    }

    static String actor(Actor actor) {
        return actor.kind() + "\t" + actor.source() + "\t" + actor.name();
    }

    static Actor actor(String text) {
        var parts = text.split("\t", 3);
        return new Actor(Actor.Kind.valueOf(parts[0]), parts[2], Actor.Source.valueOf(parts[1]));
    }

    static String summary(ChangeSetSummary summary) {
        return String.join(
                "\t",
                List.of(
                        String.valueOf(summary.lines()),
                        String.valueOf(summary.willChange()),
                        String.valueOf(summary.conflicts()),
                        String.valueOf(summary.suspicious()),
                        String.valueOf(summary.unchanged()),
                        String.valueOf(summary.notFound()),
                        String.valueOf(summary.invalid()),
                        String.valueOf(summary.stores()),
                        String.valueOf(summary.replaced()),
                        String.valueOf(summary.replacing()),
                        summary.firstInstant() == null
                                ? ""
                                : summary.firstInstant().toString(),
                        summary.lastInstant() == null
                                ? ""
                                : summary.lastInstant().toString(),
                        String.valueOf(summary.timeZones())));
    }

    private static ChangeSetSummary summary(String text) {
        var parts = text.split("\t", -1);
        var numbers = Stream.of(parts)
                .map(part -> part.matches("[0-9]+") ? Integer.parseInt(part) : 0)
                .toList();
        return new ChangeSetSummary(
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                numbers.get(3),
                numbers.get(4),
                numbers.get(5),
                numbers.get(6),
                numbers.get(7),
                numbers.get(8),
                numbers.get(9),
                parts[10].isEmpty() ? null : Instant.parse(parts[10]),
                parts[11].isEmpty() ? null : Instant.parse(parts[11]),
                numbers.get(12));
    }

    private static Stored stored(Item item) {
        var set = new ChangeSet(
                new ChangeSetId(item.key().partition().substring("CHANGESET#".length())),
                item.string("name"),
                item.string("reason"),
                actor(item.string("actor")),
                item.findString("effectiveDate").map(EffectiveDate::inKey).orElse(null),
                ChangeSetStatus.valueOf(item.string("status")),
                item.findString("summary").map(DynamoChangeSets::summary).orElse(null),
                item.findString("token").orElse(null),
                item.findString("task").map(TaskId::new).orElse(null),
                number(item, "done"),
                number(item, "failed"),
                item.findString("appliedAt").map(Instant::parse).orElse(null),
                item.findString("undoes").map(ChangeSetId::new).orElse(null),
                item.findString("undoneBy").map(ChangeSetId::new).orElse(null),
                item.findString("retries").map(ChangeSetId::new).orElse(null),
                item.findString("problem").orElse(null));
        return new Stored(
                set,
                (int) item.integer("run"),
                item.findString("preview").orElse(null),
                item.attributes().containsKey("checked"));
    }

    private static int number(Item item, String name) {
        return item.findNumber(name).map(Number::intValue).orElse(0);
    }
}
