package io.menuboard.pricing.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.changes.ChangesServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code webhooks.graphqls} promises, over HTTP. */
class WebhooksOverGraphQlTest {
    private static final String ERRORS = " errors { code message path } ";
    private static final String UNKNOWN = "00000000000000000000000000";

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static ChangesServer changes;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer server;

    private static final Receiver receiver = new Receiver();

    @BeforeAll
    static void start() {
        changes = ChangesServer.start(Map.of(
                "menuboard.webhooks.key",
                WebhooksFixture.KEY,
                "menuboard.webhooks.allow-private",
                true,
                "menuboard.graphql.actor",
                "grace"));
        server = changes.server();
    }

    @AfterAll
    static void stop() {
        changes.close();
        receiver.close();
    }

    @Test
    void aWebhookHasAllThatWasSaidAndItsSecretOnceOnly() {
        var input =
                "name: \"Partner\", url: \"https://partner.example/\", stores: [\"Store#DE-0001\"], events: [PRICE_UPDATED],"
                        + " idempotencyKey: \"once\"";
        var made = created(input);
        var again = created(input);

        var secret = made.path("secret").asText();
        assertThat(secret).startsWith("whsec_");
        assertThat(again.path("secret").isNull()).isTrue();
        assertThat(again.at("/webhook/key")).isEqualTo(made.at("/webhook/key"));
        var found = server.data("{ webhook(id: %s) { id key name url allStores stores { key } events createdBy { name }"
                        .formatted(made.at("/webhook/id"))
                + " createdAt active offReason offDetails switchedOffAt failingAt oldSecretEndsAt"
                + " deliveries(first: 1) { nodes { submittedAt task { key } } pageInfo { hasNextPage } } } }");
        assertThat(found.at("/webhook/stores").toString()).isEqualTo("[{\"key\":\"DE-0001\"}]");
        assertThat(found.at("/webhook/createdBy/name").asText()).isEqualTo("grace");
        assertThat(found.at("/webhook/active").asBoolean()).isTrue();
        assertThat(found.at("/webhook/allStores").asBoolean()).isFalse();
        assertThat(found.at("/webhook/events").toString()).isEqualTo("[\"PRICE_UPDATED\"]");
        assertThat(found.at("/webhook/deliveries/nodes")).isEmpty();
        assertThat(found.toString()).doesNotContain(secret);
        assertThat(server.data(
                                "{ webhooks(first: 100) { totalCount { count } edges { cursor node { name } } } node(id: %s)"
                                                .formatted(made.at("/webhook/id"))
                                        + " { ... on Webhook { name } } }")
                        .toString())
                .contains("\"node\":{\"name\":\"Partner\"}")
                .doesNotContain(secret);
    }

