package io.menuboard.pricing.webhooks;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.WorkersFixture;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.jspecify.annotations.Nullable;

/** Webhooks on a test's own table, wired as {@link WebhooksFactory} does; any host is this machine. */
final class WebhooksFixture {
    static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

    /** Of who administers, and reads the prices of all stores. */
    static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    final ChangesFixture changes;
    final DynamoWebhooks stored;
    final DynamoDeliveries deliveryItems;
    final Webhooks webhooks;
    final WebhookDeliveries deliveries;
    final WebhookAnnouncer announcer;
    final WebhookReplays replays;
    private final DeliveryRuns runs;

    WebhooksFixture(ChangesFixture changes) {
        this(changes, new SecretCipher(KEY));
    }

    WebhooksFixture(ChangesFixture changes, @Nullable SecretCipher cipher) {
        this.changes = changes;
        stored = new DynamoWebhooks(changes.db, changes.audit);
        deliveryItems = new DynamoDeliveries(changes.db);
        var submission = new DeliverySubmission(deliveryItems, changes.tasks.submission());
        var destinations = new Destinations(_ -> new InetAddress[] {InetAddress.getLoopbackAddress()}, true);
        var client =
                new WebhookClient(destinations, SSLConnectionSocketFactory.getSocketFactory(), Duration.ofSeconds(10));
        var sender = new WebhookSender(client, cipher, changes.clock);
        webhooks = new Webhooks(
                stored,
                new IdempotencyKeys(changes.db, "webhooks"),
                changes.stores,
                destinations,
                cipher,
                changes.clock);
        deliveries = new WebhookDeliveries(
                stored, deliveryItems, changes.tasks.reads(), changes.tasks.administration(), sender, changes.audit);
        announcer = new WebhookAnnouncer(stored, submission, ticker());
        replays = new WebhookReplays(stored, submission, ticker());
        runs = new DeliveryRuns(stored, sender, changes.clock);
    }

    private Ticker ticker() {
        return () ->
                Duration.between(ChangesFixture.NOW, changes.clock.instant()).toNanos();
    }

    TaskWork work() {
        return runs.work(4);
    }

    /** Of an administrator who may read the prices of these stores alone. */
    static Access ofStores(String... stores) {
        var grants = Set.of(Grant.of(Role.ADMINISTRATOR), new Grant(Role.VIEWER, new Scope.Stores(Set.of(stores))));
        return new Access(new Principal("u2", Actor.Kind.USER, "bob", grants), Actor.Source.PAGE);
    }

    /** All stores where none is named. */
    static WebhookSettings settings(String url, String... stores) {
        var selection = stores.length == 0
                ? new StoreSelection.All()
                : new StoreSelection.Listed(
                        Arrays.stream(stores).map(StoreId::new).toList());
        return new WebhookSettings("Partner", WebhookSettings.url(url), selection, Set.of(WebhookEvent.PRICE_UPDATED));
    }

    NewSecret created(String url, String... stores) {
        return made(webhooks.create(GRACE, settings(url, stores), null));
    }

    static NewSecret made(CreateWebhookResult result) {
        if (result instanceof CreateWebhookResult.Created(var made)) {
            return made;
        }
        throw new AssertionError(result);
    }

    Webhook webhook(WebhookId id) {
        return webhooks.find(GRACE, id).orElseThrow();
    }

    /** Announces what is new in the history of prices. */
    void announce(List<ChangeRecord> records) {
        history(records).forEach(announcer::handle);
    }

    static Stream<ChangeRecord> history(List<ChangeRecord> records) {
        return records.stream().filter(record -> record.type().equals(DynamoPriceHistory.TYPE));
    }

    /** Tasks that deliver to it, the latest first. */
    List<Task> tasks(WebhookId id) {
        return deliveries.latest(GRACE, id, 100);
    }

    /** One attempt at a task, here and now. */
    Json attempt(Task task) throws TaskFailed, InterruptedException {
        var payload = changes.tasks.reads().payload(TasksFixture.STAFF, task);
        return Objects.requireNonNull(work().handler().handle(WorkersFixture.run(task.withPayload(payload))));
    }
}
