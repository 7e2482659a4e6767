package io.menuboard.messaging;

import java.time.Instant;
import java.util.Optional;

/** What is done about the messages of one queue. Thread-safe. */
public interface QueueHandler {

    /**
     * What a message with this body asks for; quick, and without effect.
     *
     * @throws IllegalArgumentException for a body that nobody will ever understand
     */
    Work read(String body);

    /** What one message asks for. */
    interface Work {

        /**
         * Does it. Whatever this throws, the message comes again.
         *
         * @return empty when it is done; otherwise nothing is done, and the message comes again at that instant
         */
        Optional<Instant> perform();
    }
}
