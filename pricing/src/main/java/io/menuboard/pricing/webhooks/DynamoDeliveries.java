package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.TaskId;
import java.time.Duration;

/** Which tasks deliver to a webhook, as items {@code WEBHOOK#{id}}/{@code DELIVERY#{task}}. */
final class DynamoDeliveries {
    private static final String PREFIX = "DELIVERY#";

    /** Longer than most tasks, which are kept for a week after they have ended; one whose task is gone is left out. */
    private static final Duration KEPT = Duration.ofDays(14);

    private final QueryDb db;

    DynamoDeliveries(QueryDb db) {
        this.db = db;
    }

    /** Once for each task, however often it is called. One write unit. */
    void add(WebhookId webhook, TaskId task) {
        var item = Item.at(new Key(partition(webhook), PREFIX + task))
                .type("webhookDelivery")
                .ttl(task.submittedAt().plus(KEPT));
        db.save(item.build(), SaveMode.ANY);
    }

    /** The latest first; half a read unit per 4 KB, about 40 of them. */
    Page<TaskId> list(WebhookId webhook, PageRequest page) {
        var query = Query.table("webhook deliveries", partition(webhook))
                .beginsWith(PREFIX)
                .reversed();
        return db.query(query, item -> new TaskId(item.key().sort().substring(PREFIX.length())), page);
    }

    private static String partition(WebhookId webhook) {
        return "WEBHOOK#" + webhook;
    }
}
