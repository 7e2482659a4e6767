package io.menuboard.messaging;

import java.time.Duration;

/**
 * Differences between consumers.
 *
 * @param batchSize most messages that are handled together
 * @param batchWait how long the first message of a batch waits for others
 * @param maxInFlight most messages that are received and not yet settled
 * @param pollers requests for messages that wait at the same time
 * @param maxRequests most requests at the same time that settle messages or keep them invisible
 * @param malformedWait whether messages that cannot be read wait as failed ones do, for an instance of a later version
 */
record ConsumerSettings(
        int batchSize, Duration batchWait, int maxInFlight, int pollers, int maxRequests, boolean malformedWait) {

    /** Each handler may have a request of its own and one that keeps its message. */
    static ConsumerSettings single(QueuesConfig config) {
        return new ConsumerSettings(
                1, Duration.ZERO, config.concurrency(), config.pollers(), 2 * config.concurrency(), true);
    }

    /** As many requests settle messages as receive them, so that neither side waits for the other for long. */
    static ConsumerSettings batches(BatchesConfig config) {
        return new ConsumerSettings(
                config.batchSize(),
                config.batchWait(),
                config.batchMessages(),
                config.batchPollers(),
                config.batchPollers(),
                false);
    }

    /** Most requests to the queue at the same time. */
    int connections() {
        return pollers + maxRequests;
    }
}
