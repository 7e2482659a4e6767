package io.menuboard.pricing.updates;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.streams.EventStream;
import io.menuboard.pricing.changes.ChangesServer;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChangeSetUpdatesTest {
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final ChangesServer changes =
            ChangesServer.start(Map.of("menuboard.graphql.streams.watch-interval", "100ms"));

    @AfterAll
    static void stop() {
        http.close();
        changes.close();
    }

    private static EventStream watch(String id) {
        return EventStream.post(
                http, changes.server(), "subscription { changeSetUpdated(id: \"" + id + "\") { status } }");
    }

    @Test
    void tellsWhatBecomesOfASet() {
        changes.price(ChangesServer.BERLIN, "2.00", "WATCHED");
        var id = changes.server()
                .data(
                        "mutation { createChangeSet(input: {name: \"watched\", reason: \"costs rose\", rules: ["
                                + "{stores: [\"DE-0001\"], products: [\"WATCHED\"], setTo: \"2.10\"}]}) { changeSet { key } } }")
                .at("/createChangeSet/changeSet/key")
                .asText();
        try (var stream = watch(id)) {
            assertThat(stream.event()).contains("{\"changeSetUpdated\":{\"status\":\"DRAFT\"}}");

            changes.server().data("mutation { cancelChangeSet(input: {id: \"" + id + "\"}) { errors { code } } }");

            var status = "";
            while (!status.contains("CANCELLED")) {
                status = Objects.requireNonNull(stream.event());
            }
            assertThat(status).contains("{\"changeSetUpdated\":{\"status\":\"CANCELLED\"}}");
        }
    }

    @Test
    void endsWhereThereIsNoSuchSet() {
        try (var stream = watch("00000000000000000000000000")) {
            assertThat(stream.event()).isEqualTo("event: complete\ndata:\n");
        }
    }
}
