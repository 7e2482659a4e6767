package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Claims of tasks with more payload than an answer can be long: whatever was claimed is told. */
class LargeClaimsTest {
    /** Of 290 KB each: 17 MB. */
    private static final int TASKS = 60;

    private static final String CLAIM =
            "%s: claimTasks(input: {worker: \"ada\", types: \"%s\", max: %d, idempotencyKey: \"%s\"}) { tasks { key payload } } ";

    @AutoClose
    private static final GraphQlServer server =
            ContextServer.start(Map.of("menuboard.tasks.max-payload-bytes", 300_000));

    @Test
    void aClaimTakesNoMoreThanItsAnswerCanTell() {
        submit("alone");
        var claim = "mutation { " + CLAIM.formatted("one", "alone", TASKS, "alone") + "}";

        var told = keys(server.data(claim).path("one"));
        var again = keys(server.data(claim).path("one"));

        assertThat(told).hasSizeBetween(2, 30).containsExactlyInAnyOrderElementsOf(running("alone"));
        assertThat(again).containsExactlyInAnyOrderElementsOf(told);
    }

    @Test
    void theClaimsOfARequestTakeNoMoreTogether() {
        submit("together");

        var claimed = server.data("mutation { "
                + CLAIM.formatted("one", "together", TASKS / 3, "one")
                + CLAIM.formatted("two", "together", TASKS / 3, "two")
                + CLAIM.formatted("three", "together", TASKS / 3, "three")
                + "}");

        assertThat(keys(claimed)).hasSizeBetween(20, 30).containsExactlyInAnyOrderElementsOf(running("together"));
        assertThat(keys(claimed.path("three"))).hasSize(1);
    }

    private static void submit(String type) {
        var large = SubmitTask.of(new TaskType(type), Json.of("x".repeat(290_000)));
        for (var i = 0; i < TASKS; i++) {
            server.bean(TaskSubmission.class).submit(TasksFixture.STAFF, large);
        }
    }

    private static List<String> running(String type) {
        return keys(
                server.data("{ tasks(filter: {type: \"%s\", statuses: RUNNING}) { nodes { key } } }".formatted(type)));
    }

    private static List<String> keys(JsonNode answer) {
        return answer.findValuesAsText("key");
    }
}
