package io.menuboard.messaging;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A message that a consumer has received.
 *
 * @param at when it was received
 */
record SqsMessage(Message message, Instant at) {
    String id() {
        return message.messageId();
    }

    String body() {
        return message.body();
    }

    String handle() {
        return message.receiptHandle();
    }

    /** Number of times it was received, this one included. */
    int count() {
        return (int) number(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
    }

    /** The time between when it was sent and when it was received. */
    Duration age() {
        var age = Duration.between(Instant.ofEpochMilli(number(MessageSystemAttributeName.SENT_TIMESTAMP)), at);
        return age.isNegative() ? Duration.ZERO : age;
    }

    private long number(MessageSystemAttributeName attribute) {
        return Optional.ofNullable(message.attributes().get(attribute))
                .map(Long::parseLong)
                .orElseThrow(() -> new IllegalStateException("message " + id() + " has no " + attribute));
    }
}
