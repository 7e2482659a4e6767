package io.menuboard.messaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The dead-letter queues that the redrive policies of the consumed queues name. */
final class SqsDeadLetters implements DeadLetters {
    private static final Logger log = LoggerFactory.getLogger(SqsDeadLetters.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String MOVING = "RUNNING";
    private static final int MOST_PEEKED = 100;
    private static final int MOST_MESSAGES = 10;
    private static final int SERVER_ERROR = 500;

    /** Longer than a peek takes, so that it does not see a message twice. */
    private static final Duration PEEK = Duration.ofSeconds(20);

    /** For each request with its repetitions, since somebody waits for a page. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final SqsClient sqs;
    private final AuditTrail audit;
    private final Map<String, String> urls = new TreeMap<>();

    SqsDeadLetters(SqsClient sqs, List<ConsumedQueue> queues, AuditTrail audit) {
        this.sqs = sqs;
        this.audit = audit;
        queues.forEach(queue -> urls.put(queue.name(), queue.url()));
    }

    /** A queue and its dead-letter queue. */
    private record Route(String sourceArn, String deadArn, String deadUrl) {}

    @Override
    public List<Queue> queues() {
        return urls.keySet().stream()
                .map(name -> new Queue(name, count(route(name))))
                .toList();
    }

    /** With those that somebody looks at just now. */
    private int count(Route route) {
        var attributes = attributes(route.deadUrl);
        return Stream.of(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                .mapToInt(name -> Integer.parseInt(attributes.getOrDefault(name, "0")))
                .sum();
    }

    @Override
    public List<DeadLetter> peek(String queue, int most) {
        if (most < 1 || most > MOST_PEEKED) {
            throw new IllegalArgumentException("most must be 1 to " + MOST_PEEKED + ", not " + most);
        }
        var deadUrl = route(queue).deadUrl;
        var seen = new ArrayList<Message>();
        while (seen.size() < most) {
            var messages = receive(deadUrl, Math.min(MOST_MESSAGES, most - seen.size()));
            if (messages.isEmpty()) {
                break;
            }
            seen.addAll(messages);
        }
        for (var from = 0; from < seen.size(); from += MOST_MESSAGES) {
            release(deadUrl, seen.subList(from, Math.min(seen.size(), from + MOST_MESSAGES)));
        }
        return seen.stream()
                .map(message -> new DeadLetter(
                        message.messageId(),
                        message.body(),
                        Integer.parseInt(attribute(message, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)),
                        Instant.ofEpochMilli(
                                Long.parseLong(attribute(message, MessageSystemAttributeName.SENT_TIMESTAMP)))))
                .sorted(Comparator.comparing(DeadLetter::sentAt))
                .toList();
    }

    @Override
    public void redrive(String queue, Actor actor) {
        var route = route(queue);
        var subject = "QUEUE#" + queue;
        audit.record(actor, subject, "dead letters sent back", Map.of("messages", "about " + count(route)));
        try {
            var isBegun = move(route);
            log.info("dead letters sent back: queue={} already={}", queue, !isBegun);
        } catch (SdkException e) {
            // What is recorded before it is done, so that nothing is done without a record, is to be put right.
            var action = e instanceof SqsException refused && refused.statusCode() < SERVER_ERROR
                    ? "dead letters not sent back"
                    : "dead letters may not have been sent back";
            audit.record(actor, subject, action, Map.of("reason", String.valueOf(e.getMessage())));
            throw e;
        }
    }

    /**
     * False where they are being moved already, which SQS does once at a time for each queue, and refuses then; or since an attempt
     * whose answer was lost.
     */
    private boolean move(Route route) {
        try {
            // The destination is named, because what the scheduler or the topic could not send has never been in it.
            sqs.startMessageMoveTask(request -> request.sourceArn(route.deadArn)
                    .destinationArn(route.sourceArn)
                    .overrideConfiguration(SqsDeadLetters::inTime));
            return true;
        } catch (SdkException e) {
            if (areMoving(route, e)) {
                return false;
            }
            throw e;
        }
    }

    /** @param first why that is asked; what fails now does not take its place */
    private boolean areMoving(Route route, SdkException first) {
        try {
            return sqs
                    .listMessageMoveTasks(
                            request -> request.sourceArn(route.deadArn).overrideConfiguration(SqsDeadLetters::inTime))
                    .results()
                    .stream()
                    .anyMatch(task -> MOVING.equals(task.status()));
        } catch (SdkException e) {
            first.addSuppressed(e);
            return false;
        }
    }

    private List<Message> receive(String url, int most) {
        return sqs.receiveMessage(request -> request.queueUrl(url)
                        .maxNumberOfMessages(most)
                        .waitTimeSeconds(1)
                        .visibilityTimeout((int) PEEK.toSeconds())
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .overrideConfiguration(SqsDeadLetters::inTime))
                .messages();
    }

    /** Lets others see them again; where that fails they do in {@link #PEEK}. */
    private void release(String url, List<Message> messages) {
        try {
            sqs.changeMessageVisibilityBatch(request -> request.queueUrl(url)
                    .entries(messages.stream()
                            .map(message -> ChangeMessageVisibilityBatchRequestEntry.builder()
                                    .id(message.messageId())
                                    .receiptHandle(message.receiptHandle())
                                    .visibilityTimeout(0)
                                    .build())
                            .toList())
                    .overrideConfiguration(SqsDeadLetters::inTime));
        } catch (SdkException e) {
            log.warn("dead letters hidden for some seconds: queue={} cause={}", url, e.getMessage());
        }
    }

    private static void inTime(AwsRequestOverrideConfiguration.Builder request) {
        request.apiCallTimeout(PATIENCE);
    }

    private Route route(String queue) {
        var url = urls.get(queue);
        if (url == null) {
            throw new IllegalArgumentException("there is no queue " + queue + " but " + urls.keySet());
        }
        var attributes = attributes(url);
        var policy = attributes.get(QueueAttributeName.REDRIVE_POLICY);
        if (policy == null) {
            throw new IllegalStateException("the queue " + url + " has no redrive policy");
        }
        var deadArn = deadLetterArn(policy);
        var arn = deadArn.split(":", -1);
        var deadUrl = sqs.getQueueUrl(request -> request.queueName(arn[arn.length - 1])
                        .queueOwnerAWSAccountId(arn[arn.length - 2])
                        .overrideConfiguration(SqsDeadLetters::inTime))
                .queueUrl();
        return new Route(attributes.getOrDefault(QueueAttributeName.QUEUE_ARN, ""), deadArn, deadUrl);
    }

    private Map<QueueAttributeName, String> attributes(String url) {
        return sqs.getQueueAttributes(request -> request.queueUrl(url)
                        .attributeNames(
                                QueueAttributeName.QUEUE_ARN,
                                QueueAttributeName.REDRIVE_POLICY,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                        .overrideConfiguration(SqsDeadLetters::inTime))
                .attributes();
    }

    private static String deadLetterArn(String policy) {
        try {
            return JSON.readTree(policy).path("deadLetterTargetArn").asText();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a redrive policy is JSON, not " + policy, e);
        }
    }

    private static String attribute(Message message, MessageSystemAttributeName name) {
        var value = message.attributes().get(name);
        if (value == null) {
            throw new IllegalStateException("message " + message.messageId() + " has no " + name);
        }
        return value;
    }
}
