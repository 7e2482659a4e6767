package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What clients with roles for a part get of {@code tasks.graphqls}. */
class TaskAccessOverGraphQlTest {
    private static final String OPERATOR = "TASK_OPERATOR ALL";
    private static final String ADA = "WORKER WORKER#ada";
    private static final String BOB = "WORKER WORKER#bob";
    private static final String NOBODYS = "0".repeat(26);

    @AutoClose
    private static final GraphQlServer server = ContextServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @Test
    void aWorkerThatIsLimitedToItselfSeesAndDoesNothingElse() {
        var id = submit("limited");
        assertThat(mutate(ADA, "claimTask", "id: \"%s\", worker: \"bob\"".formatted(id), "errors { code }")
                        .code())
                .isEqualTo("PERMISSION_DENIED");
        var claimed = mutate(BOB, "claimTask", "id: \"%s\", worker: \"bob\"".formatted(id), LEASE);
        var token = claimed.data().at("/claimTask/task/lease/leaseToken").asText();
        assertThat(token).matches("[0-9]+[.][A-Za-z0-9_-]{22}");

        // The same of Bob's task as of one that there is not, but for the id that was sent.
        for (var field : List.of("task(id: \"%s\") { key }", "node(id: \"Task#%s\") { id }")) {
            assertThat(execute(ADA, "{ " + field.formatted(id) + " }").text())
                    .isEqualTo(
                            execute(ADA, "{ " + field.formatted(NOBODYS) + " }").text());
        }
        for (var mutation : List.of("extendLease", "completeTask", "failTask", "releaseTask")) {
            var reason = mutation.equals("failTask") ? ", reason: \"r\"" : "";
            var input = "id: \"%s\", leaseToken: \"" + token + "\"" + reason;
            var foreign = mutate(ADA, mutation, input.formatted(id), "task { key } errors { code message }");
            var none = mutate(ADA, mutation, input.formatted(NOBODYS), "task { key } errors { code message }");
            assertThat(foreign.text())
                    .contains("LEASE_LOST")
                    .isEqualTo(none.text().replace(NOBODYS, id));
        }
        for (var list : List.of("tasks { nodes { key } }", "workers { nodes { key } }", "queueStatistics { type }")) {
            assertThat(execute(ADA, "{ " + list + " }").code()).isEqualTo("PERMISSION_DENIED");
        }
        var held = "{ tasks(filter: {statuses: [RUNNING], worker: \"%s\"}) { nodes { key } totalCount { count } } }";
        assertThat(execute(ADA, held.formatted("bob")).code()).isEqualTo("PERMISSION_DENIED");
        assertThat(execute(BOB, held.formatted("bob"))
                        .data()
                        .at("/tasks/nodes/0/key")
                        .asText())
                .isEqualTo(id);

        var wrong = "id: \"%s\", leaseToken: \"%s\"".formatted(id, token.replaceAll("[.].*", "." + "A".repeat(22)));
        assertThat(mutate(BOB, "completeTask", wrong, "errors { code }").text()).contains("LEASE_LOST");
        var fencing = "id: \"%s\", fencingToken: %s".formatted(id, token.replaceAll("[.].*", ""));
        assertThat(mutate(BOB, "completeTask", fencing, "errors { code }").text())
                .contains("LEASE_LOST");
        var right = "id: \"%s\", leaseToken: \"%s\"".formatted(id, token);
        assertThat(mutate(BOB, "completeTask", right, "task { status }").text()).contains("COMPLETED");
    }

    private static final String LEASE = "task { lease { leaseToken } } errors { code }";

    @Test
    void nobodySubmitsOperations() {
        var refused = mutate(OPERATOR, "submitTask", "type: \"menuboard.import\"", "errors { code }");

        assertThat(refused.data().at("/submitTask/errors/0/code").asText()).isEqualTo("RESERVED_TYPE");
        assertThat(mutate(ADA, "submitTask", "type: \"labels\"", "errors { code }")
                        .code())
                .isEqualTo("PERMISSION_DENIED");
    }

    @Test
    void aRepeatedClaimAnswersItsLeaseToken() {
        submit("repeated");
        var input = "worker: \"ada\", types: [\"repeated\"], idempotencyKey: \"c1\"";
        var selected = "tasks { key lease { leaseToken } } errors { code }";

        var first = mutate(ADA, "claimTasks", input, selected);
        var again = mutate(ADA, "claimTasks", input, selected);

        assertThat(first.data().at("/claimTasks/tasks/0/lease/leaseToken").asText())
                .isNotEmpty();
        assertThat(again.text()).isEqualTo(first.text());
    }

    private static String submit(String type) {
        return mutate(OPERATOR, "submitTask", "type: \"%s\"".formatted(type), "task { key }")
                .data()
                .at("/submitTask/task/key")
                .asText();
    }

    private static Answer mutate(String grant, String name, String input, String selected) {
        return execute(grant, "mutation { %s(input: {%s}) { %s } }".formatted(name, input, selected));
    }

    private static Answer execute(String grant, String document) {
        return server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.GRANT, grant)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))));
    }
}
