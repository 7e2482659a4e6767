package io.menuboard.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.QueryDb;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody is told over HTTP who may see some stores. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SomeStoresOverGraphQlTest {
    private static final String OWN = "DE-0001";
    private static final String FOREIGN = "JP-0001";
    private static final String MISSING = "XX-0001";
    private static final String MINE = "PRICING_EDITOR STORES#DE-0001#FR-0002";

    private final GraphQlServer server =
            ContextServer.start(Map.of(HeaderPrincipals.SETTING, true), PricesServerFactory.SAMPLES_CLOCK);

    @BeforeAll
    void fill() {
        PriceSample.save(server::bean);
        var batches = server.bean(DynamoPriceBatches.class);
        for (var store : List.of(PriceSample.BERLIN, PriceSample.TOKYO)) {
            var batch = new PriceBatch(store.id(), Channel.ALL, EffectiveDate.parse("2026-04-01"));
            server.bean(QueryDb.class)
                    .transact(List.of(batches.add(
                            batch, store.timeZone(), Map.of(new ChangeSetId("01JQ0000000000000000000000"), 1))));
        }
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ store(id: \"$\") { id name } }",
                "{ storesById(ids: [\"$\", \"DE-0001\"]) { id name } }",
                "{ node(id: \"Store#$\") { id } }",
                "{ nodes(ids: [\"Store#$\", \"Store#DE-0001\"]) { id } }",
                "{ node(id: \"ScheduledBatch#$#ALL#2026-04-01\") { id } }",
                "{ stores(search: \"$\") { totalCount { count precision } edges { cursor node { id } } pageInfo { hasNextPage } } }",
                "{ basePrices(store: \"$\") { nodes { price { amount } } } }",
                "{ swapPrices(store: \"$\") { nodes { price { amount } } } }",
                "{ price(store: \"$\", product: \"COFFEE\") { price { amount } } }",
                "{ prices(store: \"$\", products: [\"COFFEE\", \"DAILY\"]) { price { amount } } }",
                "{ swapPrice(store: \"$\", combo: \"MENU-CLASSIC\", option: \"SALAD\") { price { amount } } }",
                "{ swapPricesFor(store: \"$\", swaps: [{combo: \"MENU-CLASSIC\", option: \"SALAD\"}]) { price { amount } } }",
                "{ priceTimeline(store: \"$\", product: \"COFFEE\") { nodes { startsAt } } }",
                "{ swapPriceTimeline(store: \"$\", combo: \"MENU-CLASSIC\", option: \"SALAD\") { nodes { startsAt } } }",
                "{ swapPriceHistory(store: \"$\", combo: \"MENU-CLASSIC\", option: \"SALAD\") { nodes { startsAt } } }",
                "{ priceHistory(store: \"$\", product: \"COFFEE\") { nodes { startsAt } } }",
                "{ lowestPrice(store: \"$\", product: \"COFFEE\") { amount } }",
                "{ lowestSwapPrice(store: \"$\", combo: \"MENU-CLASSIC\", option: \"SALAD\") { amount } }",
                "{ upcomingPriceChanges(store: \"$\", first: 1) { nodes { startsAt } } }",
                "mutation { editStore(input: {id: \"$\", name: \"New\"}) { store { id } errors { code message path } } }",
                "mutation { addStore(input: {key: \"$\", name: \"N\", currency: \"EUR\", timeZone: \"Europe/Berlin\"}) { store { id } errors { code } } }"
            })
    void isTheSameOfAForeignStoreAsOfOneThatDoesNotExist(String document) {
        assertThat(said(document, FOREIGN))
                .isEqualTo(said(document, MISSING))
                .doesNotContain("Tokyo", "450", "VALIDATION", "INTERNAL");
        if (!document.contains("addStore")) {
            assertThat(said(document, OWN)).isNotEqualTo(said(document, MISSING));
        }
    }

    private String said(String document, String store) {
        var answer = execute(document.replace("$", store));
        return answer.status() + " " + answer.text().replace(store, "$");
    }

    @Test
    void listsHaveTheStoresInSightAlone() {
        assertThat(execute("{ stores { totalCount { count precision } nodes { key } pageInfo { hasNextPage } } }")
                        .data()
                        .path("stores"))
                .hasToString("""
                        {"totalCount":{"count":2,"precision":"EXACT"},"nodes":[{"key":"DE-0001"},{"key":"FR-0002"}],\
                        "pageInfo":{"hasNextPage":false}}""");
        assertThat(execute("""
                        { basePricesByProduct(product: "COFFEE", first: 1) {
                            nodes { store { key } price { amount } } pageInfo { hasNextPage } }
                          product(id: "COFFEE") { basePrices { nodes { store { key } } } }
                          node(id: "Option#SALAD") { ... on Option {
                            swapPrices(combo: "MENU-CLASSIC") { nodes { store { key } } } } } }""").data()).hasToString("""
                {"basePricesByProduct":{"nodes":[{"store":{"key":"DE-0001"},"price":{"amount":"2.95"}}],\
                "pageInfo":{"hasNextPage":true}},\
                "product":{"basePrices":{"nodes":[{"store":{"key":"DE-0001"}},{"store":{"key":"FR-0002"}}]}},\
                "node":{"swapPrices":{"nodes":[{"store":{"key":"DE-0001"}}]}}}""");
        assertThat(execute("""
                        { scheduledBatches(from: "2026-03-20T00:00:00Z", to: "2026-04-20T00:00:00Z") {
                            nodes { store { key } } pageInfo { hasNextPage } } }""").data()).hasToString("""
                {"scheduledBatches":{"nodes":[{"store":{"key":"DE-0001"}}],"pageInfo":{"hasNextPage":false}}}""");
    }

    /** They are no more than their ids: whoever asks knows them. */
    @Test
    void everyProductHasANodeWhetherOrNotItIsSoldInSight() {
        assertThat(execute("""
                        { sold: node(id: "Product#BIGMAC") { id } none: node(id: "Product#NOTHING") { id }
                          prices: product(id: "BIGMAC") { basePrices { nodes { channel } pageInfo { hasNextPage } } } }""").data()).hasToString("""
                {"sold":{"id":"Product#BIGMAC"},"none":{"id":"Product#NOTHING"},\
                "prices":{"basePrices":{"nodes":[],"pageInfo":{"hasNextPage":false}}}}""");
    }

    @Test
    void aStoreInSightIsEditedAndNoneIsAdded() {
        var edited = execute("mutation { editStore(input: {id: \"FR-0002\", name: \"New\"}) { store { name } } }");

        assertThat(edited.data()).hasToString("{\"editStore\":{\"store\":{\"name\":\"New\"}}}");
        assertThat(execute(
                                "mutation { addStore(input: {key: \"N-1\", name: \"N\", currency: \"EUR\", timeZone: \"Europe/Berlin\"}) { store { id } } }")
                        .code())
                .isEqualTo("PERMISSION_DENIED");
    }

    private Answer execute(String document) {
        return server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.GRANT, MINE)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))));
    }
}
