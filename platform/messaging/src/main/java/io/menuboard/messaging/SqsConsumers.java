package io.menuboard.messaging;

import io.menuboard.querydb.Turns;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Makes consumers with the client, settings and metrics of this instance; whoever asks for one closes it. */
public final class SqsConsumers {
    private final SqsClient sqs;
    private final Turns turns;
    private final QueuesConfig config;
    private final BatchesConfig batches;
    private final Clock clock;
    private final MeterRegistry registry;

    SqsConsumers(
            SqsClient sqs,
            Turns turns,
            QueuesConfig config,
            BatchesConfig batches,
            Clock clock,
            MeterRegistry registry) {
        this.sqs = sqs;
        this.turns = turns;
        this.config = config;
        this.batches = batches;
        this.clock = clock;
        this.registry = registry;
    }

    /** Has messages handled one by one, several at the same time, on every instance. */
    public QueueConsumer oneByOne(ConsumedQueue queue, QueueHandler handler) {
        return new SqsConsumer(sqs, queue.name(), queue.url(), handler, config, clock, registry);
    }

    /** Has changes handled many at a time, on a few instances only. */
    public QueueConsumer inBatches(ConsumedQueue queue, ChangeBatchHandler handler) {
        return new SqsBatchConsumer(sqs, queue.name(), queue.url(), handler, turns, config, batches, clock, registry);
    }
}
