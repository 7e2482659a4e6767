package io.menuboard.messaging.feed;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** The queues of all instances, each with a tag that says until when its instance lives at least. Thread-safe. */
final class FeedQueues {
    /** Most messages of one request (Amazon SQS quotas). */
    static final int MOST_MESSAGES = 10;

    /** The shortest that SQS keeps messages (Amazon SQS quotas): what an instance hears later helps nobody. */
    private static final Duration RETENTION = Duration.ofMinutes(1);

    /** For requests that an instance makes while it stops. */
    static final AwsRequestOverrideConfiguration SOON = AwsRequestOverrideConfiguration.builder()
            .apiCallTimeout(Duration.ofSeconds(5))
            .build();

    private static final String EXPIRES = "menuboard-feed-expires";
    private static final JsonMapper JSON = new JsonMapper();

    private final SqsClient sqs;
    private final FeedConfig config;
    private final Duration longPoll;

    /** @param longPoll how long a request waits for a message */
    FeedQueues(SqsClient sqs, FeedConfig config, Duration longPoll) {
        this.sqs = sqs;
        this.config = config;
        this.longPoll = longPoll;
    }

    /**
     * Makes a queue under a name that no other one has had, because a name that was deleted is not free for a minute; one
     * request. The topic, and nobody else, may send to it.
     */
    FeedQueue create(Instant now) {
        var name = config.queuePrefix() + UUID.randomUUID().toString().replace("-", "");
        var url = sqs.createQueue(request ->
                        request.queueName(name).attributes(attributes()).tags(tags(now)))
                .queueUrl();
        return new FeedQueue(name, url, now);
    }

    /** What the topic knows the queue by; one request. */
    String arn(FeedQueue queue) {
        return sqs.getQueueAttributes(
                        request -> request.queueUrl(queue.url()).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .getOrDefault(QueueAttributeName.QUEUE_ARN, "");
    }

    /** With which a queue is made. */
    Map<QueueAttributeName, String> attributes() {
        return Map.of(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                Long.toString(RETENTION.toSeconds()),
                QueueAttributeName.POLICY,
                policy());
    }

    private String policy() {
        var policy = JSON.createObjectNode().put("Version", "2012-10-17");
        var statement = policy.putArray("Statement").addObject();
        statement.put("Effect", "Allow").putObject("Principal").put("Service", "sns.amazonaws.com");
        statement
                .put("Action", "sqs:SendMessage")
                .put("Resource", "*")
                .putObject("Condition")
                .putObject("ArnEquals")
                .put("aws:SourceArn", config.topicArn());
        return policy.toString();
    }

    /** Says that its instance lives now, and so for a while; one request. */
    void renew(FeedQueue queue, Instant now) {
        sqs.tagQueue(request -> request.queueUrl(queue.url()).tags(tags(now)));
    }

    private Map<String, String> tags(Instant now) {
        return Map.of(EXPIRES, now.plus(config.expiry()).toString());
    }

    /** Waits for the first message; up to ten. An interrupt ends the wait. */
    List<Message> receive(FeedQueue queue) {
        return sqs.receiveMessage(request -> request.queueUrl(queue.url())
                        .maxNumberOfMessages(MOST_MESSAGES)
                        .waitTimeSeconds((int) longPoll.toSeconds())
                        .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
                .messages();
    }

    /** Deletes up to ten messages, as far as that goes: those that are left come once more, or are too old by then. */
    void delete(FeedQueue queue, List<Message> messages) {
        sqs.deleteMessageBatch(request -> request.queueUrl(queue.url())
                .entries(messages.stream()
                        .map(message -> DeleteMessageBatchRequestEntry.builder()
                                .id(message.messageId())
                                .receiptHandle(message.receiptHandle())
                                .build())
                        .toList()));
    }

    /** Removes that queue, with what is in it, if it is still there. */
    void remove(String url) {
        try {
            sqs.deleteQueue(request -> request.queueUrl(url).overrideConfiguration(SOON));
        } catch (QueueDoesNotExistException _) {
            // Somebody else was first.
        }
    }

    /** URLs of up to that many queues, at most 1,000; one request. */
    List<String> list(int most) {
        return sqs.listQueues(
                        request -> request.queueNamePrefix(config.queuePrefix()).maxResults(most))
                .queueUrls();
    }

    /** Until when its instance lives at least; nothing of a queue that is not there, or was not made here. */
    Optional<Instant> expires(String url) {
        try {
            var expires =
                    sqs.listQueueTags(request -> request.queueUrl(url)).tags().get(EXPIRES);
            return expires == null ? Optional.empty() : Optional.of(Instant.parse(expires));
        } catch (QueueDoesNotExistException | DateTimeParseException _) {
            return Optional.empty();
        }
    }

    /** Whether there is a queue of that name; one request. */
    boolean exists(String name) {
        try {
            sqs.getQueueUrl(request -> request.queueName(name));
            return true;
        } catch (QueueDoesNotExistException _) {
            return false;
        }
    }

    /** Whether a queue of that name is the queue of an instance. */
    boolean isOfAnInstance(String name) {
        return name.startsWith(config.queuePrefix());
    }
}
