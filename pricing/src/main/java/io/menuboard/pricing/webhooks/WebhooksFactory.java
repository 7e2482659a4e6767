package io.menuboard.pricing.webhooks;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.events.ReplayReceivers;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.Duration;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;

/** Wires webhooks and their deliveries. */
@Factory
final class WebhooksFactory {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Singleton
    @Named("webhooksKey")
    SharedSetting webhooksKey(WebhooksConfig config) {
        var cipher = config.cipher();
        return SharedSetting.equal("menuboard.webhooks.key", cipher == null ? "none" : cipher.fingerprint());
    }

    @Singleton
    DynamoWebhooks dynamoWebhooks(QueryDb db, AuditTrail audit) {
        return new DynamoWebhooks(db, audit);
    }

    @Singleton
    DynamoDeliveries webhookDeliveryItems(QueryDb db) {
        return new DynamoDeliveries(db);
    }

    @Singleton
    Destinations webhookDestinations(WebhooksConfig config) {
        return new Destinations(InetAddress::getAllByName, config.allowPrivate());
    }

    @Singleton
    WebhookSender webhookSender(Destinations destinations, WebhooksConfig config, TableClock clock) {
        var client = new WebhookClient(destinations, SSLConnectionSocketFactory.getSocketFactory(), TIMEOUT);
        return new WebhookSender(client, config.cipher(), clock);
    }

    @Singleton
    Webhooks webhooks(
            QueryDb db,
            DynamoWebhooks webhooks,
            Stores stores,
            Destinations destinations,
            WebhooksConfig config,
            TableClock clock) {
        return new Webhooks(
                webhooks, new IdempotencyKeys(db, "webhooks"), stores, destinations, config.cipher(), clock);
    }

    @Singleton
    WebhookDeliveries webhookDeliveries(
            DynamoWebhooks webhooks,
            DynamoDeliveries deliveries,
            TaskReads tasks,
            TaskAdministration administration,
            WebhookSender sender,
            AuditTrail audit) {
        return new WebhookDeliveries(webhooks, deliveries, tasks, administration, sender, audit);
    }

    @Singleton
    @Named("webhooks")
    ChangeHandler webhookAnnouncer(DynamoWebhooks webhooks, DeliverySubmission deliveries) {
        return new WebhookAnnouncer(webhooks, deliveries, Ticker.systemTicker());
    }

    @Singleton
    DeliverySubmission webhookDeliverySubmission(DynamoDeliveries deliveries, TaskSubmission submission) {
        return new DeliverySubmission(deliveries, submission);
    }

    @Singleton
    ReplayReceivers webhookReplays(DynamoWebhooks webhooks, DeliverySubmission deliveries) {
        return new WebhookReplays(webhooks, deliveries, Ticker.systemTicker());
    }

    @Singleton
    @Named("webhooks")
    TaskWork webhookWork(DynamoWebhooks webhooks, WebhookSender sender, WebhooksConfig config, TableClock clock) {
        return new DeliveryRuns(webhooks, sender, clock).work(config.deliveriesAtOnce());
    }

    @Singleton
    GraphQlModule webhooksGraphQl(Webhooks webhooks, WebhookDeliveries deliveries, Stores stores) {
        return new WebhooksGraphQl(webhooks, deliveries, stores);
    }
}