    @Test
    void aKeyThatBelongsToAnotherRequestLeadsToItsWebhook() {
        var input =
                "url: \"https://keyed.example/\", allStores: true, events: [PRICE_UPDATED], idempotencyKey: \"keyed\"";
        var made = created("name: \"Keyed\", " + input);
        var again = created("name: \"Keyed\", " + input);

        var other = created("name: \"Other\", " + input);

        assertThat(made.path("isNew").asBoolean()).isTrue();
        assertThat(again.path("isNew")).isEqualTo(BooleanNode.FALSE);
        assertThat(other.path("isNew").isNull()).isTrue();
        assertThat(other.at("/errors/0/code").asText()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(other.at("/errors/0/path")).hasToString("[\"input\",\"idempotencyKey\"]");
        assertThat(other.at("/existingWebhook/key")).isEqualTo(made.at("/webhook/key"));
    }

    @Test
    void changesWhatIsGivenAndNothingElse() {
        var id = anId("Changed");

        var renamed = updated(id, "name: \"Renamed\"");
        var moved = updated(id, "url: \"https://moved.example/\", stores: [\"JP-0001\"]");
        var off = updated(id, "active: false");

        assertThat(renamed.at("/webhook/name").asText()).isEqualTo("Renamed");
        assertThat(renamed.at("/webhook/allStores").asBoolean()).isTrue();
        assertThat(moved.at("/webhook/name").asText()).isEqualTo("Renamed");
        assertThat(moved.at("/webhook/url").asText()).isEqualTo("https://moved.example/");
        assertThat(moved.at("/webhook/stores").toString()).isEqualTo("[{\"key\":\"JP-0001\"}]");
        assertThat(off.at("/webhook/active").asBoolean()).isFalse();
        assertThat(off.at("/webhook/offReason").asText()).isEqualTo("SWITCHED_OFF");
        assertThat(updated(id, "active: true").at("/webhook/offReason").isNull())
                .isTrue();
    }

    @Test
    void rotatesTestsRedeliversAndDeletes() {
        var id = anId("Acted on");

        var rotated = mutated("rotateWebhookSecret", id, "secret webhook { oldSecretEndsAt }");
        receiver.answerNext(503);
        var tested = mutated("testWebhook", id, "status milliseconds refusal");
        var redelivered = mutated("redeliverWebhook", id, "redelivered webhook { name }");
        updated(id, "active: false");
        var notRedelivered = mutated("redeliverWebhook", id, "redelivered");
        var deleted = mutated("deleteWebhook", id, "deletedKey");

        assertThat(rotated.path("secret").asText()).startsWith("whsec_");
        assertThat(rotated.at("/webhook/oldSecretEndsAt").isNull()).isFalse();
        assertThat(tested.path("status").asInt()).isEqualTo(503);
        assertThat(tested.path("milliseconds").isInt()).isTrue();
        assertThat(tested.path("refusal").isNull()).isTrue();
        assertThat(redelivered.path("redelivered").asInt()).isZero();
        assertThat(notRedelivered.at("/errors/0/code").asText()).isEqualTo("WEBHOOK_OFF");
        assertThat(deleted.path("deletedKey").asText()).isEqualTo(id);
        assertThat(server.data("{ webhook(id: \"" + id + "\") { name } }")
                        .path("webhook")
                        .isNull())
                .isTrue();
    }

    @Test
    void theTestsOfOneRequestEndTogether() {
        var id = anId("Never answers");
        var before = receiver.messages.size();
        var answer = new CountDownLatch(1);
        receiver.answerNextAfter(answer, 1);

        var test = "testWebhook(input: {id: \"" + id + "\"}) { status refusal errors { code } }";
        var tested = server.data("mutation { a: " + test + " b: " + test + " c: " + test + " }");
        answer.countDown();

        assertThat(tested.at("/a/refusal").asText()).contains("no answer within 10 seconds");
        assertThat(tested.at("/a/errors")).isEmpty();
        for (var later : List.of("/b", "/c")) {
            assertThat(tested.at(later + "/errors/0/code").asText()).isEqualTo("TOO_MANY_TESTS");
            assertThat(tested.at(later + "/refusal").isNull()).isTrue();
            assertThat(tested.at(later + "/status").isNull()).isTrue();
        }
        assertThat(receiver.messages).hasSize(before + 1);
    }

    @Test
    void aTestOfWhichNothingWasSentIsAnError() {
        var refused = WebhooksGraphQl.TestPayload.of(new WebhookAnswer.Refused("only https is allowed"));
        var unsigned = WebhooksGraphQl.TestPayload.of(new WebhookAnswer.Unsigned("this server cannot sign"));
        var unanswered = WebhooksGraphQl.TestPayload.of(new WebhookAnswer.Unanswered("no answer"));

        assertThat(refused.errors())
                .containsExactly(new UserError(
                        "INVALID_URL", "nothing was sent: only https is allowed", List.of("input", "id")));
        assertThat(unsigned.errors()).extracting(UserError::code).containsExactly("NO_KEY");
        assertThat(unanswered.errors()).isEmpty();
        assertThat(unanswered.refusal()).isEqualTo("no answer");
    }

    @ParameterizedTest
    @CsvSource({
        "rotateWebhookSecret,secret",
        "testWebhook,status",
        "redeliverWebhook,redelivered",
        "deleteWebhook,deletedKey",
        "updateWebhook,webhook { key }"
    })
    void saysThatThereIsNone(String mutation, String fields) {
        var missing = mutated(mutation, UNKNOWN, fields);
        var malformed = mutated(mutation, "x", fields);

        assertThat(missing.at("/errors/0/code").asText()).isEqualTo("NOT_FOUND");
        assertThat(missing.at("/errors/0/path").toString()).isEqualTo("[\"input\",\"id\"]");
        assertThat(malformed.at("/errors/0/code").asText()).isEqualTo("INVALID_ID");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            url: "https://p.example/", events: [PRICE_UPDATED]                                          | INVALID_STORES
            url: "https://p.example/", events: [PRICE_UPDATED], allStores: true, stores: ["DE-0001"]    | INVALID_STORES
            url: "https://p.example/", events: [PRICE_UPDATED], stores: []                              | NO_STORES
            url: "https://p.example/", events: [PRICE_UPDATED], stores: ["nowhere"]                     | NOT_FOUND
            url: "https://p.example/", events: [], allStores: true                                      | NO_EVENTS
            url: "ftp://p.example/", events: [PRICE_UPDATED], allStores: true                           | INVALID_URL
            url: "http://10.0.0.1:8080/", events: [PRICE_UPDATED], allStores: true                      | INVALID_URL
            """)
    void saysWhatIsWrong(String input, String code) {
        var refused = created("name: \"Wrong\", " + input);

        assertThat(refused.at("/errors/0/code").asText()).isEqualTo(code);
        assertThat(refused.path("webhook").isNull()).isTrue();
        assertThat(refused.path("secret").isNull()).isTrue();
    }

    private static JsonNode created(String input) {
        return server.data("mutation { createWebhook(input: {" + input
                        + "}) { secret isNew webhook { id key } existingWebhook { key }" + ERRORS + "} }")
                .path("createWebhook");
    }

    private static String anId(String name) {
        return created("name: \"%s\", url: \"%s\", allStores: true, events: [PRICE_UPDATED]"
                        .formatted(name, receiver.url("/")))
                .at("/webhook/key")
                .asText();
    }

    private static JsonNode updated(String id, String input) {
        return server.data(
                        "mutation { updateWebhook(input: {id: \"%s\", %s}) { webhook { name url allStores active offReason"
                                        .formatted(id, input)
                                + " stores { key } }" + ERRORS + "} }")
                .path("updateWebhook");
    }

    private static JsonNode mutated(String mutation, String id, String fields) {
        return server.data("mutation { %s(input: {id: \"%s\"}) { %s%s} }".formatted(mutation, id, fields, ERRORS))
                .path(mutation);
    }
}
