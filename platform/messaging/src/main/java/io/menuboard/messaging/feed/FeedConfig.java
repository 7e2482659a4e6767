package io.menuboard.messaging.feed;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The topic from which every instance hears of changes, under {@code menuboard.feed.*}; without a topic none does.
 *
 * @param topicArn of the standard SNS topic to which the table's changes are published
 * @param queuePrefix what the names of the queues of all instances begin with, and those of no other queues: up to 48
 *     letters, digits, hyphens and underscores
 * @param renew how often an instance says that it lives, default 1 minute
 * @param expiry after which time without that its queue is removed, default 10 minutes, three times {@code renew} or more
 */
@Requires(property = FeedConfig.TOPIC)
@ConfigurationProperties("menuboard.feed")
record FeedConfig(
        String topicArn,
        String queuePrefix,
        @Bindable(defaultValue = "1m") Duration renew,
        @Bindable(defaultValue = "10m") Duration expiry) {

    static final String TOPIC = "menuboard.feed.topic-arn";

    private static final Pattern ARN = Pattern.compile("arn:[^:]+:sns:[^:]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}");

    /** With the 32 characters of an id it is the longest name of a queue (Amazon SQS quotas). */
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{1,48}");

    private static final int RENEWALS = 3;

    FeedConfig {
        require("topic-arn", ARN.matcher(topicArn).matches(), "the ARN of a standard topic", topicArn);
        require(
                "queue-prefix",
                PREFIX.matcher(queuePrefix).matches(),
                "1 to 48 letters, digits, '-' and '_'",
                queuePrefix);
        require("renew", renew.compareTo(Duration.ofSeconds(1)) >= 0, "1 s or more", renew);
        require("expiry", expiry.compareTo(renew.multipliedBy(RENEWALS)) >= 0, "3 times renew or more", expiry);
    }

    private static void require(String name, boolean ok, String rule, Object value) {
        if (!ok) {
            throw new IllegalArgumentException("menuboard.feed." + name + " must be " + rule + ", not " + value);
        }
    }
}
