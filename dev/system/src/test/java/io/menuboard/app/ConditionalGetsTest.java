package io.menuboard.app;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tills that ask again whether the prices that they have still count. */
class ConditionalGetsTest {
    private static final String MENU =
            "{ menu(store: \"DE-0001\", channel: \"APP\") { endsAt items { subject { product { key } } price { amount } } } }";
    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.GRAPHQL);

    private static final GraphQlServer server = ApplicationServer.start(Map.of(
            HeaderPrincipals.SETTING,
            true,
            "menuboard.pricing.snapshots.max-age",
            "60s",
            "menuboard.pricing.snapshots.max-bytes",
            "64MB"));

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer get(String document, @Nullable String tag, String... grants) {
        return get(server, document, tag, grants);
    }

    private static Answer get(GraphQlServer asked, String document, @Nullable String tag, String... grants) {
        var uri = URI.create(asked.graphQl() + "?query=" + URLEncoder.encode(document, StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(uri).GET().header(HeaderPrincipals.KIND, "TOKEN");
        if (tag != null) {
            request.header("If-None-Match", tag);
        }
        Stream.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return asked.send(request);
    }

    private static void setTo(String amount) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"))),
                List.of(new PriceSubject.Product(new ProductId("BURGER-001"))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
        var draft = ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class)
                        .draft(GRACE, new DraftChangeSet("Season", "costs rose", null, List.of(rule)), null))
                .set();
        assertThat(server.bean(ChangeSets.class)
                        .applyAccepted(GRACE, draft.id(), Objects.requireNonNull(draft.token())))
                .isInstanceOf(ChangeSetResult.Done.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MENU,
                "{ basePrices(store: \"DE-0001\", first: 3) { nodes { product { key } price { amount } } pageInfo { endCursor } } }",
                "{ prices(store: \"DE-0001\", products: [\"COFFEE\", \"BURGER-001\"]) { price { amount currency } } }",
                "{ swapPrices(store: \"DE-0001\") { nodes { price { amount } } } }",
                "{ a: menu(store: \"DE-0001\") { store { name } endsAt } b: prices(store: \"JP-0001\", products: [\"COFFEE\"]) { price { amount } } }",
            })
    void whoHasTheAnswerIsToldSo(String document) {
        var first = get(document, null, "VIEWER ALL");
        var tag = first.header("ETag");

        assertThat(first.status()).isEqualTo(200);
        assertThat(tag).matches("W/\"[A-Za-z0-9_-]{22}\"");
        assertThat(first.header("Cache-Control")).matches("private, max-age=[012], must-revalidate");
        assertThat(first.header("Vary")).contains("Authorization").contains("Accept");
        for (var sent : List.of(tag, tag.substring(2), "\"other\", " + tag, "*")) {
            var again = get(document, sent, "VIEWER ALL");
            assertThat(again.status()).as(sent).isEqualTo(304);
            assertThat(again.text()).isEmpty();
            assertThat(again.header("ETag")).isEqualTo(tag);
        }
        assertThat(get(document, "\"other\"", "VIEWER ALL").text()).isEqualTo(first.text());
    }

    /** Its cursors would be refused, so an answer that has them is another one. */
    @Test
    void whereCursorsAreSignedWithAnotherKeyAnAnswerHasAnotherTag() {
        var document = "{ basePrices(store: \"DE-0001\", first: 3) { pageInfo { endCursor } } }";
        var first = get(document, null, "VIEWER ALL");
        try (var other = ApplicationServer.startOn(
                server,
                Map.of(
                        HeaderPrincipals.SETTING,
                        true,
                        "menuboard.cursor-secret",
                        "another secret that only tests know"))) {
            var there = get(other, document, first.header("ETag"), "VIEWER ALL");

            assertThat(there.status()).isEqualTo(200);
            assertThat(there.text()).isNotEqualTo(first.text());
            assertThat(there.header("ETag")).isNotEqualTo(first.header("ETag"));
        }
    }

    @Test
    void anotherPriceIsAnotherTag() {
        setTo("2.10");
        var before = get(MENU, null, "VIEWER ALL");
        var tag = before.header("ETag");

        setTo("2.20");
        var after = get(MENU, tag, "VIEWER ALL");

        assertThat(after.status()).isEqualTo(200);
        assertThat(after.header("ETag")).isNotEqualTo(tag);
        assertThat(after.text()).isNotEqualTo(before.text()).contains("2.20");
    }

    /** Of which this one hears nothing. */
    @Test
    void aPriceThatAnotherInstanceChangesIsAnotherTag() {
        setTo("2.30");
        try (var other = ApplicationServer.startOn(
                server, Map.of(HeaderPrincipals.SETTING, true, "menuboard.pricing.snapshots.max-age", "0s"))) {
            var tag = get(other, MENU, null, "VIEWER ALL").header("ETag");
            assertThat(get(other, MENU, tag, "VIEWER ALL").header("ETag")).isEqualTo(tag);

            setTo("2.40");

            assertThat(get(other, MENU, tag, "VIEWER ALL").text()).contains("2.40");
        }
    }

    @Test
    void anotherNameOfTheStoreIsAnotherTag() {
        var document = "{ menu(store: \"TR-0001\") { store { name } } }";
        var tag = get(document, null, "VIEWER ALL").header("ETag");
        var stores = server.bean(Stores.class);
        var ankara = PriceSample.ANKARA;
        stores.save(
                EVERYTHING,
                List.of(new Store(
                        ankara.id(),
                        "Ankara Ulus",
                        ankara.address(),
                        ankara.timeZone(),
                        ankara.currency(),
                        ankara.status())));

        var after = get(document, tag, "VIEWER ALL");

        assertThat(after.status()).isEqualTo(200);
        assertThat(after.text()).contains("Ankara Ulus");
    }

    @Test
    void aTagOpensNothing() {
        var tag = get(MENU, null, "VIEWER ALL").header("ETag");

        for (var sent : List.of(tag, "*")) {
            assertThat(get(MENU, sent, "VIEWER STORES#JP-0001").text()).isEqualTo("{\"data\":{\"menu\":null}}");
            assertThat(get(MENU, sent, "WORKER ALL").code()).isEqualTo("PERMISSION_DENIED");
        }
        assertThat(get(MENU, tag, "VIEWER STORES#DE-0001").header("ETag")).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ menu(store: \"DE-0001\") { at } }",
                "{ menu(store: \"NONE\") { endsAt } }",
                "{ menu(store: \"DE-0001\", consistency: STRONG) { endsAt } }",
                "{ menu(store: \"DE-0001\") { endsAt } stores(first: 1) { nodes { name } } }",
                "{ menu(store: \"DE-0001\") { store { basePrices(first: 1) { nodes { price { amount } } } } } }",
                "{ store(id: \"DE-0001\") { name } }",
                "{ price(store: \"DE-0001\", product: \"COFFEE\") { price { amount } } }",
                "{ swapPrice(store: \"DE-0001\", combo: \"MENU-CLASSIC\", option: \"SALAD\") { price { amount } } }",
            })
    void whatMayBeOtherwiseTheNextTimeHasNoTag(String document) {
        var answer = get(document, "*", "VIEWER ALL");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.http().headers().firstValue("ETag")).isEmpty();
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }
}
