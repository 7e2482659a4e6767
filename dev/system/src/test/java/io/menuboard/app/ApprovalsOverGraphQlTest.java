package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.pricing.imports.PriceSample;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code approvals.graphqls} promises, over HTTP. */
class ApprovalsOverGraphQlTest {
    private static final String EDITOR = "PRICING_EDITOR ALL";
    private static final String APPROVER = "PRICING_APPROVER ALL";
    private static final String PAYLOAD = ") { changeSet { status approval { status } } errors { code path } } }";

    private static final GraphQlServer server = ApplicationServer.start(
            Map.of(HeaderPrincipals.SETTING, true, "menuboard.pricing.changes.approval-percent", 5));

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode execute(String person, String document, String... grants) {
        var request = HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.ID, person)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document))));
        Stream.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request).body();
    }

    private static JsonNode draft(String amount) {
        return execute(
                        "ada",
                        "mutation { createChangeSet(input: {name: \"Season\", reason: \"costs rose\", rules: [{stores:"
                                + " [\"DE-0001\"], products: [\"COFFEE\"], setTo: \"" + amount
                                + "\"}]}) { changeSet { key token"
                                + " approval { status reasons requestedBy { name } decidedAt } } errors { message } } }",
                        EDITOR)
                .at("/data/createChangeSet/changeSet");
    }

    private static String input(JsonNode set) {
        return "input: {id: \"" + set.path("key").asText() + "\", token: \""
                + set.path("token").asText() + "\"";
    }

    @Test
    void appliesWhatAnotherPersonHasApproved() {
        var set = draft("4.40");
        assertThat(set.path("approval").toString())
                .isEqualTo("{\"status\":\"NEEDED\",\"reasons\":[\"PERCENT\"],\"requestedBy\":null,\"decidedAt\":null}");
        var apply = "mutation { applyChangeSet(" + input(set) + "}" + PAYLOAD;

        assertThat(execute("ada", apply, EDITOR)
                        .at("/data/applyChangeSet/errors")
                        .toString())
                .isEqualTo("[{\"code\":\"APPROVAL_REQUIRED\",\"path\":[\"input\",\"id\"]}]");
        assertThat(execute("ada", "mutation { applyChangeSet(" + input(set) + "}) { errors { message } } }", EDITOR)
                        .at("/data/applyChangeSet/errors/0/message")
                        .asText())
                .startsWith("id must be of a change set that a second person has approved");
        assertThat(execute("ada", "mutation { requestApproval(" + input(set) + "}" + PAYLOAD, EDITOR)
                        .at("/data/requestApproval")
                        .toString())
                .isEqualTo(
                        "{\"changeSet\":{\"status\":\"DRAFT\",\"approval\":{\"status\":\"REQUESTED\"}},\"errors\":[]}");
        assertThat(execute("bob", "{ changeSetsToApprove { nodes { key } } }", APPROVER)
                        .at("/data/changeSetsToApprove/nodes")
                        .findValuesAsText("key"))
                .contains(set.path("key").asText());
        var approve = "mutation { approveChangeSet(" + input(set) + "}" + PAYLOAD;
        assertThat(execute("ada", approve, EDITOR, APPROVER)
                        .at("/data/approveChangeSet/errors/0/code")
                        .asText())
                .isEqualTo("NOT_ALLOWED");
        assertThat(execute("bob", approve, APPROVER).at("/data/approveChangeSet/errors"))
                .isEmpty();
        assertThat(execute("ada", apply, EDITOR)
                        .at("/data/applyChangeSet/changeSet/status")
                        .asText())
                .isEqualTo("APPLIED");
    }

    @Test
    void rejectsWithAReasonThatTheDrafterReads() {
        var set = draft("4.90");
        execute("ada", "mutation { requestApproval(" + input(set) + "}" + PAYLOAD, EDITOR);

        assertThat(execute("bob", "mutation { rejectChangeSet(" + input(set) + ", reason: \"\"}" + PAYLOAD, APPROVER)
                        .at("/data/rejectChangeSet/errors")
                        .toString())
                .isEqualTo("[{\"code\":\"INVALID_REASON\",\"path\":[\"input\",\"reason\"]}]");
        execute("bob", "mutation { rejectChangeSet(" + input(set) + ", reason: \"too much\"}" + PAYLOAD, APPROVER);

        assertThat(execute(
                                "ada",
                                "{ changeSet(id: \"" + set.path("key").asText()
                                        + "\") { approval { status decidedBy { key name }"
                                        + " rejectionReason } events { action reason } } }",
                                EDITOR)
                        .at("/data/changeSet")
                        .toString())
                .contains("\"status\":\"REJECTED\"", "\"rejectionReason\":\"too much\"", "{\"key\":\"bob\",")
                .contains("{\"action\":\"REJECT\",\"reason\":\"too much\"}");
    }

    @Test
    void whoMayNotApproveIsDenied() {
        assertThat(execute("ada", "{ changeSetsToApprove { nodes { key } } }", EDITOR)
                        .toString())
                .contains("PERMISSION_DENIED");
    }
}
