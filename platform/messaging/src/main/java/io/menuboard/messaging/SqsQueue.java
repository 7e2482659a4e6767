package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A queue as its consumer sees it; every method that asks it something is one request. Thread-safe. */
final class SqsQueue {
    /** Most messages of one request (Amazon SQS quotas). */
    static final int MOST_MESSAGES = 10;

    private static final Logger log = LoggerFactory.getLogger(SqsQueue.class);

    /** The longest that a message can stay with who received it, less a reserve for the way (Amazon SQS quotas). */
    private static final Duration LONGEST_HOLD = Duration.ofHours(12).minusSeconds(30);

    private final SqsClient sqs;
    private final String name;
    private final String url;
    private final SqsSender sender;
    private final QueuesConfig config;
    private final TableClock clock;
    private final QueueMetrics metrics;

    SqsQueue(SqsClient sqs, ConsumedQueue queue, QueuesConfig config, TableClock clock, MeterRegistry registry) {
        this.sqs = sqs;
        this.name = queue.name();
        this.url = queue.url();
        this.sender = new SqsSender(sqs, url);
        this.config = config;
        this.clock = clock;
        this.metrics = new QueueMetrics(registry, name);
    }

    String name() {
        return name;
    }

    QueueMetrics metrics() {
        return metrics;
    }

    /** Waits for the first message, as long as configured; an interrupt ends the wait. */
    List<SqsMessage> receive(int most) {
        var answer = sqs.receiveMessage(request -> request.queueUrl(url)
                .maxNumberOfMessages(most)
                .waitTimeSeconds((int) config.longPoll().toSeconds())
                .visibilityTimeout((int) config.visibility().toSeconds())
                .messageSystemAttributeNames(
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                        MessageSystemAttributeName.SENT_TIMESTAMP));
        var at = clock.instant();
        var messages = answer.messages().stream()
                .map(message -> new SqsMessage(message, at))
                .toList();
        messages.forEach(message -> metrics.received(message.age()));
        return messages;
    }

    /** Deletes up to ten messages. Those that cannot be deleted are received again, which is a line in the log. */
    void delete(List<SqsMessage> messages) {
        var entries = IntStream.range(0, messages.size())
                .mapToObj(entry -> DeleteMessageBatchRequestEntry.builder()
                        .id(Integer.toString(entry))
                        .receiptHandle(messages.get(entry).handle())
                        .build())
                .toList();
        attempt("message is received again, though it was handled", messages, () -> sqs.deleteMessageBatch(
                        request -> request.queueUrl(url).entries(entries))
                .failed());
    }

    /**
     * Makes up to ten messages visible again, each when its time from now on has passed; zero releases them at once. Where
     * that fails they are visible when their visibility time-out ends, which is a line in the log.
     */
    void changeVisibility(List<SqsMessage> messages, Function<SqsMessage, Duration> time) {
        var now = clock.instant();
        var entries = IntStream.range(0, messages.size())
                .mapToObj(entry -> ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(entry))
                        .receiptHandle(messages.get(entry).handle())
                        .visibilityTimeout(visibility(messages.get(entry), time.apply(messages.get(entry)), now))
                        .build())
                .toList();
        attempt("visibility of message not changed", messages, () -> sqs.changeMessageVisibilityBatch(
                        request -> request.queueUrl(url).entries(entries))
                .failed());
    }

    /** Sends another one like it, which is visible when that time has passed, or 15 minutes if that is less. */
    void sendAgain(SqsMessage message, Duration time) {
        sender.send(message.body(), shorter(time, SqsSender.MAX_DELAY));
    }

    void logDeadLetter(SqsMessage message, String because, RuntimeException failure) {
        log.error(
                "message will be a dead letter: queue={} message={} receives={} because={}",
                name,
                message.id(),
                message.count(),
                because,
                failure);
    }

    /** Negative when that is past. */
    Duration timeUntil(Instant until) {
        return Duration.between(clock.instant(), until);
    }

    private void attempt(String otherwise, List<SqsMessage> messages, Supplier<List<BatchResultErrorEntry>> request) {
        try {
            for (var failed : request.get()) {
                log.warn(
                        "{}: queue={} message={} code={}",
                        otherwise,
                        name,
                        messages.get(Integer.parseInt(failed.id())).id(),
                        failed.code());
            }
        } catch (SdkException e) {
            QueryDbException.warn(log, e, "{}: queue={} messages={}", otherwise, name, messages.size());
        }
    }

    private static int visibility(SqsMessage message, Duration time, Instant now) {
        return SqsSender.wholeSeconds(shorter(time, LONGEST_HOLD.minus(Duration.between(message.at(), now))));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
