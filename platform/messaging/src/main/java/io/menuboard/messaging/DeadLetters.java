package io.menuboard.messaging;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.List;

/** Messages that failed as often as their queue allows, and wait until somebody sends them on their way again. */
public interface DeadLetters {

    /** Every queue that has dead letters, or might have, by name; three requests each, which take some seconds at the most. */
    List<Queue> queues();

    /**
     * Some of a queue's dead letters, oldest first as far as can be known; they stay where they are, but for some seconds
     * nobody else sees them.
     *
     * @param queue a name from {@link #queues()}; {@link IllegalArgumentException} for any other
     * @param most 1 to 100
     */
    List<DeadLetter> peek(String queue, int most);

    /**
     * Has all dead letters of that queue sent back to where they failed, and returns before that is done. None is lost;
     * one may be handled twice. Asking again while they go back changes nothing.
     *
     * <p>Before the first one goes, the audit trail has who asked for it, under the subject {@code QUEUE#{queue}}.
     *
     * @param queue a name from {@link #queues()}; {@link IllegalArgumentException} for any other
     */
    void redrive(String queue, Actor actor);

    /**
     * A queue.
     *
     * @param name what its messages are about
     * @param deadLetters about how many it has, also of those that somebody looks at
     */
    record Queue(String name, int deadLetters) {}

    /**
     * A message that failed.
     *
     * @param receives how often it was received, peeks at it included
     * @param sentAt when it was sent first
     */
    record DeadLetter(String id, String body, int receives, Instant sentAt) {}
}
