package io.menuboard.messaging;

/** Has the messages of one queue handled from when it is started until it is closed. */
public sealed interface QueueConsumer extends BackgroundService permits SqsConsumer, SlottedConsumer {

    /**
     * Receives nothing more, and gives handlers {@code menuboard.queues.stop} to finish; then interrupts them. Messages
     * that are not handled by then, and those that no handler had yet, are released: another instance can receive them.
     */
    @Override
    void close();
}
