package io.menuboard.pricing.webhooks;

/** Something that a webhook can be told of. */
public enum WebhookEvent {
    /** A price has changed. */
    PRICE_UPDATED("price.updated");

    private final String type;

    WebhookEvent(String type) {
        this.type = type;
    }

    /** The {@code type} in the body of a message. */
    public String type() {
        return type;
    }
}
