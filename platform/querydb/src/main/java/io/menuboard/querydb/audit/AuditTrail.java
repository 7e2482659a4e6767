package io.menuboard.querydb.audit;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.NotSaved;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Record of all changes: who made them, when, and through what door. Records expire when their retention ends. They are listed by
 * UTC day; by subject in {@code gsi1}; and where the actor has an id, by person in {@code gsi2}, where those that were written
 * before there was that list are missing.
 */
public final class AuditTrail {

    private static final String TYPE = "audit";
    private static final HexFormat HEX = HexFormat.of();
    private static final String PARTITION = "AUDIT#";
    private static final String TIMES = "times";
    private static final int LATEST = 128;
    private static final int MOST_OF_LATEST = 1024;

    /** Most records that one page of a list leaves out: about 6 MB, 750 read units. */
    static final int MAX_LEFT_OUT = 10_000;

    private final QueryDb db;
    private final Clock clock;
    private final RandomGenerator random;
    private final Settings settings;
    private final int maxLeftOut;

    /**
     * Writes to the table's indexes {@code gsi1} and {@code gsi2}.
     *
     * @param random makes what tells apart records of the same microsecond; thread-safe
     */
    public AuditTrail(QueryDb db, Clock clock, RandomGenerator random, Settings settings) {
        this(db, clock, random, settings, MAX_LEFT_OUT);
    }

    AuditTrail(QueryDb db, Clock clock, RandomGenerator random, Settings settings, int maxLeftOut) {
        this.db = db;
        this.clock = clock;
        this.random = random;
        this.settings = settings;
        this.maxLeftOut = maxLeftOut;
    }

    /**
     * Writes one record of what has just been done; two write units per KB, three where the actor has an id. Throws
     * {@link NotSaved} if that failed.
     *
     * @param subject what was changed, as people of that context list it ({@code STORE#0042}); not blank
     * @param action what was done to it, for people and filters; not blank
     * @param details further facts by name
     */
    public void record(Actor actor, String subject, String action, Map<String, String> details) {
        db.save(item(actor, subject, action, details), SaveMode.ANY);
    }

    /** The same record as part of a transaction, so that there is never the change without its record. */
    public Write write(Actor actor, String subject, String action, Map<String, String> details) {
        return Write.put(item(actor, subject, action, details), SaveMode.ANY);
    }

