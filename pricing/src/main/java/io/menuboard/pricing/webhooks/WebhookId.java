package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Ulid;

/**
 * Id of a webhook.
 *
 * @param value a {@link Ulid}; anything else is refused with {@link InvalidInput} {@code INVALID_ID} on field {@code id}
 */
public record WebhookId(String value) {

    public WebhookId {
        Ulid.check("id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
