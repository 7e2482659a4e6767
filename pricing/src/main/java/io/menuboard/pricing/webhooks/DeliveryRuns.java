package io.menuboard.pricing.webhooks;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.webhooks.Webhook.Off;
import io.menuboard.pricing.webhooks.WebhookAnswer.Answered;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Sends messages to webhooks, as tasks: each attempt as the webhook is then. Thread-safe. */
final class DeliveryRuns {
    static final TaskType TYPE = new TaskType(TaskType.WEBHOOK_PREFIX + "deliver");

    /** Messages go to no one person, and who looks after them need not have all of tasks. */
    static final Access SYSTEM = Access.ofSystem("webhooks", Actor.Source.SCHEDULER);

    /** How exactly the last failure is remembered, so that an address that is down costs one write in this time. */
    private static final Duration REMEMBERED_EACH = Duration.ofHours(1);

    /** How many messages one instance sends at the same time to a webhook that fails, so that others have places, too. */
    private static final int FAILING_AT_ONCE = 2;

    private final DynamoWebhooks webhooks;
    private final WebhookSender sender;
    private final Clock clock;
    private final Map<WebhookId, Semaphore> failing = new ConcurrentHashMap<>();

    DeliveryRuns(DynamoWebhooks webhooks, WebhookSender sender, Clock clock) {
        this.webhooks = webhooks;
        this.sender = sender;
        this.clock = clock;
    }

    /** @param atOnce how many messages one instance sends at the same time */
    TaskWork work(int atOnce) {
        return new TaskWork(TYPE, atOnce, this::handle);
    }

    /** One read unit, one more per 4 KB of a webhook of many stores, and a write unit where it begins to fail, fails for another hour, or ends. */
    private Json handle(TaskRun run) throws TaskFailed, InterruptedException {
        var delivery = UnreadableItem.read(run.task().id(), () -> Delivery.of(run.payload()));
        var found = webhooks.find(delivery.webhook());
        if (found.isEmpty()) {
            return Json.of(Map.of("notSent", "the webhook was deleted"));
        }
        var webhook = found.get().webhook();
        if (!webhook.settings().wants(delivery.event(), delivery.store())) {
            return Json.of(Map.of("notSent", "the webhook does not want it any more"));
        }
        if (webhook.off() != null) {
            throw new TaskFailed("the webhook is switched off: " + webhook.off().details(), false);
        }
        if (webhook.failingSince() == null) {
            return send(found.get(), delivery);
        }
        var places = failing.computeIfAbsent(webhook.id(), _ -> new Semaphore(FAILING_AT_ONCE));
        if (!places.tryAcquire()) {
            throw new TaskFailed("not sent: the receiver fails, and other messages to it are being tried", true);
        }
        try {
            return send(found.get(), delivery);
        } finally {
            places.release();
        }
    }

    private Json send(StoredWebhook found, Delivery delivery) throws TaskFailed, InterruptedException {
        var webhook = found.webhook();
        return switch (sender.send(found, delivery.message())) {
            case Answered answer
            when answer.isTaken() -> {
                if (webhook.failingSince() != null) {
                    webhooks.succeeded(webhook);
                }
                yield Json.of(Map.of(
                        "status", answer.status(), "millis", answer.time().toMillis()));
            }
            case Answered answer
            when answer.isGone() -> {
                var reason = "the receiver answered 410, which says that it wants no more messages";
                switchOff(webhook, new Off(Webhook.Reason.GONE, reason, clock.instant()), null);
                throw new TaskFailed(reason, false);
            }
            case Answered answer -> throw failed(webhook, "the receiver answered " + answer.status());
            case WebhookAnswer.Refused(var reason) -> throw failed(webhook, "not sent: " + reason);
            case WebhookAnswer.Unanswered(var reason) -> throw failed(webhook, reason);
            // It is no fault of the receiver's, so it counts for nothing there.
            case WebhookAnswer.Unsigned(var reason) -> throw new TaskFailed(reason, true);
        };
    }

    private TaskFailed failed(Webhook webhook, String reason) {
        var now = clock.instant();
        var since = webhook.failingSince();
        var last = webhook.failedAt();
        if (since == null || last == null || !now.isBefore(last.plus(Webhook.LONGEST_PAUSE))) {
            webhooks.failing(webhook, now);
        } else if (!now.isBefore(since.plus(Webhook.LONGEST_FAILURE))) {
            var details = "all deliveries of " + Webhook.LONGEST_FAILURE.toDays()
                    + " days failed, the last one because " + reason;
            // Another delivery may have succeeded while this one waited for its answer.
            switchOff(webhook, new Off(Webhook.Reason.FAILING, details, now), since);
        } else if (!now.isBefore(last.plus(REMEMBERED_EACH))) {
            webhooks.stillFailing(webhook, since, now);
        }
        return new TaskFailed(reason, true);
    }

    private void switchOff(Webhook webhook, Off off, @Nullable Instant failingSince) {
        webhooks.switchOff(
                webhook,
                off,
                failingSince,
                new WebhookChange(SYSTEM.actor(), "webhook switched off", Map.of("reason", off.details())));
    }
}
