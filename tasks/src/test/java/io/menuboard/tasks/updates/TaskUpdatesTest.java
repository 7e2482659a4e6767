package io.menuboard.tasks.updates;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.EventStream;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskUpdatesTest {
    private static final String COMPLETE = "event: complete\ndata:\n";
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server =
            ContextServer.start(Map.of("menuboard.graphql.streams.watch-interval", "100ms"));

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static String submit(String type) {
        return server.data("mutation { submitTask(input: {type: \"" + type + "\"}) { task { key } } }")
                .at("/submitTask/task/key")
                .asText();
    }

    private static EventStream watch(String id) {
        return EventStream.post(http, server, "subscription { taskUpdated(id: \"" + id + "\") { status } }");
    }

    @Test
    void tellsWhatBecomesOfATaskUntilItIsFinished() {
        var id = submit("watched");
        try (var stream = watch(id)) {
            assertThat(stream.event()).contains("\"status\":\"PENDING\"");

            server.data("mutation { cancelTask(input: {id: \"" + id + "\"}) { errors { code } } }");

            assertThat(stream.event()).contains("\"status\":\"CANCELLED\"");
            assertThat(stream.event()).isEqualTo(COMPLETE);
        }
    }

    @Test
    void tellsAtOnceOfATaskThatIsFinished() {
        var id = submit("finished");
        server.data("mutation { cancelTask(input: {id: \"" + id + "\"}) { errors { code } } }");
        try (var stream = watch("Task#" + id)) {
            assertThat(stream.event()).contains("\"status\":\"CANCELLED\"");
            assertThat(stream.event()).isEqualTo(COMPLETE);
        }
    }

    @Test
    void endsWhereThereIsNoSuchTask() {
        try (var stream = watch("00000000000000000000000000")) {
            assertThat(stream.event()).isEqualTo(COMPLETE);
        }
    }

    @Test
    void isForWhoeverSeesTheTask() {
        try (var limited = ContextServer.start(
                Map.of(HeaderPrincipals.SETTING, true, "menuboard.graphql.streams.watch-interval", "100ms"))) {
            var document = "subscription { taskUpdated(id: \"00000000000000000000000000\") { status } }";
            try (var nobody = EventStream.post(http, limited, document)) {
                assertThat(nobody.rest()).contains("PERMISSION_DENIED");
            }
            try (var viewer = EventStream.post(http, limited, document, HeaderPrincipals.GRANT, "VIEWER ALL")) {
                assertThat(viewer.event()).isEqualTo(COMPLETE);
            }
        }
    }
}
