package io.menuboard.graphql.streams;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/**
 * Settings of subscriptions, under {@code menuboard.graphql.streams.*}, of each instance by itself.
 *
 * @param most subscriptions that are open at once, default 5,000; one more is {@code TOO_MANY_SUBSCRIBERS}
 * @param mostPerPrincipal those of one account or token, default 1,000; one more is, too
 * @param mostPerConnection operations at once over one WebSocket, default 100; one more is {@code TOO_MANY_OPERATIONS}.
 *     Four of them are executed at once, or have an answer that is not written
 * @param maxMessageBytes longest message that a client may send over a WebSocket, default 256 KB, at most 1 MB; for a longer
 *     one the connection is closed (1009)
 * @param threads most events that are worked on at once, default 8: they take no threads from requests
 * @param keepAlive after which time without an event something is sent that says nothing, default 15 s. A WebSocket that
 *     has answered nothing by the next time is closed
 * @param initTimeout how long a WebSocket may stay without {@code connection_init}, default 10 s; then it is closed (4408)
 * @param writeTimeout how long a client may take for one message that is sent to it before its connection is closed, default 30 s
 * @param accessCheck how often it is asked whether whoever listens may still, default 1.5 s: with the two seconds
 *     for which it is known (ADR 28), a read and the timer, a stream ends within five
 * @param accessUnknown for how long a stream goes on while that cannot be found out, default 60 s
 * @param stopTimeout how long a stop waits until streams are ended, default 2 s
 * @param watchInterval how often a task or a change set is read that somebody watches, default 1 s
 */
@ConfigurationProperties("menuboard.graphql.streams")
public record StreamsConfig(
        @Bindable(defaultValue = "5000") int most,
        @Bindable(defaultValue = "1000") int mostPerPrincipal,
        @Bindable(defaultValue = "100") int mostPerConnection,
        @Bindable(defaultValue = "256KB") @ReadableBytes int maxMessageBytes,
        @Bindable(defaultValue = "8") int threads,
        @Bindable(defaultValue = "15s") Duration keepAlive,
        @Bindable(defaultValue = "10s") Duration initTimeout,
        @Bindable(defaultValue = "30s") Duration writeTimeout,
        @Bindable(defaultValue = "1500ms") Duration accessCheck,
        @Bindable(defaultValue = "60s") Duration accessUnknown,
        @Bindable(defaultValue = "2s") Duration stopTimeout,
        @Bindable(defaultValue = "1s") Duration watchInterval) {

    /** Longest frame that is read: annotations cannot follow settings. */
    static final int MAX_FRAME_BYTES = 1_048_576;

    public StreamsConfig {
        requirePositive("most", most);
        requirePositive("most-per-principal", mostPerPrincipal);
        requirePositive("most-per-connection", mostPerConnection);
        requirePositive("max-message-bytes", maxMessageBytes);
        requirePositive("threads", threads);
        requirePositive("keep-alive", keepAlive.toNanos());
        requirePositive("init-timeout", initTimeout.toNanos());
        requirePositive("write-timeout", writeTimeout.toNanos());
        requirePositive("access-check", accessCheck.toNanos());
        requirePositive("access-unknown", accessUnknown.toNanos());
        requirePositive("watch-interval", watchInterval.toNanos());
        if (maxMessageBytes > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException("menuboard.graphql.streams.max-message-bytes must be at most "
                    + MAX_FRAME_BYTES + ", not " + maxMessageBytes);
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("menuboard.graphql.streams." + name + " must be above 0");
        }
    }
}
