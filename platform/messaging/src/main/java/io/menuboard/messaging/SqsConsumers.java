package io.menuboard.messaging;

import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Makes consumers with the client, settings and metrics of this instance; the caller closes them. */
public final class SqsConsumers {
    private final SqsClient sqs;
    private final InstanceLeases leases;
    private final QueuesConfig config;
    private final BatchesConfig batches;
    private final TableClock clock;
    private final MeterRegistry registry;

    SqsConsumers(
            SqsClient sqs,
            InstanceLeases leases,
            QueuesConfig config,
            BatchesConfig batches,
            TableClock clock,
            MeterRegistry registry) {
        this.sqs = sqs;
        this.leases = leases;
        this.config = config;
        this.batches = batches;
        this.clock = clock;
        this.registry = registry;
    }

    /** Has messages handled one by one, several at the same time, on every instance. */
    public QueueConsumer oneByOne(ConsumedQueue queue, MessageHandler handler) {
        return new SqsConsumer<>(queue(queue), new SingleMessages(handler), ConsumerSettings.single(config), config);
    }

    /** Has changes handled many at a time, on a few instances only. */
    public QueueConsumer inBatches(ConsumedQueue queue, ChangeBatchHandler handler) {
        return new SlottedConsumer(
                queue.name(),
                new SqsConsumer<>(queue(queue), new ChangeBatches(handler), ConsumerSettings.batches(batches), config),
                new ConsumerSlot(leases, queue.name(), batches.batchConsumers()),
                handler);
    }

    private SqsQueue queue(ConsumedQueue queue) {
        return new SqsQueue(sqs, queue, config, clock, registry);
    }
}
