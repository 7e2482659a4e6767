package io.menuboard.pricing.changes;

import static io.menuboard.pricing.changes.DynamoChangeSetItems.APPROVAL;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.BY_CANCEL;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.CHECKED;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.EVENTS;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.RUN;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.STATUS;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.TASK;
import static io.menuboard.pricing.changes.DynamoChangeSetItems.TOKEN;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.approvals.DynamoApprovalQueue;
import io.menuboard.pricing.changes.ChangeSet.Transition;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.rules.ChangeRule;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Change sets as items {@code CHANGESET#{id}}/{@code META}, listed in {@code gsi1} under {@code CHANGESETS} by id. They
 * expire with the history that they made, or that what waits for its time is yet to make.
 */
final class DynamoChangeSets {
    static final String META = "META";
    private static final String INDEX = "gsi1";
    private static final String ALL = "CHANGESETS";
    /** Before and after all ids. */
    private static final String FIRST = "0";

    private static final String BEYOND = "8";

    private final QueryDb db;
    private final DynamoChangeRules rules;
    private final DynamoChangeSetItems items;
    private final Duration keptFor;
    private final DynamoChangeSetAudit audit;

    /** @param shards of new sets that are large, and of old ones whose items do not say how many they have */
    DynamoChangeSets(QueryDb db, int shards, Duration keptFor, DynamoChangeSetAudit audit) {
        this.db = db;
        rules = new DynamoChangeRules(db, keptFor);
        items = new DynamoChangeSetItems(shards);
        this.keptFor = keptFor;
        this.audit = audit;
    }

    /** Partitions that share the lines of a new set that is large. */
    int shards() {
        return items.shards();
    }

    /** Rules of the sets. */
    DynamoChangeRules rules() {
        return rules;
    }

    /**
     * Writes a new one, rules first, unless somebody else has. One write unit per KB of rules, three for the set, whose
     * item has short rules itself, and three for its audit record, four where it has an actor with an id.
     *
     * @return false where there is one with its id already
     */
    boolean create(ChangeSet set, List<ChangeRule> rules) {
        try {
            db.transact(creating(set, this.rules.save(set, rules)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Writes a new one whose rules are kept, if it has any, together with something else; or throws {@link ConditionFailed}. */
    void create(ChangeSet set, Write together) {
        var writes = new ArrayList<>(creating(set, List.of()));
        writes.add(together);
        db.transact(writes);
    }

    private List<Write> creating(ChangeSet set, List<String> inSet) {
        var meta = Item.at(meta(set.id()))
                .type("changeSet")
                .index(ALL, set.id().value())
                .string("name", set.name())
                .string("reason", set.reason())
                .string("actor", set.actor().text())
                .string(STATUS, set.status().name())
                .number(RUN, set.run())
                .ttl(DynamoChangeSetItems.gone(set, keptFor));
        if (!inSet.isEmpty()) {
            meta.strings(DynamoChangeRules.RULES, inSet);
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
        var preview = set.data().preview();
        if (preview != null) {
            meta.string("preview", preview.id())
                    .string(TOKEN, preview.id())
                    .number("shards", preview.shards())
                    .string("summary", preview.summary().text());
        }
        return List.of(Write.put(meta.build(), SaveMode.INIT), audit.drafted(set));
    }

    /** @throws io.menuboard.querydb.UnreadableItem where another version wrote it and this one cannot read it */
    Optional<ChangeSet> find(ChangeSetId id, Consistency consistency) {
        return db.get(meta(id), consistency).map(this::read);
    }

    /** Those of many that there are, strongly consistent. */
    List<ChangeSet> findAll(List<ChangeSetId> ids) {
        return db.getBatch(ids.stream().map(DynamoChangeSets::meta).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(this::read)
                .toList();
    }

    /** The set of that id, which there must be; strongly consistent. */
    ChangeSet now(ChangeSetId id) {
        return find(id, Consistency.STRONG).orElseThrow();
    }

    /** Author and reason of the changes of that set; empty where it is not kept any more. */
    Optional<Attribution> attribution(ChangeSetId id) {
        return find(id, Consistency.EVENTUAL).map(set -> set.data().attribution());
    }

    /** So many of the newest that this version can read. */
    List<ChangeSet> newest(int count) {
        return list(PageRequest.forward(count, null)).nodes();
    }

    /** Newest first, those that this version can read. */
    Page<ChangeSet> list(PageRequest page) {
        return db.query(Query.index("changeSets", INDEX, ALL).reversed(), items::set, page);
    }

    /**
     * The same, of those made in a time, without those that the filter leaves out.
     *
     * @param from of those made then or later; null for all
     * @param until of those made earlier; null for all
     * @param filter depends on the set alone
     */
    Page<ChangeSet> list(
            @Nullable Instant from, @Nullable Instant until, Predicate<ChangeSet> filter, PageRequest page) {
        var query = Query.index("changeSets", INDEX, ALL)
                .between(from == null ? FIRST : Ulid.earliest(from), until == null ? BEYOND : Ulid.earliest(until))
                .reversed();
        return db.query(
                List.of(query), page, item -> db.readable(item, items::set).filter(filter));
    }

    /**
     * Saves a transition; empty where the set is not in the state any more that it leaves.
     *
     * @return the set as it is then
     */
    <T extends ChangeSet> Optional<T> save(Transition<T> transition) {
        var to = transition.to();
        try {
            var writes = writes(transition);
            if (writes.size() == 1) {
                db.update(update(transition), item -> isSame(read(item), to));
            } else {
                db.transact(writes);
            }
            return Optional.of(to);
        } catch (ConditionFailed _) {
            return Optional.empty();
        }
    }

    /** The write that keeps the queue of what waits for approval; null where that stays as it is. */
    private @Nullable Write queueing(Transition<?> transition) {
        var set = transition.to();
        if (isWaiting(set) == isWaiting(transition.from())) {
            return null;
        }
        return isWaiting(set)
                ? DynamoApprovalQueue.add(
                        set.id(),
                        Objects.requireNonNull(set.approval()).requestedAt(),
                        DynamoChangeSetItems.gone(set, keptFor))
                : DynamoApprovalQueue.remove(set.id());
    }

    private static boolean isWaiting(ChangeSet set) {
        var approval = set instanceof ChangeSet.Previewed ? set.approval() : null;
        return approval != null && approval.decision() == null;
    }

    /** The same change, as parts of a transaction: with its audit record, where it has one, and its place in the queue. */
    List<Write> writes(Transition<?> transition) {
        var writes = new ArrayList<Write>();
        writes.add(update(transition));
        audit.of(transition).ifPresent(writes::add);
        var queue = queueing(transition);
        if (queue != null) {
            writes.add(queue);
        }
        return writes;
    }

    private Update update(Transition<?> transition) {
        var from = transition.from();
        var to = transition.to();
        var data = to.data();
        var update = Update.of(meta(to.id()))
                .set(STATUS, stored(to))
                .set(RUN, data.run())
                .ttl(DynamoChangeSetItems.gone(to, keptFor))
                .setOrRemove(TOKEN, to.token())
                .setOrRemove(TASK, to.task() == null ? null : to.task().value())
                .setOrRemove(CHECKED, isChecked(to) ? "yes" : null)
                .setOrRemove("problem", data.problem());
        if (to instanceof ChangeSet.Ended ended && ended.byCancel()) {
            update = update.set(BY_CANCEL, "yes");
        }
        var preview = data.preview();
        if (preview != null && !preview.summary().equals(from.summary())) {
            update = update.set("summary", preview.summary().text());
        }
        var before = from.data().preview();
        if (preview != null && (before == null || !preview.id().equals(before.id()))) {
            update = update.set("preview", preview.id()).set("shards", preview.shards());
        }
        var date = data.effectiveDate();
        if (date != null && !date.equals(from.effectiveDate())) {
            update = update.set("effectiveDate", date.toString());
        }
        if (to instanceof ChangeSet.Scheduled || to instanceof ChangeSet.Ended) {
            update = update.set("failed", data.unwritten());
        }
        if (data.takenBack() > 0) {
            update = update.set("takenBack", data.takenBack());
        }
        if (to.appliedAt() != null) {
            update = update.set("appliedAt", to.appliedAt().toString());
        }
        if (data.events().size() > from.data().events().size()) {
            // Whole, as nothing else writes it while the set is still as it was read.
            update = update.set(EVENTS, data.events().stream().map(Event::text).toList());
        }
        var approval = DynamoChangeSetItems.cells(preview);
        update = approval == null ? update.remove(APPROVAL) : update.set(APPROVAL, approval);
        var overtaken = data.overtaken() - from.data().overtaken();
        return (overtaken == 0 ? update : update.add("overtaken", overtaken)).when(isStill(from, to));
    }

    /** Holds while nobody has begun anything with the set, or asked or said anything about its preview, since it was read. */
    private static Condition isStill(ChangeSet from, ChangeSet to) {
        var condition = Condition.equal(RUN, from.run()).and(Condition.equal(STATUS, stored(from)));
        return switch (from) {
            case ChangeSet.Draft _ -> condition.and(Condition.absent(TOKEN));
            case ChangeSet.Previewed previewed ->
                condition.and(Condition.equal(TOKEN, previewed.token())).and(isStillApproved(previewed));
            // Lines may have been written since another worker of the same task has checked them.
            case ChangeSet.Applying applying
            when !applying.isChecked() && to instanceof ChangeSet.Draft -> condition.and(Condition.absent(CHECKED));
            case ChangeSet.Applying _, ChangeSet.Scheduled _, ChangeSet.Ended _ -> condition;
        };
    }

    /** Holds while nobody has asked or said anything about the preview since. */
    private static Condition isStillApproved(ChangeSet.Previewed from) {
        var cells = DynamoChangeSetItems.cells(from.data().preview());
        return cells == null
                ? Condition.absent(APPROVAL)
                        .or(Condition.contains(APPROVAL, from.token()).not())
                : Condition.equal(APPROVAL, cells);
    }

    /** True where a set is as a transition has left it, which nothing else leads to. */
    private static boolean isSame(ChangeSet now, ChangeSet to) {
        return now.run() == to.run()
                && stored(now).equals(stored(to))
                && Objects.equals(now.token(), to.token())
                && Objects.equals(now.task(), to.task())
                && Objects.equals(now.approval(), to.approval())
                && isChecked(now) == isChecked(to)
                && Objects.equals(now.problem(), to.problem());
    }

    private static String stored(ChangeSet set) {
        return set instanceof ChangeSet.Scheduled
                ? ChangeSetStatus.SCHEDULED.name()
                : set.status().name();
    }

    private static boolean isChecked(ChangeSet set) {
        return set instanceof ChangeSet.Applying applying && applying.isChecked();
    }

    /** Records that other sets have overtaken so many more of its lines; fewer where that is negative. */
    static Write overtaken(ChangeSetId id, int more) {
        return Update.of(meta(id)).add("overtaken", more).when(Condition.exists());
    }

    /**
     * Writes that mark the set as undone which this one puts back; where that one had put back a third, mark that the third
     * is in effect again; and so on. Each has its audit record behind it.
     *
     * @param by applies this one
     */
    List<Write> undoing(ChangeSet set, Actor by) {
        var marks = new ArrayList<Write>();
        var isUndone = true;
        for (var next = set.undoes(); next != null; isUndone = !isUndone) {
            var found = find(next, Consistency.STRONG);
            if (found.isEmpty()) {
                break;
            }
            marks.add(isUndone ? undone(next, set.id()) : restored(found.get(), set.id()));
            marks.add(isUndone ? audit.undone(found.get(), set, by) : audit.restored(found.get(), set, by));
            next = found.get().undoes();
        }
        return marks;
    }

    /** Makes {@linkplain #undoing these marks}, once. */
    void markUndone(ChangeSet set, Actor by) {
        var marks = undoing(set, by);
        for (var next = 0; next < marks.size(); next += 2) {
            try {
                db.transact(marks.subList(next, next + 2));
            } catch (ConditionFailed _) {
                // It has expired, or this was done before.
            }
        }
    }

    private static Write undone(ChangeSetId undone, ChangeSetId by) {
        return Update.of(meta(undone))
                .set(STATUS, ChangeSetStatus.UNDONE.name())
                .set("undoneBy", by.value())
                .when(Condition.exists()
                        .and(Condition.equal("undoneBy", by.value()).not()));
    }

    private static Write restored(ChangeSet restored, ChangeSetId by) {
        return Update.of(meta(restored.id()))
                .set(STATUS, statusOf(restored).name())
                .set("restoredBy", by.value())
                .remove("undoneBy")
                .when(Condition.exists()
                        .and(Condition.equal("restoredBy", by.value()).not()));
    }

    /** What one is that is in effect again. */
    static ChangeSetStatus statusOf(ChangeSet restored) {
        return restored.data().missing().count() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
    }

    static String partition(ChangeSetId id) {
        return "CHANGESET#" + id;
    }

    private static Key meta(ChangeSetId id) {
        return new Key(partition(id), META);
    }

    private ChangeSet read(Item item) {
        return db.read(item, items::set);
    }
}
