package io.menuboard.app.queues;

import io.menuboard.pricing.changes.DueBatches;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.ChangeBatchHandler;
import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.DeadLetters;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.Turns;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Queues: one consumer for each that is configured, once there is somebody to handle its messages. */
@Factory
final class SqsFactory {
    private static final String CHANGES_URL = "menuboard.queues.changes-url";
    private static final String DUE_URL = "menuboard.queues.due-url";
    private static final String FAVORITES_URL = "menuboard.queues.favorites-url";

    /** On top of the wait for a message. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);

    /** Those whose messages are handled one by one. */
    private static final int QUEUES = 2;

    /** Connections for those who send, and look at dead letters. */
    private static final int OTHERS = 32;

    /** With the SDK's retries: whatever is sent twice may be handled twice. */
    @Singleton
    @Named("maxReceives")
    SharedSetting maxReceives(QueuesConfig config) {
        return SharedSetting.equal("menuboard.queues.max-receives", config.maxReceives());
    }

    @Singleton
    @Named("batchConsumers")
    SharedSetting batchConsumers(BatchesConfig config) {
        return SharedSetting.equal("menuboard.queues.batch-consumers", config.batchConsumers());
    }

    @Singleton
    @Bean(preDestroy = "close")
    SqsClient sqsClient(QueuesConfig config, BatchesConfig batches) {
        return SqsClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        // Each handler may have a request of its own and one that keeps its message. Batches leave by
                        // as
                        // many as they come.
                        .maxConnections(QUEUES * (config.pollers() + 2 * config.concurrency())
                                + 2 * batches.batchPollers()
                                + OTHERS)
                        .socketTimeout(config.longPoll().plus(RESPONSE_TIMEOUT)))
                .build();
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = CHANGES_URL)
    @Requires(beans = ChangeHandler.class)
    SqsConsumer changes(
            SqsClient sqs,
            @Property(name = CHANGES_URL) String url,
            List<ChangeHandler> handlers,
            QueuesConfig config,
            Clock clock,
            MeterRegistry registry) {
        return new SqsConsumer(sqs, SqsDeadLetters.CHANGES, url, new ChangeMessages(handlers), config, clock, registry);
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = DUE_URL)
    @Requires(beans = DueBatches.class)
    SqsConsumer due(
            SqsClient sqs,
            @Property(name = DUE_URL) String url,
            DueBatches batches,
            QueuesConfig config,
            Clock clock,
            MeterRegistry registry) {
        return new SqsConsumer(sqs, SqsDeadLetters.DUE, url, new DueMessages(batches), config, clock, registry);
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = FAVORITES_URL)
    @Requires(beans = ChangeBatchHandler.class)
    SqsBatchConsumer favorites(
            SqsClient sqs,
            @Property(name = FAVORITES_URL) String url,
            ChangeBatchHandler handler,
            Turns turns,
            QueuesConfig config,
            BatchesConfig batches,
            Clock clock,
            MeterRegistry registry) {
        return new SqsBatchConsumer(
                sqs, SqsDeadLetters.FAVORITES, url, handler, turns, config, batches, clock, registry);
    }

    @Singleton
    @Requires(condition = AnyQueue.class)
    DeadLetters deadLetters(SqsClient sqs, QueuesConfig config, AuditTrail audit) {
        return new SqsDeadLetters(sqs, config, audit);
    }

    /** Whether a queue is configured: without one nobody has a region for the client either. */
    static final class AnyQueue implements Condition {
        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public boolean matches(ConditionContext context) {
            return context.containsProperty(CHANGES_URL)
                    || context.containsProperty(DUE_URL)
                    || context.containsProperty(FAVORITES_URL);
        }
    }
}
