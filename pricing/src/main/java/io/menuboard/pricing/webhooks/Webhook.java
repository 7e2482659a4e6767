package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Actor;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody outside who is told of events by signed messages over HTTPS; without its secrets.
 *
 * @param oldSecretUntil until when messages are signed with the secret before this one too; null where there is none
 * @param failingSince when the first of the deliveries failed of which none has succeeded since; null where the last one succeeded
 * @param off null while it is active
 */
public record Webhook(
        WebhookId id,
        WebhookSettings settings,
        Actor createdBy,
        Instant createdAt,
        @Nullable Instant oldSecretUntil,
        @Nullable Instant failingSince,
        @Nullable Off off) {
    /** How long all deliveries fail until it is switched off. */
    public static final Duration LONGEST_FAILURE = Duration.ofDays(3);

    /** How long the secret before the last one signs messages too. */
    public static final Duration ROTATION = Duration.ofHours(24);

    /**
     * It is told of nothing.
     *
     * @param details for people
     */
    public record Off(Reason reason, String details, Instant at) {}

    /** Why a webhook is switched off. */
    public enum Reason {
        /** A person did it. */
        SWITCHED_OFF,
        /** The receiver answered 410 Gone. */
        GONE,
        /** All deliveries of three days failed. */
        FAILING
    }

    public boolean isActive() {
        return off == null;
    }

    public String name() {
        return settings.name();
    }
}
