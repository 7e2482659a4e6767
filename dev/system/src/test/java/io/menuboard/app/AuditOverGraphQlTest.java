package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What {@code audit.graphqls} promises, over HTTP. */
class AuditOverGraphQlTest {
    private static final GraphQlServer server = ApplicationServer.start(Map.of("menuboard.sign-in", false));

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyFieldGivesWhatItIsFor() {
        var fields = new AskedFields(server);
        fields.mutate(
                "addStore", "input: {key: \"S1\", name: \"Main\", currency: \"EUR\", timeZone: \"Europe/Berlin\"}");
        fields.mutate("editStore", "input: {id: \"S1\", name: \"High street\"}");

        var records = fields.query("auditRecords(filter: {subject: \"STORE#S1\"}, first: 2)")
                .path("nodes");

        assertThat(records.findValuesAsText("action")).containsExactly("store changed", "store added");
        assertThat(records.get(0).path("details").toString())
                .contains("\"name\":\"NAME\",\"before\":\"Main\",\"after\":\"High street\",\"value\":null");
        assertThat(records.get(0).at("/doneBy/source").asText()).isEqualTo("GRAPHQL");
        assertThat(fields.unanswered("audit.graphqls"))
                .containsExactlyInAnyOrder("AuditRecord.person", "AuditDetail.value");
    }

    @Test
    void pagesBothWaysAndSaysWhatIsWrong() {
        for (var i = 0; i < 3; i++) {
            server.data("mutation { addStore(input: {key: \"P" + i
                    + "\", name: \"P\", currency: \"EUR\", timeZone: \"Europe/Berlin\"}) { errors { code } } }");
        }
        var all = server.data("{ auditRecords(first: 3) { edges { cursor node { subject } } } }")
                .at("/auditRecords/edges");
        var second = server.data("{ auditRecords(first: 1, after: \""
                        + all.get(0).path("cursor").asText()
                        + "\") { nodes { subject } pageInfo { hasPreviousPage hasNextPage } } }")
                .path("auditRecords");
        var first = server.data("{ auditRecords(last: 1, before: \""
                        + all.get(1).path("cursor").asText() + "\") { nodes { subject } } }")
                .path("auditRecords");

        assertThat(second.at("/nodes/0")).isEqualTo(all.get(1).path("node"));
        assertThat(first.at("/nodes/0")).isEqualTo(all.get(0).path("node"));
        assertThat(second.at("/pageInfo/hasPreviousPage").asBoolean()).isTrue();
        assertThat(server.execute(
                                "{ auditRecords(filter: {from: \"2026-01-01\", to: \"2026-01-08\"}) { nodes { action } } }")
                        .body()
                        .toString())
                .contains("INVALID_RANGE", "filter");
    }
}
