package io.menuboard.messaging;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Handles batches of one or many messages of one queue. Thread-safe. */
interface BatchHandler<M> {

    /**
     * Reads a message; quick, and without effect.
     *
     * @throws IllegalArgumentException for a body that this version does not understand
     */
    M read(String body);

    /**
     * Handles messages. Whatever this throws, all of them are retried.
     *
     * @return those that are not done; every other one is
     */
    Map<M, NotDone> handle(List<M> messages);

    /** Says why a message has to be received again. */
    sealed interface NotDone {
        record Failed(RuntimeException cause) implements NotDone {}

        record Postponed(Instant until) implements NotDone {}
    }
}
