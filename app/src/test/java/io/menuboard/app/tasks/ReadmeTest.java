package io.menuboard.app.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.app.graphql.GraphQlServer;
import io.menuboard.app.graphql.Readme;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of the queue in the README does what it says. */
class ReadmeTest {
    private static final Pattern TASK = Pattern.compile("[0-9A-Z]{26}");

    @Test
    void theTaskOfTheExampleIsSubmittedClaimedAndCompleted() {
        var bodies = Readme.bodies("Put something to do into the queue");
        assertThat(bodies).hasSize(3);
        try (var server = GraphQlServer.start(Map.of())) {
            var submitted = server.post(bodies.get(0)).join();
            var repeated = server.post(bodies.get(0)).join();
            var claimed = server.post(bodies.get(1)).join();
            var task = TASK.matcher(claimed.text())
                    .results()
                    .map(MatchResult::group)
                    .findFirst();
            var token = claimed.data().at("/claimTasks/tasks/0/lease/fencingToken");
            var completed = server.post(
                            bodies.get(2).replace("'$task'", task.orElseThrow()).replace("'$token'", token.toString()))
                    .join();

            assertThat(submitted.data().at("/submitTask/status").asText()).isEqualTo("CREATED");
            assertThat(repeated.data().at("/submitTask/status").asText()).isEqualTo("REPLAYED");
            assertThat(claimed.data().at("/claimTasks/tasks/0/payload/store").asText())
                    .isEqualTo("DE-0001");
            assertThat(completed.text())
                    .isEqualTo("{\"data\":{\"completeTask\":{\"task\":{\"status\":\"COMPLETED\","
                            + "\"result\":{\"labels\":12}},\"errors\":[]}}}");
        }
    }
}
