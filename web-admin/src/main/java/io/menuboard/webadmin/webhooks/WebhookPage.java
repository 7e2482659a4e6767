package io.menuboard.webadmin.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookAnswer;
import io.menuboard.pricing.webhooks.WebhookDeliveries;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code webhooks/show}.
 *
 * @param explained why it is off or failing, or null
 * @param stores those that it is told of; null for all
 * @param test what came of the test that was just made, or null
 * @param testHref where the button for one leads
 * @param deliveries the latest first
 * @param dead leads to the dead deliveries of all webhooks; null for who may not see tasks
 */
record WebhookPage(
        String id,
        String name,
        Badge status,
        @Nullable String explained,
        ActionOutcome outcome,
        List<Fact> facts,
        @Nullable Stores stores,
        List<Action> actions,
        @Nullable TestResult test,
        String testHref,
        List<Row> deliveries,
        @Nullable String dead) {

    /**
     * Stores by their ids.
     *
     * @param ids of those whose prices the reader may read
     * @param unshown says how many more there are, or null
     */
    record Stores(String ids, @Nullable String unshown) {
        private static Stores of(Access access, List<StoreId> listed) {
            var shown = listed.stream()
                    .map(StoreId::value)
                    .filter(store -> access.may(Permission.PRICES_READ, Kind.STORES, store))
                    .toList();
            return new Stores(String.join(", ", shown), saysUnshown(listed.size() - shown.size()));
        }
    }

    /** A way to do something. */
    record Action(String id, String label, String href) {}

    /** What came of a test: a title and an explanation, or null. */
    record TestResult(
            boolean isTaken, String title, @Nullable String text) {
        static TestResult of(WebhookAnswer answer) {
            return switch (answer) {
                case WebhookAnswer.Answered answered ->
                    new TestResult(
                            answered.isTaken(),
                            "The receiver answered " + answered.status() + " after "
                                    + answered.time().toMillis() + " ms",
                            answered.isTaken() ? null : "Anything but 200 to 299 is a failure, which is tried again.");
                case WebhookAnswer.Refused(var reason) -> new TestResult(false, "Nothing was sent", reason);
                case WebhookAnswer.Unsigned(var reason) -> new TestResult(false, "Nothing was sent", reason);
                case WebhookAnswer.Unanswered(var reason) -> new TestResult(false, "There was no answer", reason);
            };
        }
    }

    /**
     * A delivery.
     *
     * @param href of its task; null for who may not see tasks
     * @param reason why the last attempt failed; empty where it did not
     */
    record Row(String id, @Nullable String href, String submitted, Badge status, String attempts, String reason) {
        static Row of(Task task, boolean mayReadTasks) {
            return new Row(
                    TaskWords.shortId(task),
                    mayReadTasks ? Link.to("tasks", task.id().value()).toString() : null,
                    Moments.utcSeconds(task.submittedAt()),
                    TaskWords.badge(task.status()),
                    Integer.toString(task.attempt()),
                    task.status() == TaskStatus.COMPLETED || task.reason() == null ? "" : task.reason());
        }
    }

    static WebhookPage of(
            Webhook webhook,
            List<Task> deliveries,
            Access access,
            ActionOutcome outcome,
            @Nullable WebhookAnswer test,
            Instant now) {
        var id = webhook.id().value();
        var mayReadTasks = access.isForAll(Permission.TASKS_READ);
        var actions = new ArrayList<Action>();
        if (Webhooks.mayUpdate(access, webhook)) {
            actions.add(
                    new Action("edit", "Edit", Link.to("webhooks", id, "edit").toString()));
        }
        WebhookAction.offered(access, webhook)
                .forEach(action -> actions.add(new Action(
                        action.path(),
                        action.label(),
                        Link.to("webhooks", id, action.path()).toString())));
        return new WebhookPage(
                id,
                webhook.name(),
                WebhookWords.status(webhook),
                explained(webhook),
                outcome,
                facts(webhook, now),
                webhook.settings().stores() instanceof StoreSelection.Listed(var listed)
                        ? Stores.of(access, listed)
                        : null,
                actions,
                test == null ? null : TestResult.of(test),
                Link.to("webhooks", id, "test").toString(),
                deliveries.stream().map(task -> Row.of(task, mayReadTasks)).toList(),
                mayReadTasks
                        ? Link.to("tasks")
                                .with("status", TaskStatus.DEAD.name())
                                .with("type", WebhookDeliveries.TYPE.value())
                                .toString()
                        : null);
    }

    private static @Nullable String saysUnshown(int count) {
        return switch (count) {
            case 0 -> null;
            case 1 -> "1 of them is not shown, as you may not read its prices.";
            default -> Counts.of(count) + " of them are not shown, as you may not read their prices.";
        };
    }

    private static @Nullable String explained(Webhook webhook) {
        var off = webhook.off();
        if (off != null) {
            return "Since " + Moments.utc(off.at()) + ": " + off.details() + ".";
        }
        return webhook.failingSince() == null
                ? null
                : "No delivery has succeeded since " + Moments.utc(webhook.failingSince())
                        + ". After 3 days of failures it is switched off.";
    }

    private static List<Fact> facts(Webhook webhook, Instant now) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("URL", webhook.settings().url().toString(), null));
        facts.add(new Fact("Stores", WebhookWords.stores(webhook.settings()), null));
        facts.add(new Fact("Events", WebhookWords.events(webhook.settings()), null));
        facts.add(new Fact("Registered", Moments.utc(webhook.createdAt()), null));
        facts.add(new Fact("Registered by", Actors.text(webhook.createdBy()), null));
        var until = webhook.oldSecretUntil();
        if (until != null && now.isBefore(until)) {
            facts.add(new Fact("Earlier secret signs until", Moments.utc(until), null));
        }
        return List.copyOf(facts);
    }
}
