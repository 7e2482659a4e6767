package io.menuboard.messaging;

/** Has the messages of one queue handled from when it is started until it is closed. */
public sealed interface QueueConsumer extends BackgroundService permits SqsConsumer, SqsBatchConsumer {

    /**
     * Receives nothing more, and gives handlers {@code menuboard.queues.stop} to finish; then interrupts them, and what
     * they were at comes again.
     */
    @Override
    void close();
}
