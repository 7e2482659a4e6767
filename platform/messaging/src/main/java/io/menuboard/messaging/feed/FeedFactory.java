package io.menuboard.messaging.feed;

import io.menuboard.messaging.BackgroundService;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.messaging.SqsLimits;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Wires the feed, where there is a topic and somebody who listens. */
@Factory
@Requires(property = FeedConfig.TOPIC)
@Requires(beans = FeedListener.class)
final class FeedFactory {
    private static final Duration SWEEP = Duration.ofMinutes(5);

    @Singleton
    FeedMetrics metrics(MeterRegistry registry, TableClock clock) {
        return new FeedMetrics(registry, clock);
    }

    @Singleton
    FeedListeners listeners(List<FeedListener> listeners, FeedMetrics metrics) {
        return new FeedListeners(listeners, metrics);
    }

    @Singleton
    FeedQueues queues(SqsClient sqs, FeedConfig config, SqsLimits limits) {
        return new FeedQueues(sqs, config, limits.longPoll());
    }

    @Singleton
    FeedTopic topic(SnsClient sns, FeedConfig config, FeedListeners listeners) {
        return new FeedTopic(sns, config.topicArn(), listeners.types());
    }

    @Singleton
    @Bean(preDestroy = "close")
    BackgroundService feed(
            FeedQueues queues,
            FeedTopic topic,
            FeedListeners listeners,
            FeedMetrics metrics,
            FeedConfig config,
            TableClock clock) {
        return new Feed(queues, topic, listeners, metrics, config, clock);
    }

    @Singleton
    @Named("feed")
    PeriodicJob sweep(FeedQueues queues, FeedTopic topic, TableClock clock) {
        return new PeriodicJob("feed", SWEEP, new FeedSweep(queues, topic, clock));
    }
}
