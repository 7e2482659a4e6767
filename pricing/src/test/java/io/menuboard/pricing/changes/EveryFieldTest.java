package io.menuboard.pricing.changes;

import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesServer.BERLIN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.graphql.AskedFields;
import io.menuboard.kernel.Actor;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asks every field of {@code changes.graphqls}, and sees that each has something to say. */
class EveryFieldTest {
    private static final String FIRST =
            "name: \"first\", reason: \"r\", rules: [{stores: [\"DE-0001\"], products: [\"B\"], add: \"1\"}]";
    private static final String UNKNOWN = "id: \"00000000000000000000000000\"";

    /** Everything is done by a task, which a set that was asked for is seen with. */
    private final ChangesServer server = ChangesServer.start(Map.of(
            "menuboard.pricing.changes.inline", 0, "menuboard.pricing.changes.approval-products", "NEEDS-APPROVAL"));

    private final AskedFields fields = new AskedFields(server.server());

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyFieldGivesWhatItIsFor() {
        server.price(BERLIN, "2.00", "A", "B", "C");
        var later = preview("effectiveDate: \"2199-07-01\", rules: [{allStores: true, products: [\"A\"], add: \"1\"}]");
        mutate("refreshPreview", named(later));
        apply(previewed(later));
        until(later, "SCHEDULED");
        fields.query("upcomingPriceChanges(store: \"DE-0001\", first: 2)");
        fields.query("scheduledBatches(from: \"2199-06-30T00:00:00Z\", to: \"2199-07-02T00:00:00Z\", first: 2)");
        mutate("rescheduleChangeSet", named(later) + ", effectiveDate: \"2199-08-01\"");
        mutate("cancelChangeSet", named(later));
        var set = previewed(preview("rules: [{stores: [\"DE-0001\", \"nowhere\"], products: [\"A\"],"
                + " swaps: [{combo: \"MENU\", option: \"FRIES\"}], setTo: \"2.50\"}]"));
        var stale = previewed(preview("rules: [{stores: [\"DE-0001\"], products: [\"A\"], setTo: \"2.60\"}]"));
        apply(set);
        until(set, "APPLIED");
        fields.query("priceHistory(store: \"DE-0001\", product: \"A\", first: 2)");
        fields.query("lowestPrice(store: \"DE-0001\", product: \"A\")");
        apply(stale);
        await().atMost(20, SECONDS).until(() -> !fields.query("changeSet(" + named(stale) + ")")
                .path("problem")
                .isNull());
        var undo = previewed(mutate("draftUndo", named(set) + ", reason: \"a mistake\""));
        apply(undo);
        until(set, "UNDONE");
        fields.query("changeSets(first: 2)");
        replay("allStores: true, idempotencyKey: \"replay\"");
        replay("stores: [\"DE-0001\"], idempotencyKey: \"replay\"");
        imported();
        rejected();
        retry();
        refuseAll();

        assertThat(fields.unanswered("changes.graphqls")).isEmpty();
    }

    /** More lines than are written as one, whose time comes after the preview and before they are applied. */
    private void retry() {
        var products = IntStream.range(0, 18).mapToObj("R-%02d"::formatted).toArray(String[]::new);
        server.price(BERLIN, "2.00", products);
        var soon = server.soon(BERLIN);
        var late = previewed(preview("effectiveDate: \"" + soon.effectiveDate()
                + "\", rules: [{stores: [\"DE-0001\"], products: [\"" + String.join("\", \"", products)
                + "\"], add: \"1\"}]"));
        await().atMost(20, SECONDS).until(soon::isPast);
        apply(late);
        until(late, "FAILED");
        previewed(mutate("draftRetry", named(late)));
    }

    /** By another person than the one who drafted it, whom this server has to be told. */
    private void rejected() {
        var drafts = server.server().bean(ChangeSetDrafts.class);
        var rule = ChangesFixture.rule(ChangesFixture.setTo("9"), List.of(BERLIN), "NEEDS-APPROVAL");
        var id = done(drafts.draft(person("ada"), ChangesFixture.draft(null, rule), null))
                .id();
        var key = "id: \"" + id + "\"";
        var token =
                previewed(fields.query("changeSet(" + key + ")")).path("token").asText();
        var approvals = server.server().bean(ChangeSetApprovals.class);
        done(approvals.request(person("ada"), id, token));
        done(approvals.reject(person("bob"), id, token, "too much"));
        fields.query("changeSet(" + key + ")");
    }

    private static Access person(String id) {
        return new Access(
                new Principal(id, Actor.Kind.USER, id, GRACE.principal().grants()), Actor.Source.PAGE);
    }

    private void imported() {
        var csv = "csv: \"store,product,effectiveDate,amount\\nDE-0001,C,2020-01-01,2.10\"";
        fields.query("changeSet(" + named(mutate("importPrices", csv).path("changeSet")) + ")");
    }

    private void refuseAll() {
        reuseKeys();
        mutate("createChangeSet", "name: \"\", reason: \"\", rules: []");
        mutate("refreshPreview", UNKNOWN);
        mutate("applyChangeSet", UNKNOWN + ", token: \"\"");
        mutate("cancelChangeSet", UNKNOWN);
        mutate("rescheduleChangeSet", UNKNOWN + ", effectiveDate: \"2199-07-01\"");
        mutate("draftUndo", UNKNOWN + ", reason: \"r\"");
        mutate("draftRetry", UNKNOWN);
        replay("stores: [\"nowhere\"]");
    }

    private void reuseKeys() {
        var set = previewed(mutate("createChangeSet", FIRST + ", idempotencyKey: \"k\""));
        mutate("createChangeSet", FIRST.replace("first", "second") + ", idempotencyKey: \"k\"");
        apply(set);
        until(set, "APPLIED");
        mutate("draftUndo", named(set) + ", reason: \"r\", idempotencyKey: \"k\"");
        mutate("draftRetry", named(set) + ", idempotencyKey: \"k\"");
    }

    private void replay(String stores) {
        mutate("replayPriceEvents", stores + ", from: \"2020-01-01T00:00:00Z\", to: \"2020-01-02T00:00:00Z\"");
    }

    private JsonNode preview(String rest) {
        return mutate("createChangeSet", "name: \"n\", reason: \"r\", " + rest).path("changeSet");
    }

    /** The set, once it has a token. */
    private JsonNode previewed(JsonNode payload) {
        var set = payload.has("changeSet") ? payload.path("changeSet") : payload;
        return await().atMost(20, SECONDS)
                .until(() -> fields.query("changeSet(" + named(set) + ")"), found -> !found.path("token")
                        .isNull());
    }

    private void apply(JsonNode set) {
        mutate(
                "applyChangeSet",
                named(set) + ", token: \"" + set.path("token").asText() + "\", acceptSuspicious: true");
    }

    private void until(JsonNode set, String status) {
        await().atMost(20, SECONDS).until(() -> fields.query("changeSet(" + named(set) + ")")
                .path("status")
                .asText()
                .equals(status));
    }

    private JsonNode mutate(String mutation, String input) {
        return fields.mutate(mutation, "input: {" + input + "}");
    }

    private static String named(JsonNode set) {
        return "id: \"" + set.path("key").asText() + "\"";
    }
}
