package io.menuboard.webadmin.operations;

import io.menuboard.messaging.DeadLetters;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code operations/dead-letters}.
 *
 * @param configured whether there are queues at all
 * @param redriven the queue whose messages were just sent back, or null
 */
record DeadLettersPage(boolean configured, @Nullable String redriven, List<Queue> queues) {

    /** @param summary about how many it has, in words */
    record Queue(String name, boolean empty, String summary, String redriveHref, List<Letter> letters) {
        static Queue of(DeadLetters.Queue queue, List<DeadLetters.DeadLetter> letters, Instant now) {
            return new Queue(
                    queue.name(),
                    queue.deadLetters() == 0,
                    inWords(queue, letters),
                    RedrivePage.address(queue).toString(),
                    letters.stream().map(letter -> Letter.of(letter, now)).toList());
        }
    }

    private static String inWords(DeadLetters.Queue queue, List<DeadLetters.DeadLetter> letters) {
        if (queue.deadLetters() == 0) {
            return "No dead letters.";
        }
        return letters.isEmpty()
                ? count(queue)
                        + ". Somebody else is looking at them just now: load this page again in some seconds to see them."
                : count(queue) + ".";
    }

    static String count(DeadLetters.Queue queue) {
        return "About " + Counts.of(queue.deadLetters()) + (queue.deadLetters() == 1 ? " message" : " messages");
    }

    record Letter(String id, String sent, String age, String receives, String body) {
        static Letter of(DeadLetters.DeadLetter letter, Instant now) {
            return new Letter(
                    letter.id(),
                    Moments.utcSeconds(letter.sentAt()),
                    Moments.ago(letter.sentAt(), now),
                    Counts.of(letter.receives()),
                    letter.body());
        }
    }
}
