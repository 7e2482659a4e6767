package io.menuboard.app.queues;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.messaging.SqsSender;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.batches.PriceBatch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.scheduler.model.ActionAfterCompletion;
import software.amazon.awssdk.services.scheduler.model.ConflictException;
import software.amazon.awssdk.services.scheduler.model.FlexibleTimeWindowMode;
import software.amazon.awssdk.services.scheduler.model.ResourceNotFoundException;

/**
 * One-time schedules of EventBridge Scheduler, which delete themselves once they have sent their message to the queue of
 * due batches. A batch has one schedule at most, because its name follows from the batch.
 */
final class EventBridgeSchedules implements BatchSchedules {
    /** EventBridge Scheduler API reference, CreateSchedule. */
    static final int MAX_NAME = 64;

    private static final int HASH_BYTES = 16;
    private static final int MAX_PREFIX = MAX_NAME - 1 - 2 * HASH_BYTES;
    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("'at('uuuu-MM-dd'T'HH:mm:ss')'").withZone(ZoneOffset.UTC);

    /** The most that the service allows (RetryPolicy): a day of attempts, before the message is a dead letter. */
    private static final int MAX_EVENT_AGE_SECONDS = 86_400;

    private static final int MAX_RETRIES = 185;

    private final SchedulerClient scheduler;
    private final SqsSender due;
    private final SchedulerConfig config;
    private final Clock clock;

    EventBridgeSchedules(SchedulerClient scheduler, SqsSender due, SchedulerConfig config, Clock clock) {
        this.scheduler = scheduler;
        this.due = due;
        this.config = config;
        this.clock = clock;
    }

    @Override
    public void schedule(PriceBatch batch, Instant at) {
        var left = Duration.between(clock.instant(), at);
        if (left.compareTo(config.soon()) <= 0) {
            due.send(DueMessages.body(batch), left);
            return;
        }
        try {
            scheduler.createSchedule(request -> request.groupName(config.group())
                    .name(name(batch))
                    .scheduleExpression(expression(at))
                    .scheduleExpressionTimezone("UTC")
                    .flexibleTimeWindow(window -> window.mode(FlexibleTimeWindowMode.OFF))
                    .actionAfterCompletion(ActionAfterCompletion.DELETE)
                    .target(target -> target.arn(config.targetArn())
                            .roleArn(config.roleArn())
                            .input(DueMessages.body(batch))
                            .retryPolicy(retry -> retry.maximumEventAgeInSeconds(MAX_EVENT_AGE_SECONDS)
                                    .maximumRetryAttempts(MAX_RETRIES))
                            .deadLetterConfig(dead -> dead.arn(config.deadLetterArn()))));
        } catch (ConflictException _) {
            // It has its schedule. Should that be an earlier one, its message is put off when it comes.
        }
    }

    @Override
    public void cancel(PriceBatch batch) {
        try {
            scheduler.deleteSchedule(
                    request -> request.groupName(config.group()).name(name(batch)));
        } catch (ResourceNotFoundException _) {
            // Fired, cancelled before, or never made.
        }
    }

    @Override
    public boolean isScheduled(PriceBatch batch) {
        try {
            scheduler.getSchedule(request -> request.groupName(config.group()).name(name(batch)));
            return true;
        } catch (ResourceNotFoundException _) {
            return false;
        }
    }

    /**
     * Date, store and channel as far as they fit, for people, and a hash of the batch, which tells batches apart whatever
     * had to be cut or replaced.
     */
    static String name(PriceBatch batch) {
        var date = batch.effectiveDate().toString();
        var readable = (date + "_" + batch.store() + "_" + batch.channel()).replaceAll("[^0-9a-zA-Z_.-]", "-");
        // Ids have no '#', so different batches have different texts.
        var hash = sha256(date + "#" + batch.store() + "#" + batch.channel());
        return readable.substring(0, Math.min(MAX_PREFIX, readable.length())) + "_"
                + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    }

    /** The service knows whole seconds; a started one counts, so that nothing is due early. */
    private static String expression(Instant at) {
        return AT.format(at.plusNanos(999_999_999));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
