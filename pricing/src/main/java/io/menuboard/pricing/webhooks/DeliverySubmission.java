package io.menuboard.pricing.webhooks;

import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskSubmission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes deliveries of events. Thread-safe. */
record DeliverySubmission(DynamoDeliveries deliveries, TaskSubmission submission) {
    private static final Logger log = LoggerFactory.getLogger(DeliverySubmission.class);

    /**
     * Makes the delivery of a message, once for each key. Five write units.
     *
     * @param key of 1 to 64 characters
     */
    void deliver(WebhookId webhook, PriceUpdated event, WebhookMessage message, String key) {
        var payload = new Delivery(webhook, WebhookEvent.PRICE_UPDATED, event.store(), message).payload();
        var task = SubmitTask.operation(DeliveryRuns.TYPE, payload).sharedKey(key);
        var id =
                switch (submission.submit(DeliveryRuns.SYSTEM, task)) {
                    case SubmitResult.Created(var created, var _) -> created.id();
                    case SubmitResult.Replayed(var before, var _) -> before.id();
                    case SubmitResult.Conflict(var existing, var _) -> {
                        // Another version of the application may have written the same message in another form.
                        log.warn(
                                "webhook message not sent, its key is that of another one: webhook={} message={} task={}",
                                webhook,
                                message.id(),
                                existing);
                        yield existing;
                    }
                    case SubmitResult.Invalid(var refusal) -> throw new IllegalStateException(refusal);
                };
        deliveries.add(webhook, id);
    }
}
