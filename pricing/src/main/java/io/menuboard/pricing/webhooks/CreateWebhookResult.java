package io.menuboard.pricing.webhooks;

/** Outcome of {@link Webhooks#create}. */
public sealed interface CreateWebhookResult {

    /** There is a new webhook, and this is its secret. */
    record Created(NewSecret made) implements CreateWebhookResult {}

    /** The same request made it before; its secret is known to nobody but who was shown it then. */
    record Replayed(Webhook webhook) implements CreateWebhookResult {}

    /**
     * The idempotency key belongs to another request, or what was made with it is deleted; nothing was made.
     *
     * @param existing webhook that the key belongs to; there may be none with that id any more
     * @param rule for people
     */
    record KeyReused(WebhookId existing, String rule) implements CreateWebhookResult {}
}
