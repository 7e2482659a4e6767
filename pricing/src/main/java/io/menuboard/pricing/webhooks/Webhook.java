package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Actor;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody outside who is told of events by signed messages over HTTPS; without its secrets.
 *
 * @param oldSecretUntil until when messages are signed with the secret before this one too; null where there is none
 * @param failingSince when the first of the deliveries failed of which none has succeeded since, and which failed without a day
 *     between them; null where the last one succeeded
 * @param failedAt when the last of these failed, to the hour; null where failingSince is
 * @param off null while it is active
 */
public record Webhook(
        WebhookId id,
        WebhookSettings settings,
        Actor createdBy,
        Instant createdAt,
        @Nullable Instant oldSecretUntil,
        @Nullable Instant failingSince,
        @Nullable Instant failedAt,
        @Nullable Off off) {
    /** How long all deliveries fail until it is switched off. */
    public static final Duration LONGEST_FAILURE = Duration.ofDays(3);

    /**
     * Where none failed for so long, those before say nothing of how it is: longer than one delivery is tried, so that all
     * attempts at it count together.
     */
    static final Duration LONGEST_PAUSE = Duration.ofDays(1);

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

    Webhook rotated(Instant oldSecretUntil) {
        return new Webhook(id, settings, createdBy, createdAt, oldSecretUntil, failingSince, failedAt, off);
    }

    public boolean isActive() {
        return off == null;
    }

    public String name() {
        return settings.name();
    }
}
