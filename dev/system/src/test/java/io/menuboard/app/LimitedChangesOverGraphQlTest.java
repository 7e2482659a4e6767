package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Change sets, imports and uploads over GraphQL as those see and change them who have a role for some of the stores. */
class LimitedChangesOverGraphQlTest {
    private static final String EDITOR = "PRICING_EDITOR STORES#DE-0001";
    private static final String NONE = "01JD8X00000000000000000000";
    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.GRAPHQL);

    private static final GraphQlServer server = ApplicationServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aSetOfAnotherStoreIsAsOneThatThereIsNot() {
        var foreign = draft("500", "JP-0001").id().value();

        for (var document : List.of(
                "{ changeSet(id: \"ID\") { name lines { nodes { after { amount } } } summary { lines } } }",
                "{ node(id: \"NODE\") { id } nodes(ids: [\"NODE\"]) { id } }",
                mutation("applyChangeSet", "id: \"ID\", token: \"t\""),
                mutation("applyChangeSet", "id: \"ID\", token: \"t\", acceptSuspicious: true"),
                mutation("cancelChangeSet", "id: \"ID\""),
                mutation("refreshPreview", "id: \"ID\""),
                mutation("rescheduleChangeSet", "id: \"ID\", effectiveDate: \"2036-07-01\""),
                mutation("draftUndo", "id: \"ID\", reason: \"why\""),
                mutation("draftRetry", "id: \"ID\""))) {
            assertThat(of(document, foreign)).as(document).isEqualTo(of(document, NONE));
        }
        assertThat(execute("{ changeSet(id: \"" + foreign + "\") { name } }", "PRICING_EDITOR ALL")
                        .at("/data/changeSet/name")
                        .textValue())
                .isEqualTo("Season");
    }

    private static String of(String document, String id) {
        var node = "ChangeSet#" + id;
        return execute(document.replace("ID", id).replace("NODE", node), EDITOR)
                .toString()
                .replace(id, "ID");
    }

    private static String mutation(String name, String input) {
        return "mutation { " + name + "(input: {" + input + "}) { changeSet { name } errors { code message path } } }";
    }

    @Test
    void listsHaveSetsOfOnesOwnStoresAlone() {
        draft("510", "JP-0001");
        var own = draft("3.40", "DE-0001").id().value();
        draft("520", "JP-0001");

        var listed = execute("{ changeSets(first: 2) { nodes { key } pageInfo { hasNextPage } } }", EDITOR);

        assertThat(listed.at("/data/changeSets/nodes/0/key").textValue()).isEqualTo(own);
        assertThat(listed.toString()).contains("\"hasNextPage\":false");
    }

    @Test
    void whoSeesASetAndMayNotChangeAllOfItsStoresIsDenied() {
        var mixed = draft("340", "DE-0001", "JP-0001");
        var apply = mutation("applyChangeSet", "id: \"" + mixed.id() + "\", token: \"" + mixed.token() + "\"");

        assertThat(execute(apply, "VIEWER ALL", EDITOR).toString()).contains("PERMISSION_DENIED");
        assertThat(execute(apply, EDITOR).toString()).contains("NOT_FOUND").doesNotContain("PERMISSION_DENIED");
    }

    @Test
    void anImportOfSomebodyElseIsAsOneThatThereIsNot() {
        var foreign = server.bean(Imports.class)
                .begin(GRACE, List.of(new ImportFile(ImportKind.PRICES, "not-to-be-seen.csv", 0, () -> {
                    throw new IOException("is not read");
                })))
                .id()
                .value();
        var document = "{ import(id: \"ID\") { files { name } } }";

        assertThat(execute(document.replace("ID", foreign), EDITOR))
                .isEqualTo(execute(document.replace("ID", "0123456789abcdef"), EDITOR));
        assertThat(execute("{ imports { nodes { key } } }", EDITOR).toString()).doesNotContain(foreign);
        assertThat(execute("{ imports { nodes { key } } }", "VIEWER ALL").toString())
                .contains(foreign);
    }

    private static ChangeSet draft(String amount, String... stores) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(Stream.of(stores).map(StoreId::new).toList()),
                List.of(new PriceSubject.Product(new ProductId("COFFEE"))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
        var draft = new DraftChangeSet("Season", "costs rose", null, List.of(rule));
        return ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class).draft(GRACE, draft, null)).set();
    }

    private static JsonNode execute(String document, String... grants) {
        var request = HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document))));
        Stream.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request).body();
    }
}
