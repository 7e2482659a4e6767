package io.menuboard.webadmin.webhooks;

import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code webhooks/list}.
 *
 * @param notice what was just done, or null
 * @param hasKey whether this server can make secrets
 */
record WebhooksPage(@Nullable String notice, boolean hasKey, Listing list, List<Row> rows) {

    record Row(
            String id,
            String name,
            String href,
            String url,
            String stores,
            String events,
            String created,
            Badge status) {
        static Row of(Webhook webhook) {
            var settings = webhook.settings();
            return new Row(
                    webhook.id().value(),
                    webhook.name(),
                    WebhookWords.link(webhook.id()).toString(),
                    settings.url().toString(),
                    WebhookWords.stores(settings),
                    WebhookWords.events(settings),
                    Moments.utc(webhook.createdAt()),
                    WebhookWords.status(webhook));
        }
    }
}
