package io.menuboard.messaging;

import static io.menuboard.messaging.QueuesConfig.require;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of consumers in batches, under {@code menuboard.queues.*}.
 *
 * @param batchSize most records that are handled together, default 1,000
 * @param batchWait how long the first record of a batch waits for others, default 100 ms
 * @param batchMessages most messages that an instance has in flight, 10 or more, default 5,000
 * @param batchPollers requests for ten messages that wait at once, default 8: at 15 ms each, 5,000 messages a second
 * @param batchConsumers how many instances consume at the same time, default 4
 */
@ConfigurationProperties("menuboard.queues")
record BatchesConfig(
        @Bindable(defaultValue = "1000") int batchSize,
        @Bindable(defaultValue = "100ms") Duration batchWait,
        @Bindable(defaultValue = "5000") int batchMessages,
        @Bindable(defaultValue = "8") int batchPollers,
        @Bindable(defaultValue = "4") int batchConsumers) {

    BatchesConfig {
        require("batch-size", batchSize >= 1, "at least 1", batchSize);
        require("batch-wait", !batchWait.isNegative(), "0 s or more", batchWait);
        require(
                "batch-messages",
                batchMessages >= SqsQueue.MOST_MESSAGES,
                "at least " + SqsQueue.MOST_MESSAGES,
                batchMessages);
        require("batch-pollers", batchPollers >= 1, "at least 1", batchPollers);
        require("batch-consumers", batchConsumers >= 1, "at least 1", batchConsumers);
    }
}
