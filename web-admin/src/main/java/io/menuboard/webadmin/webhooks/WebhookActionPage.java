package io.menuboard.webadmin.webhooks;

import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code webhooks/action}: the question before something is done with a webhook.
 *
 * @param refusal why what was asked for was not done, or null
 */
record WebhookActionPage(
        Confirmation confirmation,
        List<Fact> facts,
        @Nullable String refusal) {

    static WebhookActionPage of(WebhookAction action, Webhook webhook, @Nullable String refusal) {
        var page = WebhookWords.link(webhook.id());
        return new WebhookActionPage(
                Confirmation.of(
                                List.of(WebhookWords.crumb(), Reference.of(webhook.name(), page)),
                                action.question() + " " + webhook.name() + "?",
                                action.consequence(),
                                action.confirmation(),
                                Link.to("webhooks", webhook.id().value(), action.path()),
                                Reference.of("Back to the webhook", page))
                        .dangerous(action.isDangerous()),
                List.of(
                        new Fact("Name", webhook.name(), null),
                        new Fact("URL", webhook.settings().url().toString(), null),
                        new Fact("Status", WebhookWords.status(webhook).label(), null)),
                refusal);
    }
}
