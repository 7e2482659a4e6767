package io.menuboard.messaging;

import java.time.Duration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Sends messages to one queue. Thread-safe. */
public final class SqsSender {
    /** The longest delay of a message (Amazon SQS API reference, DelaySeconds). */
    public static final Duration MAX_DELAY = Duration.ofMinutes(15);

    private final SqsClient sqs;
    private final String url;

    public SqsSender(SqsClient sqs, String url) {
        this.sqs = sqs;
        this.url = url;
    }

    /**
     * Sends a message; one request.
     *
     * @param delay after which it can be received, rounded up to whole seconds, at most {@link #MAX_DELAY}; none if negative
     */
    public void send(String body, Duration delay) {
        sqs.sendMessage(request -> request.queueUrl(url).messageBody(body).delaySeconds(wholeSeconds(delay)));
    }

    /** Rounds up, so that nothing comes early for a fraction of a second. */
    static int wholeSeconds(Duration time) {
        return time.isNegative()
                ? 0
                : Math.toIntExact(time.plusNanos(999_999_999).toSeconds());
    }
}
