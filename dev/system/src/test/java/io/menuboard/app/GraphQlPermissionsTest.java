package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Permission;
import io.menuboard.access.Role;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.graphql.Readme;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations are for those who have the permissions that the schema says, and are refused to all others before they begin. */
class GraphQlPermissionsTest {
    private static final GraphQlServer server = ApplicationServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PRICES_READ    | { stores { nodes { id } } }
            TASKS_READ     | { tasks { nodes { id } } }
            BILLING_READ   | { billableTransaction(id: "t") { key } }
            RANKINGS_READ  | { topRestaurants(window: MONTH) { nodes { rank } } }
            MARKS_READ     | { user(id: "u") { favorites { nodes { createdAt } } } }
            AUDIT_READ     | { auditRecords(first: 1) { nodes { action } } }
            TASKS_SUBMIT   | mutation { submitTask(input: {type: "t"}) { isNew } }
            TASKS_WORK     | mutation { claimTask(input: {id: "t", worker: "w"}) { errors { code } } }
            STORES_EDIT    | mutation { addStore(input: {key: "x", name: "", currency: "EUR", timeZone: "Europe/Berlin"}) { errors { code } } }
            BILLING_RUN    | mutation { setBillingInterval(input: {minutes: 7}) { errors { code } } }
            WEBHOOKS_MANAGE | { webhooks(first: 1) { nodes { name deliveries(first: 1) { nodes { taskKey } } } } }
            WEBHOOKS_MANAGE | mutation { deleteWebhook(input: {id: "x"}) { errors { code } } }
            OPERATIONS_ACT | mutation { recountFavorites(input: {restaurant: ""}) { errors { code } } }
            """)
    void areExecutedForWhoMayAndRefusedToAllOthers(Permission permission, String document) {
        for (var role : Role.values()) {
            var answer = execute(document, role + " ALL");

            if (role.permissions().contains(permission)) {
                assertThat(answer.body().has("data"))
                        .as("%s: %s", role, answer.body())
                        .isTrue();
                assertThat(answer.body().toString()).doesNotContain("PERMISSION_DENIED");
            } else {
                assertThat(answer.code()).as("%s", role).isEqualTo("PERMISSION_DENIED");
                assertThat(answer.body().has("data")).as("%s", role).isFalse();
            }
        }
        assertThat(execute(document, null).code()).isEqualTo("PERMISSION_DENIED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BILLING ALL", "PARTNER AGENCY#foodora"})
    void whoSeesBillingMayAskWhatTheReadmeAsksOfIt(String grant) {
        var answer = execute(Readme.query("Bill your partners"), grant);

        assertThat(answer.body().has("data")).as(answer.text()).isTrue();
        assertThat(answer.text()).doesNotContain("PERMISSION_DENIED");
    }

    /** It is how far a task is, but nothing of that task. */
    @Test
    void whoChangesPricesMayAskHowFarThatIs() {
        var progress =
                execute("{ changeSets(first: 1) { nodes { progress { done total rate } } } }", "PRICING_EDITOR ALL");
        var task = execute("{ changeSets(first: 1) { nodes { task { progress { done } } } } }", "PRICING_EDITOR ALL");

        assertThat(progress.body().has("data")).as(progress.text()).isTrue();
        assertThat(progress.body().has("errors")).as(progress.text()).isFalse();
        assertThat(task.code()).isEqualTo("PERMISSION_DENIED");
    }

    /** Nothing of it is done, not even what alone would be allowed. */
    @Test
    void refusesAllOfAnOperationOfWhichAPartIsForbidden() {
        var both = """
                mutation {
                  submitTask(input: {type: "whole"}) { isNew }
                  setBillingInterval(input: {minutes: 30}) { errors { code } }
                }
                """;

        assertThat(execute(both, "TASK_OPERATOR ALL").code()).isEqualTo("PERMISSION_DENIED");
        assertThat(execute("{ tasks(filter: {type: \"whole\"}) { nodes { id } } }", "TASK_OPERATOR ALL")
                        .body()
                        .at("/data/tasks/nodes"))
                .isEmpty();
    }

    @Test
    void namesWhoActed() {
        var answer = execute(
                "mutation { submitTask(input: {type: \"named\"}) { task { submittedBy { kind name source } } } }",
                "TASK_OPERATOR ALL");

        assertThat(answer.body().at("/data/submitTask/task/submittedBy"))
                .hasToString("{\"kind\":\"USER\",\"name\":\"grace\",\"source\":\"GRAPHQL\"}");
    }

    private static Answer execute(String document, @Nullable String grant) {
        var request = HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document))));
        return server.send(grant == null ? request : request.header(HeaderPrincipals.GRANT, grant));
    }
}
