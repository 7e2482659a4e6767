package io.menuboard.app.queues;

import io.menuboard.messaging.SqsSender;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Group in which batches are scheduled, under {@code menuboard.scheduler.*}; without a group nothing is.
 *
 * @param group schedule group that holds the schedules
 * @param targetArn of the queue of {@code menuboard.queues.due-url}
 * @param roleArn of the role with which EventBridge Scheduler sends there
 * @param deadLetterArn of the queue for what it could not send
 * @param soon what is due within this time is sent to the queue at once, to be seen when it is due; up to 15 minutes,
 *     default 90 s. EventBridge Scheduler is precise to a minute
 */
@Requires(property = "menuboard.scheduler.group")
@ConfigurationProperties("menuboard.scheduler")
record SchedulerConfig(
        String group,
        String targetArn,
        String roleArn,
        String deadLetterArn,
        @Bindable(defaultValue = "90s") Duration soon) {

    SchedulerConfig {
        if (soon.isNegative() || soon.compareTo(SqsSender.MAX_DELAY) > 0) {
            throw new IllegalArgumentException("menuboard.scheduler.soon must be 0 s to 15 minutes, not " + soon);
        }
    }
}
