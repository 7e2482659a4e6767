package io.menuboard.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Claims that wait, with far fewer threads than claims, and without looking for tasks meanwhile. */
class WaitingClaimsTest {
    private static final int THREADS = 4;

    /** Less than anything here would take by itself, and enough for a machine that has more to do. */
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    private static final String CLAIM = "mutation($worker: ID!, $type: String!) {"
            + " claimTasks(input: {worker: $worker, types: [$type], waitSeconds: 20}) { tasks { id workerKey } } }";

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        server = ContextServer.start(
                Map.of("menuboard.graphql.threads", THREADS, "menuboard.tasks.poll-interval", "30s"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void waitingTakesNoThreadFromAnybody() {
        var waiting = IntStream.range(0, 3 * THREADS)
                .mapToObj(i -> claim("waiter-" + i, "crowd"))
                .toList();
        await().atMost(10, SECONDS).until(() -> workers("crowd") == waiting.size());

        assertThat(server.later("{ __typename }", Map.of())).succeedsWithin(AT_ONCE);
        assertThat(server.later("{ tasks(filter: {type: \"none\"}) { nodes { id } } }", Map.of()))
                .succeedsWithin(AT_ONCE)
                .satisfies(
                        answer -> assertThat(answer.data().at("/tasks/nodes")).isEmpty());
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        var submitted = submit("crowd", waiting.size());

        assertThat(waiting).allSatisfy(claim -> assertThat(claim).succeedsWithin(AT_ONCE));
        assertThat(waiting.stream().map(claim -> claimed(claim.join())).flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(submitted);
    }

    @Test
    void aTaskIsHandedToWhoWaitsForIt() {
        var claim = claim("early", "handed");
        await().atMost(10, SECONDS).until(() -> workers("handed") == 1);
        assertThat(claim).isNotDone();

        var id = submit("handed", 1);

        assertThat(claim).succeedsWithin(AT_ONCE).satisfies(answer -> assertThat(claimed(answer))
                .isEqualTo(id));
    }

    @Test
    void theFieldsOfAMutationAreExecutedOneAfterTheOther() {
        var answer = server.data("mutation {"
                + " none: claimTasks(input: {worker: \"w\", types: [\"serial\"], waitSeconds: 1}) { tasks { id } }"
                + " one: submitTask(input: {type: \"serial\", payload: 1}) { task { id } }"
                + " first: claimTasks(input: {worker: \"w\", types: [\"serial\"], waitSeconds: 1}) { tasks { payload } }"
                + " two: submitTask(input: {type: \"serial\", payload: 2}) { task { id } }"
                + " second: claimTasks(input: {worker: \"w\", types: [\"serial\"]}) { tasks { payload } } }");

        assertThat(answer.at("/none/tasks")).isEmpty();
        assertThat(answer.at("/first/tasks")).hasToString("[{\"payload\":1}]");
        assertThat(answer.at("/second/tasks")).hasToString("[{\"payload\":2}]");
    }

    @Test
    void theWaitsOfARequestEndTogether() {
        try (var impatient = ContextServer.start(Map.of("menuboard.tasks.max-wait", "4s"))) {
            var claims = IntStream.range(0, 10)
                    .mapToObj(i ->
                            " c%d: claimTasks(input: {worker: \"w\", types: [\"none\"], waitSeconds: 4}) { tasks { id } }"
                                    .formatted(i))
                    .toList();

            assertThat(impatient.later("mutation {" + String.join("", claims) + " }", Map.of()))
                    .succeedsWithin(Duration.ofSeconds(20))
                    .satisfies(answer -> assertThat(answer.data()).hasSize(10));
        }
    }

    private static CompletableFuture<Answer> claim(String worker, String type) {
        return server.later(CLAIM, Map.of("worker", worker, "type", type));
    }

    private static List<String> submit(String type, int count) {
        return server.data(
                        "mutation($inputs: [SubmitTaskInput!]!) { submitTasks(input: {tasks: $inputs}) {"
                                + " outcomes { task { id } } } }",
                        Map.of("inputs", Collections.nCopies(count, Map.of("type", type))))
                .path("submitTasks")
                .findValuesAsText("id");
    }

    private static List<String> claimed(Answer answer) {
        return answer.data().at("/claimTasks/tasks").findValuesAsText("id");
    }

    /** A worker is on the list before it waits, and what comes in from then on finds it. */
    private static long workers(String type) {
        return server.data("{ workers { nodes { types } } }").at("/workers/nodes").findValues("types").stream()
                .filter(types -> types.toString().contains("\"" + type + "\""))
                .count();
    }
}
