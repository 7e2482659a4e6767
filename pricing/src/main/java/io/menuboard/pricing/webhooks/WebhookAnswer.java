package io.menuboard.pricing.webhooks;

import java.time.Duration;

/** What came of sending one message. */
public sealed interface WebhookAnswer {

    /**
     * The receiver has answered.
     *
     * @param status of HTTP
     * @param time from when it was looked up to the status
     */
    record Answered(int status, Duration time) implements WebhookAnswer {
        /** Any of 200 to 299: the receiver has taken it. */
        public boolean isTaken() {
            return status >= 200 && status < 300;
        }

        /** 410: the receiver wants no more messages. */
        public boolean isGone() {
            return status == 410;
        }
    }

    /** Nothing was sent: it may not go there. The reason is for people. */
    record Refused(String reason) implements WebhookAnswer {}

    /** There was no answer, so it may have arrived or not. The reason is for people. */
    record Unanswered(String reason) implements WebhookAnswer {}

    /** Nothing was sent: this server cannot sign it. The reason is for people. */
    record Unsigned(String reason) implements WebhookAnswer {}
}