    /**
     * Counts, in one record for each window, something that anybody can make happen often. However often it does, there is one
     * small item for a subject and window. Two write units. An attempt without an answer is not repeated, so that nothing counts
     * twice: throws {@link NotSaved}, as where it failed otherwise.
     *
     * @param window the same for each subject and action; the record is of its beginning
     */
    public void count(Actor actor, String subject, String action, Duration window) {
        var now = clock.instant();
        var began = Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), window.toMillis()) * window.toMillis());
        var hash = UUID.nameUUIDFromBytes((subject + '#' + action).getBytes(StandardCharsets.UTF_8));
        var place = Key.sortable(began) + '#' + HEX.toHexDigits(hash.getMostSignificantBits());
        var shard = Math.floorMod(subject.hashCode(), settings.shards());
        db.update(Update.of(new Key(day(LocalDate.ofInstant(began, ZoneOffset.UTC), shard), place))
                .type(TYPE)
                .index(PARTITION + subject, place)
                .set("actorKind", actor.kind().name())
                .set("actorName", actor.storedName())
                .set("source", actor.source().name())
                .set("subject", subject)
                .set("action", action)
                .set("details", Map.of())
                .add(TIMES, 1)
                .ttl(began.plus(settings.retention())));
    }

    /** Records of one subject, newest first; half a read unit per 4 KB of page. */
    public Page<AuditRecord> bySubject(String subject, PageRequest page) {
        return list(AuditFilter.of(subject), page);
    }

    /**
     * Records, newest first, without those that only another version can read. Half a read unit per 4 KB of each list that is
     * read: one of a subject; else one for each shard of a person, or of each day. What the filter leaves out of a list is read
     * too.
     *
     * @throws InvalidInput {@code TOO_MANY_RECORDS} where a page would leave out more than 10,000 of them
     */
    public Page<AuditRecord> list(AuditFilter filter, PageRequest page) {
        return list(filter, List.of(), page);
    }

    /** A filter of the same records for as long as somebody reads them: where its days are those until today, it names them. */
    public AuditFilter lasting(AuditFilter filter) {
        return filter.on(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
    }

    /**
     * As {@link #list(AuditFilter, PageRequest)}, with the records of further subjects among those of the filter's.
     *
     * @param related subjects, each a list more to read; for a filter with a subject alone
     */
    public Page<AuditRecord> list(AuditFilter filter, List<String> related, PageRequest page) {
        var queries = queries(filter, related);
        // Not the days: those until today are others tomorrow.
        var list = Stream.concat(filter.parts(), related.stream()).toList();
        if (!filter.leavesOut()) {
            return db.query(list, queries, AuditTrail::read, page);
        }
        return db.query(list, queries, page, () -> wanted(filter));
    }

    /** For one reading of the list: whether there is a page before looks again at what the page has left out. */
    private Function<Item, Optional<AuditRecord>> wanted(AuditFilter filter) {
        var leftOut = new AtomicInteger();
        return item -> {
            var found = db.readable(item, AuditTrail::read).filter(filter::wants);
            if (found.isEmpty() && leftOut.incrementAndGet() > maxLeftOut) {
                throw new InvalidInput(
                        "TOO_MANY_RECORDS",
                        filter.action() == null ? "person" : "action",
                        "leaves out more than " + maxLeftOut
                                + " records before the page is full: choose fewer days, a subject or a person");
            }
            return found;
        };
    }

    /**
     * The latest records of a subject that are of some actions, newest first, of its latest 1,024 records. Half a read unit per
     * 4 KB of what is read.
     */
    public List<AuditRecord> latest(String subject, Set<String> actions, int most) {
        var found = new ArrayList<AuditRecord>();
        var page = bySubject(subject, PageRequest.forward(LATEST, null));
        for (var read = LATEST; ; read += LATEST) {
            page.nodes().stream()
                    .filter(each -> actions.contains(each.action()))
                    .limit(most - found.size())
                    .forEach(found::add);
            if (found.size() == most || read == MOST_OF_LATEST || !page.hasNextPage()) {
                return found;
            }
            page = bySubject(subject, PageRequest.forward(LATEST, page.endCursor()));
        }
    }

    private List<Query> queries(AuditFilter filter, List<String> related) {
        var subject = filter.subject();
        if (subject != null) {
            return Stream.concat(Stream.of(subject), related.stream())
                    .map(each -> within(filter, Query.index("audit by subject", "gsi1", PARTITION + each)))
                    .toList();
        }
        var person = filter.person();
        if (person != null) {
            return IntStream.range(0, settings.shards())
                    .mapToObj(shard -> within(filter, Query.index("audit by person", "gsi2", person(person, shard))))
                    .toList();
        }
        return filter.days(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
                .flatMap(day -> IntStream.range(0, settings.shards())
                        .mapToObj(shard ->
                                Query.table("audit by day", day(day, shard)).reversed()))
                .toList();
    }

    private static Query within(AuditFilter filter, Query all) {
        // An instant sorts behind its day, and before that day with a letter behind T.
        return filter.from() == null && filter.to() == null
                ? all.reversed()
                : all.between(
                                filter.from() == null ? "0" : filter.from().toString(),
                                filter.to() == null ? "A" : filter.to() + "U")
                        .reversed();
    }

    private static String day(LocalDate day, int shard) {
        return PARTITION + day + '#' + shard;
    }

    private static String person(String id, int shard) {
        return "AUDITBY#" + id + '#' + shard;
    }

    private Item item(Actor actor, String subject, String action, Map<String, String> details) {
        if (subject.isBlank() || action.isBlank()) {
            throw new IllegalArgumentException("an audit record needs a subject and an action");
        }
        var now = clock.instant();
        var place = Key.sortable(now) + '#' + HEX.toHexDigits(random.nextLong());
        var shard = random.nextInt(settings.shards());
        var item = Item.at(new Key(day(LocalDate.ofInstant(now, ZoneOffset.UTC), shard), place))
                .type(TYPE)
                .index(PARTITION + subject, place)
                .string("actorKind", actor.kind().name())
                .string("actorName", actor.storedName())
                .string("source", actor.source().name())
                .string("subject", subject)
                .string("action", action)
                .stringMap("details", details)
                .ttl(now.plus(settings.retention()));
        if (actor.id() != null) {
            item.secondIndex(person(actor.id(), shard), place);
        }
        return item.build();
    }

    private static AuditRecord read(Item item) {
        var place = item.key().sort();
        var details = new TreeMap<>(item.stringMap("details"));
        item.findNumber(TIMES).ifPresent(times -> details.put(TIMES, times.toPlainString()));
        return new AuditRecord(
                Instant.parse(place.substring(0, place.indexOf('#'))),
                Actor.read(item.string("actorKind"), item.string("actorName"), item.string("source")),
                item.string("subject"),
                FormerActions.now(item.string("action")),
                Collections.unmodifiableMap(details));
    }

    /**
     * Sharding and retention of records.
     *
     * @param shards partitions that share the records of one UTC day: each takes 1,000 small records a second; at
     *     least 1
     * @param retention how long a record is kept
     */
    public record Settings(int shards, Duration retention) {
        public Settings {
            if (shards < 1 || retention.isNegative() || retention.isZero()) {
                throw new IllegalArgumentException(
                        "the audit trail needs a shard and a retention: " + shards + ", " + retention);
            }
        }
    }
}
