package io.menuboard.webadmin.webhooks;

import io.menuboard.access.Access;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookDeliveries;
import io.menuboard.pricing.webhooks.Webhooks;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something that is done with a webhook after a question, as pages say it. Questions go on with its name. */
enum WebhookAction {
    ROTATE(
            "rotate",
            "Rotate secret",
            "Make a new secret for",
            "It is shown once. For 24 hours messages are signed with the secret of now too, so that the receiver can change over"
                    + " without losing one.",
            "Make a new secret",
            ""),
    OFF(
            "off",
            "Switch off",
            "Switch off",
            "It is told of nothing that changes from then on, and what is on its way is given up.",
            "Switch it off",
            "The webhook is switched off."),
    ON(
            "on",
            "Switch on",
            "Switch on",
            "It is told of what changes from then on. What was on its way when it was switched off can be sent again. What changed"
                    + " since then, or shortly before, was never on its way: a replay of price events sends it, of the time from"
                    + " some hours before it was switched off until a minute after it is on.",
            "Switch it on",
            "The webhook is switched on."),
    REDELIVER(
            "redeliver",
            "Send dead deliveries again",
            "Send again what is dead of",
            "Of the latest " + WebhookDeliveries.MOST_REDELIVERED
                    + " deliveries, those that were given up are tried again, each"
                    + " under the id that it had, so that a receiver knows what it has taken before. Older ones are retried on the page"
                    + " Tasks.",
            "Send them again",
            ""),
    DELETE(
            "delete",
            "Delete",
            "Delete",
            "It is told of nothing any more, what is on its way is not sent, and its secret is gone for good.",
            "Delete the webhook",
            "The webhook is deleted.");

    private final String path;
    private final String label;
    private final String question;
    private final String consequence;
    private final String confirmation;
    private final String done;

    WebhookAction(String path, String label, String question, String consequence, String confirmation, String done) {
        this.path = path;
        this.label = label;
        this.question = question;
        this.consequence = consequence;
        this.confirmation = confirmation;
        this.done = done;
    }

    /** The action with that last segment of its address. */
    static Optional<WebhookAction> of(String path) {
        return Stream.of(values()).filter(action -> action.path.equals(path)).findFirst();
    }

    /** Those that the page of a webhook links to. */
    static List<WebhookAction> offered(Access access, Webhook webhook) {
        var mayUpdate = Webhooks.mayUpdate(access, webhook);
        return Stream.of(values())
                .filter(action -> switch (action) {
                    case ROTATE -> mayUpdate;
                    case DELETE -> true;
                    case OFF, REDELIVER -> webhook.isActive();
                    case ON -> mayUpdate && !webhook.isActive();
                })
                .toList();
    }

    boolean isDangerous() {
        return this == OFF || this == DELETE;
    }

    String path() {
        return path;
    }

    String label() {
        return label;
    }

    String question() {
        return question;
    }

    String consequence() {
        return consequence;
    }

    String confirmation() {
        return confirmation;
    }

    String done() {
        return done;
    }

    /** Result of the action; null where the webhook is not as that action leaves it, or its page says it otherwise. */
    @Nullable
    String said(Webhook webhook) {
        return switch (this) {
            case ON -> webhook.isActive() ? done : null;
            case OFF -> webhook.isActive() ? null : done;
            case ROTATE, REDELIVER, DELETE -> null;
        };
    }
}
