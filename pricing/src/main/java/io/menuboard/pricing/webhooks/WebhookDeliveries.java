package io.menuboard.pricing.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * Use cases of what is sent to webhooks. All need {@link Permission#WEBHOOKS_MANAGE}, without which methods throw {@link Denied}.
 * Thread-safe.
 */
public final class WebhookDeliveries {
    /** The type of tasks that deliver. */
    public static final TaskType TYPE = DeliveryRuns.TYPE;

    /** Of so many latest deliveries, those that are dead are sent again. */
    public static final int MOST_REDELIVERED = 500;

    private static final int AT_ONCE = 8;

    /** Each has a thread and a connection for as long as the receiver likes. */
    private static final int MOST_TESTS = 16;

    private final DynamoWebhooks webhooks;
    private final DynamoDeliveries deliveries;
    private final TaskReads tasks;
    private final TaskAdministration administration;
    private final WebhookSender sender;
    private final AuditTrail audit;
    private final Semaphore tests = new Semaphore(MOST_TESTS);

    WebhookDeliveries(
            DynamoWebhooks webhooks,
            DynamoDeliveries deliveries,
            TaskReads tasks,
            TaskAdministration administration,
            WebhookSender sender,
            AuditTrail audit) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.tasks = tasks;
        this.administration = administration;
        this.sender = sender;
        this.audit = audit;
    }

    /** The latest first, without those whose task is gone; half a read unit per 4 KB, and one for each. */
    public List<Task> latest(Access access, WebhookId id, int most) {
        return tasks(list(access, id, PageRequest.forward(most, null)).nodes());
    }

    /** Their tasks, the latest first; half a read unit per 4 KB. A task may be gone. */
    public Page<TaskId> list(Access access, WebhookId id, PageRequest page) {
        access.require(Permission.WEBHOOKS_MANAGE);
        return deliveries.list(id, page);
    }

    /**
     * Sends those of the latest {@value #MOST_REDELIVERED} again that are dead. A read unit for each of them, and two read
     * units and seven write units for each that is sent again.
     *
     * @return how many are sent again, soon; empty where there is no such webhook
     * @throws InvalidInput {@code WEBHOOK_OFF} on {@code id} where it is switched off, so that all would be given up again
     */
    public OptionalInt redeliver(Access access, WebhookId id) {
        access.require(Permission.WEBHOOKS_MANAGE);
        var found = webhooks.find(id);
        if (found.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!found.get().webhook().isActive()) {
            throw WebhookReplays.off("id");
        }
        var dead = latest(access, id, MOST_REDELIVERED).stream()
                .filter(task -> task.status() == TaskStatus.DEAD)
                .map(Task::id)
                .toList();
        if (dead.isEmpty()) {
            return OptionalInt.of(0);
        }
        // First, so that nothing is ever sent again without a record; when this is cut off and asked for again there
        // are two.
        var details = Map.of("deliveries", Integer.toString(dead.size()));
        audit.record(access.actor(), DynamoWebhooks.subject(id), "webhook deliveries sent again", details);
        var reason = "asked for by " + access.actor().name();
        return OptionalInt.of(Math.toIntExact(
                Concurrently.map(AT_ONCE, dead, task -> administration.retry(DeliveryRuns.SYSTEM, task, reason))
                        .stream()
                        .filter(TaskResult.Done.class::isInstance)
                        .count()));
    }

    /**
     * Sends a message {@code webhook.test} at once, also to one that is switched off, and waits for what comes of it, ten seconds at most.
     * It tells of no price, and counts for nothing.
     *
     * @return empty where there is no such webhook
     * @throws InvalidInput {@code TOO_MANY_TESTS} on {@code id} where this instance is waiting for {@value #MOST_TESTS} of them
     */
    public Optional<WebhookAnswer> test(Access access, WebhookId id) throws InterruptedException {
        access.require(Permission.WEBHOOKS_MANAGE);
        var found = webhooks.find(id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (!tests.tryAcquire()) {
            throw InvalidInput.sentence(
                    "TOO_MANY_TESTS",
                    "id",
                    "as many webhooks are being tested as can be at once: try again in a few seconds");
        }
        try {
            audit.record(access.actor(), DynamoWebhooks.subject(id), "webhook tested", Map.of());
            return Optional.of(sender.test(found.get(), UUID.randomUUID().toString()));
        } finally {
            tests.release();
        }
    }

    private List<Task> tasks(List<TaskId> ids) {
        return ids.isEmpty() ? List.of() : tasks.findAll(DeliveryRuns.SYSTEM, ids);
    }
}
