package io.menuboard.webadmin.webhooks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code webhooks/form}.
 *
 * @param title of the page
 * @param above pages above this one
 * @param action where the form is sent
 * @param label of the button
 * @param hidden fields that are sent without being shown
 * @param isForAll whether it is told of every store
 * @param problems beside their fields
 * @param refusal what is wrong with no field of the form, or null
 */
record WebhookFormPage(
        String title,
        List<Reference> above,
        String action,
        String label,
        Map<String, String> hidden,
        String name,
        String url,
        boolean isForAll,
        String stores,
        List<Box> events,
        Problems problems,
        @Nullable String refusal) {
    private static final Set<String> FIELDS = Set.of("name", "url", "stores", "events");

    /** A checkbox. */
    record Box(String field, String label, boolean checked) {}

    /** @param webhook that is edited; null for a new one */
    static WebhookFormPage of(@Nullable Webhook webhook, WebhookForm form, @Nullable InvalidInput refused) {
        var beside = refused != null && FIELDS.contains(refused.field()) ? Problem.of(refused) : null;
        return new WebhookFormPage(
                webhook == null ? "Register a webhook" : "Edit " + webhook.name(),
                webhook == null
                        ? List.of(WebhookWords.crumb())
                        : List.of(WebhookWords.crumb(), Reference.of(webhook.name(), WebhookWords.link(webhook.id()))),
                (webhook == null
                                ? WebhookWords.list()
                                : Link.to("webhooks", webhook.id().value(), "edit"))
                        .toString(),
                webhook == null ? "Register the webhook" : "Save",
                Map.of("key", form.key(), "before", form.before()),
                form.name(),
                form.url(),
                form.isForAll(),
                form.stores(),
                Stream.of(WebhookEvent.values())
                        .map(event -> new Box(
                                WebhookForm.field(event),
                                WebhookWords.event(event),
                                form.events().contains(event)))
                        .toList(),
                Problems.of(beside),
                refused == null || beside != null ? null : refused.getMessage());
    }

    public int mostStores() {
        return StoreSelection.Listed.MOST;
    }

    public int mostUrl() {
        return WebhookSettings.MOST_URL;
    }
}
