package io.menuboard.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asks every field of {@code tasks.graphqls}, and sees that each has something to say. */
class EveryFieldTest {
    private static final String UNKNOWN = "00000000000000000000000000";

    /**
     * A race that cannot be staged from outside, and what only earlier versions began, which BulkOperationsTest has; and what
     * leads back to its own type.
     */
    private static final Set<String> ELSEWHERE =
            Set.of("BulkOutcome.message", "TaskFilter.idempotencyKey", "Task.clonedFrom");

    /** What asks for everything costs more than a client may ask for. */
    private final GraphQlServer server =
            ContextServer.start(Map.of("menuboard.tasks.max-submit", 20, "menuboard.graphql.max-cost", 100_000_000));

    private final AskedFields fields = new AskedFields(server);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyFieldGivesWhatItIsFor() {
        var keyed = id(fields.mutate(
                "submitTask",
                "input: {type: \"a\", payload: {n: 1}, idempotencyKey: \"k\", priority: HIGH, maxAttempts: 2}"));
        fields.mutate("submitTask", "input: {type: \"a\", idempotencyKey: \"k\"}");
        fields.mutate(
                "submitTasks",
                "input: {tasks: [{type: \"a\", idempotencyKey: \"k2\"}, {type: \"a\", idempotencyKey: \"k\"}, {type: \"#\"}]}");
        var claimed = claim("a", "ada");
        var done = claimed.path("id").asText();
        fields.mutate("extendLease", "input: {" + held(claimed) + ", progress: {done: 1, total: 3, message: \"on\"}}");
        fields.query("tasks(filter: {statuses: RUNNING, worker: \"ada\"}, first: 5)");
        fields.query("worker(id: \"ada\")");
        fields.query("workers(first: 1)");
        fields.mutate("releaseTask", "input: {" + held(claimed) + ", reason: \"lunch\"}");
        var again =
                fields.mutate("claimTask", "input: {id: \"%s\", worker: \"ada\", leaseSeconds: 30}".formatted(done));
        fields.mutate("completeTask", "input: {" + held(again.path("task")) + ", result: {ok: true}}");
        var failing = claim("a", "bob");
        var failed = failing.path("id").asText();
        fields.mutate("failTask", "input: {" + held(failing) + ", reason: \"no paper\", retryable: false}");
        fields.mutate("retryTask", "input: {id: \"%s\", reason: \"paper is there\"}".formatted(failed));
        fields.mutate("reassignTask", "input: {id: \"%s\", worker: \"bob\", reason: \"is nearer\"}".formatted(failed));
        fields.query("task(id: \"%s\")".formatted(failed));
        fields.query("task(id: \"%s\")".formatted(keyed));
        var copy = id(fields.mutate("cloneTask", "input: {id: \"%s\"}".formatted(done)));
        fields.query("task(id: \"%s\")".formatted(copy));
        fields.mutate("cancelTask", "input: {id: \"%s\", reason: \"once is enough\"}".formatted(copy));
        fields.query("task(id: \"%s\")".formatted(copy));
        fields.query("queueStatistics");
        fields.mutate("cloneTask", "input: {id: \"%s\", idempotencyKey: \"copy\"}".formatted(done));
        refuseAll(done);
        bulk("type: \"a\", submittedFrom: \"2020-01-01T00:00:00Z\", submittedUntil: \"2999-01-01T00:00:00Z\"");
        claim("c", "eve");
        bulk("statuses: RUNNING, worker: \"eve\"");
        await().atMost(20, SECONDS).until(() -> !fields.query("taskCounts(from: \"2020-01-01T00:00:00Z\")")
                .path("nodes")
                .isEmpty());

        assertThat(fields.unanswered("tasks.graphqls")).isSubsetOf(ELSEWHERE);
    }

    private JsonNode claim(String type, String worker) {
        fields.mutate("submitTask", "input: {type: \"%s\"}".formatted(type));
        return fields.mutate("claimTasks", "input: {worker: \"%s\", types: [\"%s\"], max: 1}".formatted(worker, type))
                .at("/tasks/0");
    }

    private static String held(JsonNode task) {
        return "id: \"%s\", leaseToken: %s".formatted(task.path("id").asText(), task.at("/lease/leaseToken"));
    }

    private void refuseAll(String submitted) {
        var one = "id: \"%s\"".formatted(UNKNOWN);
        var held = one + ", fencingToken: 1";
        fields.mutate("claimTask", "input: {" + one + ", worker: \"ada\"}");
        fields.mutate("claimTasks", "input: {worker: \"ada\", types: []}");
        fields.mutate("extendLease", "input: {" + held + "}");
        fields.mutate("completeTask", "input: {" + held + "}");
        fields.mutate("failTask", "input: {" + held + ", reason: \"r\"}");
        fields.mutate("releaseTask", "input: {" + held + "}");
        fields.mutate("cancelTask", "input: {" + one + "}");
        fields.mutate("retryTask", "input: {" + one + "}");
        fields.mutate("cloneTask", "input: {" + one + "}");
        fields.mutate("cloneTask", "input: {id: \"%s\", idempotencyKey: \"k\"}".formatted(submitted));
        fields.mutate("reassignTask", "input: {" + one + ", worker: \"ada\"}");
        fields.mutate("submitTask", "input: {type: \"#\"}");
        fields.mutate(
                "submitTasks",
                "input: {tasks: "
                        + Stream.generate(() -> "{type: \"a\"}").limit(21).toList() + "}");
    }

    private void bulk(String filter) {
        fields.query("bulkPreview(action: CANCEL, filter: {%s})".formatted(filter));
        var key = "idempotencyKey: \"bulk %s\"".formatted(filter.hashCode());
        var start = "input: {action: CANCEL, filter: {%s}, reason: \"wrong batch\", %s}".formatted(filter, key);
        var id = fields.mutate("startBulkOperation", start).at("/operation/id").asText();
        fields.mutate("startBulkOperation", start.replace("wrong", "bad"));
        await().atMost(20, SECONDS).until(() -> fields.query("bulkOperation(id: \"%s\")".formatted(id))
                .at("/task/status")
                .asText()
                .equals("COMPLETED"));
    }

    private static String id(JsonNode payload) {
        return payload.at("/task/id").asText();
    }
}
