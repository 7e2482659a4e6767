package io.menuboard.pricing.events;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Progress of replays of price events, as items {@code EVENTREPLAY#{task}}/{@code META}. */
final class DynamoEventReplays {
    private static final String AUDITED = "PRICE-EVENTS";
    private static final String LAST = "last";

    /** Longer than a task, so that one that is retried late does not begin again. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoEventReplays(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /**
     * Progress of one replay.
     *
     * @param last of the stores that are done; null for none
     * @param stores how many are done
     * @param events how many were published for them
     */
    record Progress(@Nullable StoreId last, long stores, long events, boolean finished) {}

    /** One read unit. */
    Optional<Progress> find(TaskId task) {
        return db.get(key(task), Consistency.STRONG)
                .map(replay -> db.read(
                        replay,
                        item -> new Progress(
                                item.findString(LAST).map(StoreId::new).orElse(null),
                                item.integer("stores"),
                                item.integer("events"),
                                item.flag("finished"))));
    }

    /** Five write units, with the audit record; more for ids of more than some hundred stores. */
    Progress begin(TaskId task, ReplayPriceEvents command, Actor actor, Instant now) {
        var begun = new Progress(null, 0, 0, false);
        var stores = command.stores() instanceof StoreSelection.Listed(var ids)
                ? ids.stream().map(StoreId::value).collect(Collectors.joining(" "))
                : "all";
        var details = new HashMap<>(Map.of(
                "task", task.value(),
                "stores", stores,
                "from", command.from().toString(),
                "to", command.to().toString()));
        if (command.webhook() != null) {
            details.put("webhook", command.webhook());
        }
        db.transact(List.of(
                Write.put(item(task, begun, now), SaveMode.ANY), audit.write(actor, AUDITED, "replay begun", details)));
        return begun;
    }

    /** One write unit. */
    void save(TaskId task, Progress progress, Instant now) {
        db.save(item(task, progress, now), SaveMode.ANY);
    }

    /** Five write units, with the audit record. */
    Progress finish(TaskId task, Progress progress, Actor actor, Instant now) {
        var finished = new Progress(progress.last(), progress.stores(), progress.events(), true);
        db.transact(List.of(
                Write.put(item(task, finished, now), SaveMode.ANY),
                audit.write(
                        actor,
                        AUDITED,
                        "replay finished",
                        Map.of(
                                "task", task.value(),
                                "stores", Long.toString(progress.stores()),
                                "events", Long.toString(progress.events())))));
        return finished;
    }

    private static Key key(TaskId task) {
        return new Key("EVENTREPLAY#" + task, "META");
    }

    private static Item item(TaskId task, Progress progress, Instant now) {
        var item = Item.at(key(task))
                .type("eventReplay")
                .number("stores", progress.stores())
                .number("events", progress.events())
                .flag("finished", progress.finished())
                .ttl(now.plus(KEPT));
        if (progress.last() != null) {
            item.string(LAST, progress.last().value());
        }
        return item.build();
    }
}
