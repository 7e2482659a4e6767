package io.menuboard.pricing.webhooks;

/**
 * A webhook whose secret was just made.
 *
 * @param secret what its receiver checks signatures with; cannot be read again
 */
public record NewSecret(Webhook webhook, String secret) {
    /** Without the secret. */
    @Override
    public String toString() {
        return "NewSecret[" + webhook + "]";
    }
}
