package io.menuboard.webadmin.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.messaging.DeadLetters;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Where queues cannot be reached; what there is otherwise is tested with change sets, whose messages they are. */
class DeadLettersPagesTest {
    private static final PagesServer server = PagesServer.start(
            "dead-letters", Map.of("menuboard.queues.due-url", "http://127.0.0.1/due"), UnreachableQueues.ENVIRONMENT);

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void lettersThatSomebodyElseLooksAtAreNotNone() {
        var queue = DeadLettersPage.Queue.of(new DeadLetters.Queue("due", 7), List.of(), Instant.EPOCH);

        assertThat(queue.empty()).isFalse();
        assertThat(queue.summary()).startsWith("About 7 messages. Somebody else is looking at them just now");
    }

    @Test
    void queuesThatCannotBeReachedAreNoFaultOfOurs() {
        for (var path : new String[] {"/dead-letters", "/dead-letters/due/redrive"}) {
            var answer = server.get(path);

            assertThat(answer.status()).as(path).isEqualTo(503);
            assertThat(answer.header("Retry-After")).as(path).isEqualTo("1");
        }
        assertThat(server.post("/dead-letters/due/redrive", Map.of()).status()).isEqualTo(503);
    }
}
