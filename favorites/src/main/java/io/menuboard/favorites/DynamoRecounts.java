package io.menuboard.favorites;

import io.menuboard.favorites.Recount.Difference;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.favorites.Recount.Outcome;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.TaskId;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recounts as items {@code FAVRECOUNT#{id}}/{@code META}, listed in {@code gsi1} under {@code FAVRECOUNTS} by id, and what
 * they found as {@code FAVRECOUNT#{id}}/{@code DRIFT#{restaurant}}. Kept for 90 days.
 */
final class DynamoRecounts {
    private static final String LIST = "FAVRECOUNTS";
    private static final String PARTITION = "FAVRECOUNT#";
    private static final String META = "META";
    private static final String DRIFT = "DRIFT#";
    private static final Duration KEPT = Duration.ofDays(90);
    private static final String TASK = "task";
    private static final String FINISHED_AT = "finishedAt";
    private static final String DRIFTED = "drifted";
    private static final String UNDECIDED = "undecided";
    private static final String OUTCOME = "outcome";
    private static final String FOUND_AT = "foundAt";
    private static final String UNRANKED = "unranked";
    private static final String SEPARATOR = ",";
    private static final int FIELDS = 4;

    /** Outcomes that are noted while a restaurant is corrected; they may also be the last ones. */
    private static final Set<Outcome> ON_THE_WAY = Set.of(Outcome.FOUND, Outcome.BUSY);

    private static final Duration NIGHTS_REMEMBERED = Duration.ofDays(7);
    private static final Duration KEYS_REMEMBERED = Duration.ofDays(1);

    private final QueryDb db;
    private final AuditTrail audit;
    private final Clock clock;
    private final RandomGenerator random;
    private final IdempotencyKeys nights;
    private final IdempotencyKeys keys;

    /** @param random for ids; thread-safe */
    DynamoRecounts(QueryDb db, AuditTrail audit, Clock clock, RandomGenerator random) {
        this.db = db;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
        this.nights = new IdempotencyKeys(db, "favoriteRecount");
        this.keys = new IdempotencyKeys(db, "favoriteRecounts");
    }

    Recount.Id newId() {
        return new Recount.Id(Ulid.random(clock.instant(), random));
    }

    /** The recount of a night: the same for all who ask. One write unit. */
    Recount.Id ofNight(LocalDate night) {
        return new Recount.Id(nights.claim(
                        night.toString(), newId().value(), "", clock.instant().plus(NIGHTS_REMEMBERED))
                .target());
    }

    /**
     * The recount that a key stands for: the same whenever its owner asks with it. One write unit, and a read unit where there is
     * an owner.
     *
     * @param owner id of who asks; null for all of whom no id is known
     */
    OfKey ofKey(@Nullable String owner, String key, Mode mode, @Nullable RestaurantId restaurant) {
        var body = restaurant == null ? mode.name() : mode + " " + restaurant;
        var claim =
                keys.claim(owner, key, newId().value(), body, clock.instant().plus(KEYS_REMEMBERED));
        return new OfKey(new Recount.Id(claim.target()), claim.body().equals(body), claim.claimed());
    }

    /** @param isSame false where the key stands for one that does something else */
    record OfKey(Recount.Id id, boolean isSame, boolean isNew) {}

    /** Progress of a recount of all restaurants. */
    record Cursor(int shard, @Nullable RestaurantId after) {
        static final Cursor BEGIN = new Cursor(0, null);
    }

    /** Creates it, with its audit record, unless it is there. Five write units. */
    void create(Recount.Id id, Mode mode, @Nullable RestaurantId restaurant, Actor by, Instant now) {
        var item = Item.at(key(id))
                .type("favoriteRecount")
                .index(LIST, id.value())
                .string("mode", mode.name())
                .string("actorKind", by.kind().name())
                .string("actorName", by.storedName())
                .string("source", by.source().name())
                .number("requestedAt", now.toEpochMilli())
                .number("checked", 0)
                .number("shard", 0)
                .ttl(now.plus(KEPT));
        if (restaurant != null) {
            item.string("restaurant", restaurant.value());
        }
        var details = Map.of("mode", mode.name(), "restaurant", restaurant == null ? "all" : restaurant.value());
        try {
            db.transact(List.of(
                    Write.put(item.build(), SaveMode.INIT),
                    audit.write(by, "RECOUNT#" + id.value(), "recount begun", details)));
        } catch (ConditionFailed _) {
            // Somebody did at the same time, or the process died before it could say so.
        }
    }

    void setTask(Recount.Id id, TaskId task) {
        db.update(Update.of(key(id)).set(TASK, task.value()));
    }

    /**
     * Notes how far it is, until it is done; going back is possible where two work at once, and then some restaurants are checked
     * again.
     */
    void advance(Recount.Id id, Cursor cursor, long checked) {
        var after = cursor.after();
        try {
            db.update(Update.of(key(id))
                    .set("shard", cursor.shard())
                    .set("checked", checked)
                    .setOrRemove("after", after == null ? null : after.value())
                    .when(Condition.absent(FINISHED_AT)));
        } catch (ConditionFailed _) {
            // Another process took it over and is done.
        }
    }

    /** Notes that it is done, unless it is. */
    void finish(Recount.Id id, long checked, Instant now) {
        // Also what was saved just now.
        var found = found(id, Consistency.STRONG);
        try {
            db.update(Update.of(key(id))
                    .set("checked", checked)
                    .set(DRIFTED, found.drifted())
                    .set(UNDECIDED, found.undecided())
                    .set(FINISHED_AT, now.toEpochMilli())
                    .when(Condition.absent(FINISHED_AT)));
        } catch (ConditionFailed _) {
            // Another process took it over and is done.
        }
    }

    /** Numbers of restaurants. */
    private record Found(long drifted, long undecided) {}

    private Found found(Recount.Id id, Consistency consistency) {
        try (var all = db.all(drifts(id).attributes(OUTCOME), consistency)) {
            var outcomes = all.flatMap(item -> db.readable(item, DynamoRecounts::outcome).stream())
                    .toList();
            var drifted = outcomes.stream().filter(Outcome::isDecided).count();
            return new Found(drifted, outcomes.size() - drifted);
        }
    }

    Optional<Cursor> cursor(Recount.Id id) {
        return db.get(key(id), Consistency.STRONG)
                .map(item -> db.read(
                        item,
                        place -> new Cursor(
                                (int) place.integer("shard"),
                                place.findString("after").map(RestaurantId::new).orElse(null))));
    }

    /** One read unit for it, and, until it is done, half a unit for each 4 KB of what it found. */
    Optional<Recount> find(Recount.Id id) {
        return db.get(key(id), Consistency.STRONG).map(item -> db.read(item, this::recount));
    }

    /** Those of them that there are; each costs as {@link #find} does. */
    List<Recount> findAll(List<Recount.Id> ids) {
        return db.getBatch(ids.stream().map(DynamoRecounts::key).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, this::recount))
                .toList();
    }

    /** Those that have begun and are not done cost as {@link #find} does, the others nothing but the list. */
    Page<Recount> list(PageRequest page) {
        return db.query(newestFirst(), item -> recount(item, hasBegun(item)), page);
    }

    /** False also for one that has checked its first restaurants and has not noted it yet. */
    private static boolean hasBegun(Item item) {
        return item.integer("checked") > 0
                || item.integer("shard") > 0
                || item.findString("after").isPresent();
    }

    /** The newest one of all restaurants that is done, however many of single ones there were since. */
    Optional<Recount> lastOfAll() {
        try (var all = db.all(newestFirst())) {
            return all.filter(item -> item.findString("restaurant").isEmpty()
                            && item.findNumber(FINISHED_AT).isPresent())
                    .flatMap(item -> db.readable(item, this::recount).stream())
                    .findFirst();
        }
    }

    /**
     * Those that have neither a task nor an end, by when they were asked for. Half a read unit for each 4 KB of all of that time,
     * some fifteen recounts.
     */
    List<Recount.Id> withoutTask(Instant from, Instant to) {
        try (var all = db.all(list().between(Ulid.earliest(from), Ulid.earliest(to)))) {
            return all.filter(item -> item.findString(TASK).isEmpty()
                            && item.findNumber(FINISHED_AT).isEmpty())
                    .map(DynamoRecounts::id)
                    .toList();
        }
    }

    private static Query newestFirst() {
        return list().reversed();
    }

    private static Query list() {
        return Query.index("favorite recounts", "gsi1", LIST);
    }

    /**
     * Keeps what was found of a restaurant, in place of what was kept of it, unless that was found later and is corrected.
     *
     * @param unranked days, weeks and months in which it is about to be ranked anew; empty once it is
     */
    void save(Recount.Id id, Drift drift, Collection<Span> unranked, Instant now) {
        var foundAt = drift.foundAt().toEpochMilli();
        var item = Item.at(new Key(partition(id), DRIFT + drift.restaurant()))
                .type("favoriteDrift")
                .number(FOUND_AT, foundAt)
                .number("notCounted", drift.notCounted())
                .number("gone", drift.gone())
                .strings(
                        "differences",
                        drift.differences().stream()
                                .map(one ->
                                        one.window() + " " + one.ranked() + " " + one.counted() + " " + one.recounted())
                                .toList())
                .string(OUTCOME, drift.outcome().name())
                .string(
                        UNRANKED,
                        unranked.stream()
                                .map(span -> span.window() + " " + span.first())
                                .collect(Collectors.joining(SEPARATOR)))
                .ttl(now.plus(KEPT))
                .build();
        try {
            db.save(
                    item,
                    Condition.equal(OUTCOME, Outcome.CORRECTED.name()).not().or(Condition.atMost(FOUND_AT, foundAt)));
        } catch (ConditionFailed _) {
            // Another process took the recount over, and has corrected it.
        }
    }

    /** A drift that was perhaps corrected, and the days, weeks and months in which it was perhaps not ranked anew. */
    record Unfinished(Drift drift, List<Span> unranked) {}

    /** What a recount that corrects may have been cut off at. A read unit for each 4 KB of what was found so far. */
    List<Unfinished> unfinished(Recount.Id id) {
        try (var all = db.all(drifts(id), Consistency.STRONG)) {
            return all.flatMap(item -> db.readable(item, DynamoRecounts::unfinished).stream())
                    .filter(one -> !one.unranked().isEmpty()
                            || ON_THE_WAY.contains(one.drift().outcome()))
                    .toList();
        }
    }

    private static Unfinished unfinished(Item item) {
        return new Unfinished(
                drift(item),
                item.findString(UNRANKED).filter(text -> !text.isEmpty()).stream()
                        .flatMap(text -> Arrays.stream(text.split(SEPARATOR, -1)))
                        .map(DynamoRecounts::span)
                        .toList());
    }

    private static Span span(String text) {
        var blank = text.indexOf(' ');
        return Span.on(FavoriteWindow.valueOf(text.substring(0, blank)), LocalDate.parse(text.substring(blank + 1)));
    }

    private static RestaurantId restaurant(Item drift) {
        return new RestaurantId(drift.key().sort().substring(DRIFT.length()));
    }

    Page<Drift> drifts(Recount.Id id, PageRequest page) {
        return db.query(drifts(id), DynamoRecounts::drift, page);
    }

    private static Query drifts(Recount.Id id) {
        return Query.table("favorite drifts", partition(id)).beginsWith(DRIFT);
    }

    private static Key key(Recount.Id id) {
        return new Key(partition(id), META);
    }

    private static String partition(Recount.Id id) {
        return PARTITION + id;
    }

    private static Recount.Id id(Item item) {
        return new Recount.Id(item.key().partition().substring(PARTITION.length()));
    }

    private Recount recount(Item item) {
        return recount(item, true);
    }

    /** @param mayHaveFound false where there is no need to look what one that is not done has found so far */
    private Recount recount(Item item, boolean mayHaveFound) {
        var id = id(item);
        var found = item.findNumber(DRIFTED)
                .map(drifted -> new Found(
                        drifted.longValue(),
                        item.findNumber(UNDECIDED).map(BigDecimal::longValue).orElse(0L)))
                .orElseGet(() -> mayHaveFound ? found(id, Consistency.EVENTUAL) : new Found(0, 0));
        return new Recount(
                id,
                Mode.valueOf(item.string("mode")),
                item.findString("restaurant").map(RestaurantId::new).orElse(null),
                Actor.read(item.string("actorKind"), item.string("actorName"), item.string("source")),
                Instant.ofEpochMilli(item.integer("requestedAt")),
                item.findString(TASK).map(TaskId::new).orElse(null),
                item.integer("checked"),
                found.drifted(),
                found.undecided(),
                item.findNumber(FINISHED_AT)
                        .map(at -> Instant.ofEpochMilli(at.longValue()))
                        .orElse(null));
    }

    private static Drift drift(Item item) {
        return new Drift(
                restaurant(item),
                Instant.ofEpochMilli(item.integer(FOUND_AT)),
                item.integer("notCounted"),
                item.integer("gone"),
                item.strings("differences").stream()
                        .map(DynamoRecounts::difference)
                        .toList(),
                outcome(item));
    }

    private static Outcome outcome(Item drift) {
        return Outcome.valueOf(drift.string(OUTCOME));
    }

    private static Difference difference(String text) {
        List<String> fields = Arrays.asList(text.split(" ", FIELDS));
        return new Difference(
                FavoriteWindow.valueOf(fields.get(0)),
                Long.parseLong(fields.get(1)),
                Long.parseLong(fields.get(2)),
                Long.parseLong(fields.get(3)));
    }
}
