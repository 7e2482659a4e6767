package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.local.aws.LocalScheduler.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Sends what schedules are for to their queues, with retries and dead letters; guarded by the lock of {@link LocalScheduler}. */
final class ScheduleDelivery {
    static final Pattern QUEUE = Pattern.compile("arn:aws:sqs:[a-z0-9-]+:\\d{12}:([\\w.-]+)");

    private static final Logger log = LoggerFactory.getLogger(ScheduleDelivery.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 6;

    private final SqsClient sqs;
    private final Map<String, Misfire> misfires = new HashMap<>();
    private int failingDeliveries;

    ScheduleDelivery(SqsClient sqs) {
        this.sqs = sqs;
    }

    /** @param part of the messages of those schedules */
    void misfire(String part, Misfire kind) {
        misfires.put(part, kind);
    }

    private Misfire misfire(Schedule schedule) {
        var message = schedule.definition.path("Target").path("Input").asText();
        return misfires.entrySet().stream()
                .filter(one -> message.contains(one.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseGet(Misfire.None::new);
    }

    void failNext(int deliveries) {
        failingDeliveries = deliveries;
    }

    /** Delay with which a schedule fires now. */
    Duration delay(Schedule schedule) {
        return misfire(schedule) instanceof Misfire.Late(var by) ? by : Duration.ZERO;
    }

    /** Delivers what is due, or says when to try again; a schedule that gives up is completed too. */
    void fire(Schedule schedule, Instant now) {
        var target = schedule.definition.path("Target");
        var misfire = misfire(schedule);
        try {
            if (!(misfire instanceof Misfire.Never)) {
                deliver(target);
            }
            if (misfire instanceof Misfire.Twice) {
                deliver(target);
            }
            schedule.completed = true;
        } catch (SdkException | IllegalStateException e) {
            schedule.failures++;
            var policy = target.path("RetryPolicy");
            var age = Duration.between(schedule.at, now);
            if (schedule.failures > policy.path("MaximumRetryAttempts").asInt()) {
                giveUp(schedule, target, "MaximumRetryAttempts", e);
            } else if (age.toSeconds() > policy.path("MaximumEventAgeInSeconds").asInt()) {
                giveUp(schedule, target, "MaximumEventAgeInSeconds", e);
            } else {
                schedule.nextAttempt =
                        now.plus(FIRST_RETRY.multipliedBy(1L << Math.min(schedule.failures - 1, MAX_DOUBLINGS)));
            }
        }
    }

    private void deliver(JsonNode target) {
        if (failingDeliveries > 0) {
            failingDeliveries--;
            throw new IllegalStateException("told to fail");
        }
        var group = target.path("SqsParameters").path("MessageGroupId");
        var url = url(target.path("Arn").asText());
        sqs.sendMessage(request -> request.queueUrl(url)
                .messageBody(target.path("Input").asText())
                .messageGroupId(group.isTextual() ? group.textValue() : null));
    }

    private void giveUp(Schedule schedule, JsonNode target, String exhausted, RuntimeException cause) {
        schedule.completed = true;
        var dead = target.path("DeadLetterConfig").path("Arn").textValue();
        if (dead == null) {
            log.error("a schedule was dropped: {}", schedule.name, cause);
            return;
        }
        var url = url(dead);
        sqs.sendMessage(request -> request.queueUrl(url)
                .messageBody(target.path("Input").asText())
                .messageAttributes(Map.of(
                        "ERROR_CODE", attribute("AWS.Scheduler.InternalServerError"),
                        "ERROR_MESSAGE", attribute(String.valueOf(cause.getMessage())),
                        "EXHAUSTED_RETRY_CONDITION", attribute(exhausted),
                        "RETRY_ATTEMPTS", attribute("" + (schedule.failures - 1)),
                        "SCHEDULE_ARN", attribute(schedule.arn()),
                        "TARGET_ARN", attribute(target.path("Arn").asText()))));
    }

    private String url(String arn) {
        var matcher = QUEUE.matcher(arn);
        if (!matcher.matches()) {
            throw new IllegalStateException("no queue: " + arn);
        }
        return sqs.getQueueUrl(request -> request.queueName(matcher.group(1))).queueUrl();
    }

    private static MessageAttributeValue attribute(@Nullable String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }
}
