package io.menuboard.pricing.updates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.graphql.streams.EventStream;
import io.menuboard.pricing.changes.ChangesServer;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
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
        return watch(id, "status");
    }

    private static EventStream watch(String id, String fields) {
        return EventStream.post(
                http, changes.server(), "subscription { changeSetUpdated(id: \"%s\") { %s } }".formatted(id, fields));
    }

    private static String drafted(String product) {
        changes.price(ChangesServer.BERLIN, "2.00", product);
        return changes.data("""
                        mutation { createChangeSet(input: {name: "watched", reason: "costs rose", rules: [
                            {stores: ["DE-0001"], products: ["%s"], setTo: "2.10"}]}) { changeSet { key } } }""".formatted(product))
                .at("/createChangeSet/changeSet/key")
                .asText();
    }

    /** The task and the token of the lease with which its progress is reported. */
    private static JsonNode claimed() {
        changes.data("mutation { submitTask(input: {type: \"work\"}) { isNew } }");
        return changes.data("""
                        mutation { claimTasks(input: {worker: "w", types: "work"}) { tasks { key lease { leaseToken } } } }""").at("/claimTasks/tasks/0");
    }

    private static void report(JsonNode task, int done) {
        var errors = changes.data("""
                        mutation { extendLease(input: {id: "%s", leaseToken: "%s", progress: {done: %s, total: 9, message: "lines"}}) {
                            errors { message } } }""".formatted(
                        task.path("key").asText(), task.at("/lease/leaseToken").asText(), done))
                .at("/extendLease/errors");
        assertThat(errors).isEmpty();
    }

    @Test
    void tellsHowFarWhatIsBeingDoneIs() {
        var id = drafted("AT-WORK");
        var task = claimed();
        changes.server()
                .bean(QueryDb.class)
                .update(Update.of(new Key("CHANGESET#" + id, "META"))
                        .set("status", "APPLYING")
                        .set("task", task.path("key").asText())
                        .when(Condition.exists()));
        var progress = "{ changeSet(id: \"%s\") { progress { done total message } } }".formatted(id);
        assertThat(changes.data(progress)).hasToString("{\"changeSet\":{\"progress\":null}}");

        report(task, 1);

        assertThat(changes.data(progress))
                .hasToString("{\"changeSet\":{\"progress\":{\"done\":1,\"total\":9,\"message\":\"lines\"}}}");
        assertThat(changes.data("{ changeSet(id: \"%s\") { progress { rate } } }".formatted(id))
                        .at("/changeSet/progress/rate")
                        .isNumber())
                .isTrue();
        try (var stream = watch(id, "progress { done }")) {
            assertThat(stream.event()).contains("{\"changeSetUpdated\":{\"progress\":{\"done\":1}}}");

            report(task, 5);

            assertThat(stream.event()).contains("{\"changeSetUpdated\":{\"progress\":{\"done\":5}}}");
        }
    }

    @Test
    void tellsWhatBecomesOfASet() {
        var id = drafted("WATCHED");
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
