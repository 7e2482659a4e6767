package io.menuboard.messaging;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of every consumer, under {@code menuboard.queues.*}; those of consumers in batches are {@link BatchesConfig}.
 * Endpoint, region and credentials come from the SDK's own configuration ({@code AWS_ENDPOINT_URL_SQS} and so on).
 *
 * @param concurrency most messages of one queue that are handled at once, default 16
 * @param pollers requests for up to ten messages of one queue that wait at once, default 2
 * @param longPoll how long a request waits for a message, whole seconds up to 20 s, the default
 * @param visibility how long a message belongs to its handler after the last sign of life, whole seconds from 2 s on,
 *     default 30 s; the longest that work of an instance which was killed lies about
 * @param backoff how long a message waits after its first failure, default 15 s; four times as long after each further one
 * @param maxBackoff the longest of these waits, default 15 minutes
 * @param maxReceives after how many receives the queues' redrive policy makes a message a dead letter, default 5
 * @param stop how long handlers may take to finish when the instance stops, default 20 s
 */
@ConfigurationProperties("menuboard.queues")
record QueuesConfig(
        @Bindable(defaultValue = "16") int concurrency,
        @Bindable(defaultValue = "2") int pollers,
        @Bindable(defaultValue = "20s") Duration longPoll,
        @Bindable(defaultValue = "30s") Duration visibility,
        @Bindable(defaultValue = "15s") Duration backoff,
        @Bindable(defaultValue = "15m") Duration maxBackoff,
        @Bindable(defaultValue = "5") int maxReceives,
        @Bindable(defaultValue = "20s") Duration stop) {

    private static final int BACKOFF_FACTOR = 4;
    private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
    private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

    QueuesConfig {
        require("concurrency", concurrency >= 1, "at least 1", concurrency);
        require("pollers", pollers >= 1, "at least 1", pollers);
        require("long-poll", isBetween(Duration.ZERO, longPoll, LONGEST_POLL), "0 s to 20 s", longPoll);
        require(
                "visibility",
                isBetween(Duration.ofSeconds(2), visibility, LONGEST_VISIBILITY),
                "2 s to 12 h",
                visibility);
        require("max-backoff", isBetween(Duration.ZERO, maxBackoff, LONGEST_VISIBILITY), "0 s to 12 h", maxBackoff);
        require("backoff", isBetween(Duration.ZERO, backoff, maxBackoff), "0 s to max-backoff", backoff);
        require("max-receives", maxReceives >= 1, "at least 1", maxReceives);
        require("stop", !stop.isNegative(), "0 s or more", stop);
    }

    /** Delay of a message that failed when it was received so many times. */
    Duration backoffAfter(int receives) {
        var time = backoff;
        for (var i = 1; i < receives && time.compareTo(maxBackoff) < 0; i++) {
            time = time.multipliedBy(BACKOFF_FACTOR);
        }
        return time.compareTo(maxBackoff) < 0 ? time : maxBackoff;
    }

    private static boolean isBetween(Duration min, Duration value, Duration max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    static void require(String name, boolean ok, String rule, Object value) {
        if (!ok) {
            throw new IllegalArgumentException("menuboard.queues." + name + " must be " + rule + ", not " + value);
        }
    }
}
