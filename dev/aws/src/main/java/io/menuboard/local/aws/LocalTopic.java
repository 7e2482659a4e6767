package io.menuboard.local.aws;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * A standard topic of SNS whose subscribers are standard queues with raw delivery: each gets the messages that match its
 * filter as they were published, at least once, in no order that it could rely on.
 */
final class LocalTopic {
    private static final Logger log = LoggerFactory.getLogger(LocalTopic.class);

    /** Amazon SNS quotas. */
    private static final int LONGEST_MESSAGE = 256 * 1024;

    private final SqsClient sqs;
    private final List<Subscription> subscriptions;

    /** @param subscriptions all of them */
    LocalTopic(SqsClient sqs, List<Subscription> subscriptions) {
        this.sqs = sqs;
        this.subscriptions = List.copyOf(subscriptions);
    }

    /** Subscriptions. */
    record Subscription(EventPattern filter, String queueUrl) {}

    /** A message, and what filters see of it. */
    record Published(String body, JsonNode content) {
        /** True if SNS refuses it. */
        boolean isTooLong() {
            return body.getBytes(StandardCharsets.UTF_8).length > LONGEST_MESSAGE;
        }
    }

    /**
     * Publishes up to ten messages. Throws what a queue throws that cannot be reached, perhaps after some were delivered,
     * where SNS would answer at once and go on trying for weeks.
     */
    void publish(List<Published> messages) {
        for (var subscription : subscriptions) {
            send(
                    subscription.queueUrl(),
                    messages.stream()
                            .filter(message -> subscription.filter().matches(message.content()))
                            .toList());
        }
    }

    private void send(String queueUrl, List<Published> messages) {
        var left = IntStream.range(0, messages.size())
                .mapToObj(i -> SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .messageBody(messages.get(i).body())
                        .build())
                .toList();
        while (!left.isEmpty()) {
            var entries = left;
            var failed = sqs
                    .sendMessageBatch(request -> request.queueUrl(queueUrl).entries(entries))
                    .failed()
                    .stream()
                    .collect(toMap(BatchResultErrorEntry::id, Function.identity()));
            failed.values().stream()
                    .filter(BatchResultErrorEntry::senderFault)
                    .forEach(entry -> log.error("the queue {} refuses a message: {}", queueUrl, entry.message()));
            left = entries.stream()
                    .filter(entry -> failed.containsKey(entry.id())
                            && !failed.get(entry.id()).senderFault())
                    .toList();
        }
    }
}
