package io.menuboard.local.aws;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * A standard topic of SNS in this process, whose subscribers are standard queues with raw delivery: each gets the messages
 * that match its filter as they were published, at least once, in no order that it could rely on. Who wants to subscribe
 * while it runs does so through the API of SNS.
 */
public final class LocalTopic implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalTopic.class);

    /** Amazon SNS quotas. */
    private static final int LONGEST_MESSAGE = 256 * 1024;

    private final LocalQueues queues;
    private final SnsApi api = new SnsApi();
    private final LocalHttp http = LocalHttp.ofQueries(api::serve);

    private LocalTopic(LocalQueues queues) {
        this.queues = queues;
    }

    /** Starts one that nobody subscribes to, on a free port. */
    public static LocalTopic start(LocalQueues queues) {
        return new LocalTopic(queues);
    }

    /** A message, and what filters see of it. */
    record Published(String body, JsonNode content) {
        /** True if SNS refuses it. */
        boolean isTooLong() {
            return body.getBytes(StandardCharsets.UTF_8).length > LONGEST_MESSAGE;
        }
    }

    public URI endpoint() {
        return http.endpoint();
    }

    public String arn() {
        return SnsApi.TOPIC;
    }

    /** ARNs of the queues that subscribe to it. */
    public List<String> subscribers() {
        return api.subscriptions().stream().map(SnsApi.Subscription::endpoint).toList();
    }

    /** The next requests to its API get an internal error, and do nothing. */
    public void failNext(int requests) {
        http.failNext(requests);
    }

    /** Subscribes that queue to what matches the filter. */
    void subscribe(EventPattern filter, LocalQueues.Queue queue) {
        api.subscribe(queue.arn(), filter);
    }

    /** Publishes a message, which is JSON. */
    public void publish(String body) {
        try {
            publish(List.of(new Published(body, LocalHttp.JSON.readTree(body))));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + body, e);
        }
    }

    /**
     * Publishes up to ten messages. Throws what a queue throws that cannot be reached, perhaps after some were delivered,
     * where SNS would answer at once and go on trying for weeks. A queue that is gone gets nothing.
     */
    void publish(List<Published> messages) {
        for (var subscription : api.subscriptions()) {
            try {
                send(
                        queues.url(subscription.endpoint()),
                        messages.stream()
                                .filter(message -> subscription.filter().matches(message.content()))
                                .toList());
            } catch (QueueDoesNotExistException _) {
                log.info("there is no queue for the subscription of {}", subscription.endpoint());
            }
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
            var failed =
                    queues
                            .client()
                            .sendMessageBatch(
                                    request -> request.queueUrl(queueUrl).entries(entries))
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

    @Override
    public void close() {
        http.close();
    }
}
