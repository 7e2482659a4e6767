package io.menuboard.querydb.audit;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.NotSaved;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Record of all changes: who made them, when, and through what door. Records are only ever added, and expire when their retention ends. */
public final class AuditTrail {

    private static final String TYPE = "audit";
    private static final HexFormat HEX = HexFormat.of();

    private final QueryDb db;
    private final Clock clock;
    private final RandomGenerator random;
    private final Settings settings;

    /**
     * Writes to the table's index {@code gsi1}.
     *
     * @param random makes what tells apart records of the same microsecond; thread-safe
     */
    public AuditTrail(QueryDb db, Clock clock, RandomGenerator random, Settings settings) {
        this.db = db;
        this.clock = clock;
        this.random = random;
        this.settings = settings;
    }

    /**
     * Writes one record of what has just been done; two write units per KB. Throws {@link NotSaved} if that failed.
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

    /** Records of one subject, newest first; half a read unit per 4 KB of page. */
    public Page<AuditRecord> bySubject(String subject, PageRequest page) {
        return db.query(
                        Query.index("audit by subject", "gsi1", "AUDIT#" + subject)
                                .reversed(),
                        page)
                .map(AuditTrail::read);
    }

    private Item item(Actor actor, String subject, String action, Map<String, String> details) {
        if (subject.isBlank() || action.isBlank()) {
            throw new IllegalArgumentException("an audit record needs a subject and an action");
        }
        var now = clock.instant();
        var place = Key.sortable(now) + '#' + HEX.toHexDigits(random.nextLong());
        var day = "AUDIT#" + LocalDate.ofInstant(now, ZoneOffset.UTC) + '#' + random.nextInt(settings.shards());
        return Item.at(new Key(day, place))
                .type(TYPE)
                .index("AUDIT#" + subject, place)
                .string("actorKind", actor.kind().name())
                .string("actorName", actor.storedName())
                .string("source", actor.source().name())
                .string("subject", subject)
                .string("action", action)
                .stringMap("details", details)
                .ttl(now.plus(settings.retention()))
                .build();
    }

    private static AuditRecord read(Item item) {
        var place = item.key().sort();
        return new AuditRecord(
                Instant.parse(place.substring(0, place.indexOf('#'))),
                Actor.read(item.string("actorKind"), item.string("actorName"), item.string("source")),
                item.string("subject"),
                item.string("action"),
                item.stringMap("details"));
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
