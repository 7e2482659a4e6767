package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.webhooks.StoredWebhook.OldSecret;
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
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Webhooks as items {@code WEBHOOKS}/{@code {id}}: all in one partition, so that one Query reads them. One that is deleted leaves
 * {@code WEBHOOK#{id}}/{@code DELETED} for a while, so that no request that comes late makes it again.
 */
final class DynamoWebhooks {
    private static final String PARTITION = "WEBHOOKS";
    private static final String NAME = "name";
    private static final String URL = "url";
    private static final String STORES = "stores";
    private static final String EVENTS = "events";
    private static final String SECRET = "secret";
    private static final String OLD_SECRETS = "oldSecrets";
    private static final String FAILING_SINCE = "failingSince";
    private static final String FAILED_AT = "failedAt";
    private static final String OFF = "off";
    private static final String OFF_DETAILS = "offDetails";
    private static final String OFF_AT = "offAt";

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoWebhooks(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /** Strongly consistent: one read unit per 4 KB. */
    Optional<StoredWebhook> find(WebhookId id) {
        return db.get(key(id), Consistency.STRONG).map(item -> db.read(item, DynamoWebhooks::stored));
    }

    /** All that this version can read, as they were made; strongly consistent: one Query, one read unit per 4 KB. */
    List<Webhook> all() {
        try (var items = db.all(Query.table("webhooks", PARTITION), Consistency.STRONG)) {
            return items.flatMap(item -> db.readable(item, DynamoWebhooks::stored).stream())
                    .map(StoredWebhook::webhook)
                    .toList();
        }
    }

    /** False where there is one with that id, or was until it was deleted. A transaction, as all changes but those of deliveries. */
    boolean create(StoredWebhook stored, WebhookChange change) {
        var webhook = stored.webhook();
        var item = Item.at(key(webhook.id()))
                .type("webhook")
                .string(NAME, webhook.name())
                .string(URL, webhook.settings().url().toString())
                .strings(STORES, stores(webhook.settings()))
                .strings(EVENTS, events(webhook.settings()))
                .string("createdBy", webhook.createdBy().text())
                .number("createdAt", webhook.createdAt().toEpochMilli())
                .string(SECRET, stored.secret())
                .strings(OLD_SECRETS, List.of());
        return isWritten(
                List.of(
                        Write.put(item.build(), SaveMode.INIT),
                        Write.check(deletedKey(webhook.id()), Condition.absent())),
                webhook.id(),
                change);
    }

    /**
     * False where it is gone, or its name, address or stores are others by now. Its events are written where they change alone: it may be told
     * of some that only a newer version knows. What an address did is nothing that another one has failed at.
     */
    boolean update(Webhook before, WebhookSettings settings, WebhookChange change) {
        var known = before.settings();
        var update = Update.of(key(before.id()))
                .set(NAME, settings.name())
                .set(URL, settings.url().toString())
                .set(STORES, stores(settings))
                .when(Condition.equal(NAME, known.name())
                        .and(Condition.equal(URL, known.url().toString()))
                        .and(Condition.equal(STORES, stores(known))));
        if (!settings.url().equals(known.url())) {
            update = update.remove(FAILING_SINCE, FAILED_AT);
        }
        return isWritten(
                settings.events().equals(known.events()) ? update : update.set(EVENTS, events(settings)),
                before.id(),
                change);
    }

    /** False where the secret is another one by now. */
    boolean rotate(StoredWebhook before, String secret, List<OldSecret> oldSecrets, WebhookChange change) {
        var id = before.webhook().id();
        return isWritten(
                Update.of(key(id))
                        .set(SECRET, secret)
                        .set(
                                OLD_SECRETS,
                                oldSecrets.stream().map(OldSecret::text).toList())
                        .when(Condition.equal(SECRET, before.secret())),
                id,
                change);
    }

    /**
     * Switches it off for what its address did. False where there is none, it is off, it has another address, or is not failing since
     * then any more.
     *
     * @param failingSince null where that does not matter
     */
    boolean switchOff(Webhook webhook, Webhook.Off off, @Nullable Instant failingSince, WebhookChange change) {
        var isThere = hasAddressOf(webhook);
        return switchOff(
                webhook.id(), off, failingSince == null ? isThere : isThere.and(isFailingSince(failingSince)), change);
    }

    /** False where there is none, or it is off. */
    boolean switchOff(WebhookId id, Webhook.Off off, WebhookChange change) {
        return switchOff(id, off, Condition.exists(), change);
    }

    private boolean switchOff(WebhookId id, Webhook.Off off, Condition condition, WebhookChange change) {
        return isWritten(
                Update.of(key(id))
                        .set(OFF, off.reason().name())
                        .set(OFF_DETAILS, off.details())
                        .set(OFF_AT, off.at().toEpochMilli())
                        .when(condition.and(Condition.absent(OFF))),
                id,
                change);
    }

    /** False where there is none, or it is on. */
    boolean switchOn(WebhookId id, WebhookChange change) {
        return isWritten(
                Update.of(key(id))
                        .remove(OFF, OFF_DETAILS, OFF_AT, FAILING_SINCE, FAILED_AT)
                        .when(Condition.exists(OFF)),
                id,
                change);
    }

    /**
     * False where there is none.
     *
     * @param until how long it cannot be made again
     */
    boolean delete(WebhookId id, Instant until, WebhookChange change) {
        var deleted = Item.at(deletedKey(id)).type("deletedWebhook").ttl(until);
        return isWritten(
                List.of(Write.delete(key(id), Condition.exists()), Write.put(deleted.build(), SaveMode.ANY)),
                id,
                change);
    }

    /**
     * Remembers that deliveries fail from now on, unless they do since another time than was read, or it has another address. One
     * write unit per KB.
     */
    void failing(Webhook webhook, Instant now) {
        var since = webhook.failingSince();
        apply(Update.of(key(webhook.id()))
                .set(FAILING_SINCE, now.toEpochMilli())
                .set(FAILED_AT, now.toEpochMilli())
                .when(hasAddressOf(webhook)
                        .and(since == null ? Condition.absent(FAILING_SINCE) : isFailingSince(since))));
    }

    /** Remembers that deliveries still fail, if they do since that time and it has the same address. One write unit per KB. */
    void stillFailing(Webhook webhook, Instant since, Instant now) {
        apply(Update.of(key(webhook.id()))
                .set(FAILED_AT, now.toEpochMilli())
                .when(hasAddressOf(webhook).and(isFailingSince(since))));
    }

    /** Forgets since when deliveries fail, if it has the same address. One write unit per KB. */
    void succeeded(Webhook webhook) {
        apply(Update.of(key(webhook.id()))
                .remove(FAILING_SINCE, FAILED_AT)
                .when(hasAddressOf(webhook).and(Condition.exists(FAILING_SINCE))));
    }

    /** What one address did says nothing of another one. */
    private static Condition hasAddressOf(Webhook webhook) {
        return Condition.equal(URL, webhook.settings().url().toString());
    }

    private static Condition isFailingSince(Instant since) {
        return Condition.equal(FAILING_SINCE, since.toEpochMilli());
    }

    private void apply(Update update) {
        try {
            db.update(update, _ -> true);
        } catch (ConditionFailed _) {
            // Another delivery has done it, or the webhook is gone, or has another address.
        }
    }

    private boolean isWritten(Write write, WebhookId id, WebhookChange change) {
        return isWritten(List.of(write), id, change);
    }

    private boolean isWritten(List<Write> writes, WebhookId id, WebhookChange change) {
        var all = new ArrayList<>(writes);
        all.add(audit.write(change.actor(), subject(id), change.action(), change.details()));
        try {
            db.transact(all);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    static String subject(WebhookId id) {
        return "WEBHOOK#" + id;
    }

    private static Key key(WebhookId id) {
        return new Key(PARTITION, id.value());
    }

    private static Key deletedKey(WebhookId id) {
        return new Key("WEBHOOK#" + id, "DELETED");
    }

    /** Empty for all. */
    private static List<String> stores(WebhookSettings settings) {
        return settings.stores() instanceof StoreSelection.Listed(var listed)
                ? listed.stream().map(StoreId::value).toList()
                : List.of();
    }

    private static List<String> events(WebhookSettings settings) {
        return settings.events().stream().map(Enum::name).sorted().toList();
    }

    private static StoredWebhook stored(Item item) {
        var stores = item.strings(STORES);
        var settings = new WebhookSettings(
                item.string(NAME),
                URI.create(item.string(URL)),
                stores.isEmpty()
                        ? new StoreSelection.All()
                        : new StoreSelection.Listed(
                                stores.stream().map(StoreId::new).toList()),
                events(item));
        var oldSecrets = item.strings(OLD_SECRETS).stream().map(OldSecret::of).toList();
        var failingSince = instant(item, FAILING_SINCE);
        var webhook = new Webhook(
                new WebhookId(item.key().sort()),
                settings,
                Actor.parse(item.string("createdBy")),
                Instant.ofEpochMilli(item.integer("createdAt")),
                oldSecrets.stream()
                        .map(OldSecret::until)
                        .max(Instant::compareTo)
                        .orElse(null),
                failingSince,
                failingSince == null ? null : failedAt(item, failingSince),
                off(item));
        return new StoredWebhook(webhook, item.string(SECRET), oldSecrets);
    }

    /** An earlier version remembers the first failure alone, and may leave the last one of an earlier time. */
    private static Instant failedAt(Item item, Instant failingSince) {
        var last = instant(item, FAILED_AT);
        return last == null || last.isBefore(failingSince) ? failingSince : last;
    }

    private static Set<WebhookEvent> events(Item item) {
        var events = EnumSet.noneOf(WebhookEvent.class);
        var wanted = item.strings(EVENTS);
        // Those that only a newer version knows, that version tells it of.
        Stream.of(WebhookEvent.values())
                .filter(event -> wanted.contains(event.name()))
                .forEach(events::add);
        return events;
    }

    private static Webhook.@Nullable Off off(Item item) {
        return item.findString(OFF)
                .map(reason -> new Webhook.Off(
                        Webhook.Reason.valueOf(reason),
                        item.string(OFF_DETAILS),
                        Instant.ofEpochMilli(item.integer(OFF_AT))))
                .orElse(null);
    }

    private static @Nullable Instant instant(Item item, String name) {
        return item.findNumber(name)
                .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                .orElse(null);
    }
}
