package io.menuboard.messaging;

import java.time.Instant;
import java.util.Optional;

/** Handles the messages of one queue one by one. Thread-safe. */
public interface MessageHandler {

    /**
     * Reads a message; quick, and without effect.
     *
     * @throws IllegalArgumentException for a body that this version does not understand
     */
    Work read(String body);

    /** The work that one message asks for. */
    interface Work {

        /**
         * Does the work. Whatever this throws, the message is retried.
         *
         * @return empty when it is done; otherwise nothing is done, and the message is received again at that instant
         */
        Optional<Instant> perform();
    }
}
