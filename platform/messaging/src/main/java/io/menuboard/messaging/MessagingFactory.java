package io.menuboard.messaging;

import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Wires messaging. */
@Factory
final class MessagingFactory {
    /** On top of the wait for a message. */
    private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);

    /** Queues whose messages are handled one by one. */
    private static final int SINGLE_QUEUES = 2;

    /** Connections for sending, for reading dead letters, and for hearing of changes. */
    private static final int OTHERS = 32;

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
    SqsLimits limits(QueuesConfig config, BatchesConfig batches) {
        return new SqsLimits(
                SINGLE_QUEUES * ConsumerSettings.single(config).connections()
                        + ConsumerSettings.batches(batches).connections()
                        + OTHERS,
                config.longPoll(),
                config.longPoll().plus(RESPONSE_TIME));
    }

    @Singleton
    SqsConsumers consumers(
            SqsClient sqs,
            InstanceLeases leases,
            QueuesConfig config,
            BatchesConfig batches,
            TableClock clock,
            MeterRegistry registry) {
        return new SqsConsumers(sqs, leases, config, batches, clock, registry);
    }

    @Singleton
    @Requires(beans = ConsumedQueue.class)
    DeadLetters deadLetters(SqsClient sqs, List<ConsumedQueue> queues, AuditTrail audit) {
        return new SqsDeadLetters(sqs, queues, audit);
    }

    @Singleton
    @Bean(preDestroy = "close")
    PeriodicJobs periodicJobs(List<PeriodicJob> jobs, InstanceLeases leases) {
        return new PeriodicJobs(jobs, leases);
    }
}
