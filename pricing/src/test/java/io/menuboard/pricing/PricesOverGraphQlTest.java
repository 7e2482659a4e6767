package io.menuboard.pricing;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.Readme;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.querydb.SaveMode;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields of {@code pricing.graphqls}, asked over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PricesOverGraphQlTest {
    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.GRAPHQL);
    private static final Pattern CURSOR = Pattern.compile("\"endCursor\":\"([^\"]+)\"|\"startCursor\":\"([^\"]+)\"");

    /** Without prices in memory, so that the table's part of each field is seen. */
    private final GraphQlServer server = ContextServer.start(
            Map.of("menuboard.pricing.snapshots.enabled", false), PricesServerFactory.SAMPLES_CLOCK);

    @BeforeAll
    void fill() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void answersTheExampleOfTheReadme() {
        var answer = get(Readme.query("Ask it"));

        assertThat(answer.text()).doesNotContain("\"errors\"").contains("\"hasNextPage\":true");
    }

    @Test
    void givesEverythingOfAPrice() {
        assertThat(data("""
                { price(store: "DE-0001", product: "COFFEE") {
                    store { id key name address { street city region postalCode country } timeZone currency status }
                    channel product { id key } effectiveDate startsAt endsAt price { amount currency } } }""")).isEqualTo("""
                {"price":{\
                "store":{"id":"Store#DE-0001","key":"DE-0001","name":"Berlin Alexanderplatz",\
                "address":{"street":"","city":"Berlin","region":"","postalCode":"","country":"DE"},\
                "timeZone":"Europe/Berlin","currency":"EUR","status":"OPEN"},\
                "channel":"ALL","product":{"id":"Product#COFFEE","key":"COFFEE"},"effectiveDate":"2026-02-01","startsAt":"2026-01-31T23:00:00Z",\
                "endsAt":"2026-05-31T22:00:00Z","price":{"amount":"2.95","currency":"EUR"}}}""");
    }

    @Test
    void saysWhenEachPriceEnds() {
        assertThat(data("""
                { past: price(store: "DE-0001", product: "COFFEE", at: "2025-09-01T03:59:59Z") { endsAt }
                  fallback: price(store: "DE-0001", product: "COFFEE", channel: "DRIVE") { endsAt }
                  last: price(store: "DE-0001", product: "COFFEE", at: "2026-12-23T23:00:00Z") { endsAt }
                  basePrices(store: "DE-0001", productPrefix: "COFFEE", first: 1) { nodes { endsAt } }
                  swapPrices(store: "DE-0001", first: 1) { nodes { endsAt } } }""")).isEqualTo("""
                {"past":{"endsAt":"2025-09-01T04:00:00Z"},"fallback":{"endsAt":"2026-05-31T22:00:00Z"},\
                "last":{"endsAt":null},"basePrices":{"nodes":[{"endsAt":"2026-05-31T22:00:00Z"}]},\
                "swapPrices":{"nodes":[{"endsAt":null}]}}""");
    }

    @ParameterizedTest
    @CsvSource({
        "ALL,,2.95",
        "KIOSK,,2.80",
        "DRIVE,,2.95",
        "ALL,2025-09-01T03:59:59Z,2.90",
        "ALL,2025-09-01T04:00:00Z,3.10",
        "ALL,2026-12-23T23:00:00Z,3.50"
    })
    void givesThePriceOfAChannelAtAnInstant(String channel, String at, String amount) {
        var instant = at == null ? "" : ", at: \"" + at + "\"";

        assertThat(data("{ price(store: \"DE-0001\", product: \"COFFEE\", channel: \"%s\"%s) { price { amount } } }"
                        .formatted(channel, instant)))
                .isEqualTo("{\"price\":{\"price\":{\"amount\":\"" + amount + "\"}}}");
    }

    @Test
    void givesNullForWhatIsNotThere() {
        assertThat(data("""
                { store(id: "NONE") { id } noPrice: price(store: "DE-0001", product: "NONE") { channel }
                  price(store: "NONE", product: "COFFEE") { channel } basePrices(store: "NONE") { nodes { channel } }
                  swapPrices(store: "NONE") { nodes { channel } }
                  priceTimeline(store: "NONE", product: "COFFEE") { nodes { startsAt } } }""")).isEqualTo("""
                {"store":null,"noPrice":null,"price":null,"basePrices":null,"swapPrices":null,"priceTimeline":null}""");
    }

    @Test
    void findsNodes() {
        assertThat(data("""
                { nodes(ids: ["Product#COFFEE", "Store#NONE", "Store#DE-0001", "Store#a b", "Combo#C", "Option#O"]) {
                    __typename id ... on Store { name } ... on Product { key } ... on Combo { key } ... on Option { key } }
                  store(id: "Store#DE-0001") { key } product(id: "COFFEE") { id }
                  price(store: "Store#DE-0001", product: "Product#COFFEE") { channel } }""")).isEqualTo("""
                {"nodes":[{"__typename":"Product","id":"Product#COFFEE","key":"COFFEE"},null,\
                {"__typename":"Store","id":"Store#DE-0001","name":"Berlin Alexanderplatz"},null,\
                {"__typename":"Combo","id":"Combo#C","key":"C"},{"__typename":"Option","id":"Option#O","key":"O"}],\
                "store":{"key":"DE-0001"},"product":{"id":"Product#COFFEE"},"price":{"channel":"ALL"}}""");
    }

    @Test
    void readsABasketInOneRequestForEachChannel() {
        var products = IntStream.rangeClosed(1, 30)
                .mapToObj(i -> "Product#BURGER-%03d".formatted(31 - i))
                .toList();
        var basket = "query($products: [ID!]!, $channel: String, $store: ID = \"DE-0001\") {"
                + " prices(store: $store, products: $products, channel: $channel) { product { key } price { amount } } }";

        var answer = reads(2, basket, Map.of("products", products, "channel", "DRIVE"))
                .path("prices");

        assertThat(answer).hasSize(30);
        assertThat(answer.path(0))
                .hasToString("{\"product\":{\"key\":\"BURGER-030\"},\"price\":{\"amount\":\"30.90\"}}");
        assertThat(reads(1, basket, Map.of("products", products)).path("prices"))
                .isEqualTo(answer);
        assertThat(server.data(
                        basket,
                        Map.of(
                                "products",
                                List.of("NONE", "COFFEE", "COFFEE", "BURGER-001", "DAILY"),
                                "channel",
                                "KIOSK")))
                .hasToString("""
                        {"prices":[null,{"product":{"key":"COFFEE"},"price":{"amount":"2.80"}},\
                        {"product":{"key":"COFFEE"},"price":{"amount":"2.80"}},\
                        {"product":{"key":"BURGER-001"},"price":{"amount":"1.90"}},\
                        {"product":{"key":"DAILY"},"price":{"amount":"5.00"}}]}""");
        assertThat(server.data(basket, Map.of("products", products, "store", "NONE")))
                .hasToString("{\"prices\":null}");
        var invalid = server.execute(basket, Map.of("products", List.of("COFFEE", " ")));
        assertThat(invalid.code()).isEqualTo("INVALID_ID");
        assertThat(invalid.argument()).isEqualTo("products.1");
    }

    @Test
    void readsAliasesOfOneStoreTogether() {
        var aliases = IntStream.rangeClosed(1, 20)
                .mapToObj(i ->
                        "p%d: price(store: \"DE-0001\", product: \"BURGER-%03d\") { price { amount } }".formatted(i, i))
                .collect(joining(" ", "{ ", " none: price(store: \"NONE\", product: \"COFFEE\") { channel } }"));

        var answer = reads(1, aliases, Map.of());

        assertThat(answer.at("/p20/price/amount").asText()).isEqualTo("20.90");
        assertThat(answer.path("none").isNull()).isTrue();
    }

    @Test
    void whatCannotBeReadFailsTheAliasThatAskedForItAlone() {
        writeByANewerVersion();
        var aliases = IntStream.rangeClosed(1, 5)
                .mapToObj(
                        i -> "p%d: price(store: \"DE-0001\", product: \"BURGER-%03d\", channel: \"BROKEN\") { channel }"
                                .formatted(i, i))
                .collect(joining(" ", "{ ", " }"));

        var answer = server.execute(aliases).body();

        assertThat(answer.path("data")).hasToString("""
                {"p1":{"channel":"ALL"},"p2":{"channel":"ALL"},"p3":null,"p4":{"channel":"ALL"},"p5":{"channel":"ALL"}}""");
        assertThat(answer.path("errors")).singleElement().satisfies(error -> assertThat(error.path("path"))
                .hasToString("[\"p3\"]"));
    }

    @Test
    void whatCannotBeReadFailsTheStoreThatHasItAlone() {
        writeByANewerVersion();

        var answer = server.execute("""
                { nodes(ids: ["Store#DE-0001", "Store#JP-0001"]) { ... on Store {
                    prices(products: ["BURGER-003", "COFFEE"], channel: "BROKEN") { product { key } }
                    basePrices(channel: "BROKEN", consistency: STRONG) { nodes { channel } }
                    swapPrices(channel: "BROKEN", consistency: STRONG) { nodes { channel } }
                    swapPrice(combo: "MENU-CLASSIC", option: "SALAD", channel: "BROKEN") { channel }
                    swapPricesFor(swaps: [{combo: "MENU-CLASSIC", option: "SALAD"}], channel: "BROKEN") { channel } } } }""").body();

        assertThat(answer.at("/data/nodes/0")).hasToString("""
                {"prices":null,"basePrices":null,"swapPrices":null,"swapPrice":null,"swapPricesFor":null}""");
        assertThat(answer.at("/data/nodes/1/prices/1")).hasToString("{\"product\":{\"key\":\"COFFEE\"}}");
        assertThat(answer.at("/data/nodes/1/basePrices")).hasToString("{\"nodes\":[]}");
        assertThat(answer.at("/data/nodes/1/swapPrices")).hasToString("{\"nodes\":[]}");
        assertThat(answer.at("/data/nodes/1/swapPrice").isNull()).isTrue();
        assertThat(answer.at("/data/nodes/1/swapPricesFor")).hasToString("[null]");
        assertThat(answer.path("errors"))
                .hasSize(5)
                .allSatisfy(error -> assertThat(error.at("/path/1").asInt()).isZero());
    }

    private void writeByANewerVersion() {
        for (var price : List.of("Base#BURGER-003", "Swap#MENU-CLASSIC#SALAD")) {
            server.bean(QueryDb.class)
                    .save(
                            Item.at(new Key("STORE#DE-0001", "BROKEN#" + price + "#2026-01-01"))
                                    .type("price")
                                    .string("amount", "of a newer version")
                                    .string("currency", "EUR")
                                    .build(),
                            SaveMode.ANY);
        }
    }

    @Test
    void leadsFromStoresAndProductsToPrices() {
        assertThat(server.data("""
                { stores(search: "alexander", first: 1) { nodes {
                    price(product: "COFFEE", channel: "KIOSK") { price { amount } }
                    prices(products: ["DAILY", "NONE"]) { price { amount } }
                    basePrices(channel: "KIOSK", first: 2) { nodes { product { basePrices(first: 1) { nodes { store { key } } } } } }
                    swapPrice(combo: "Combo#MENU-CLASSIC", option: "SALAD", channel: "DRIVE") { price { amount } channel }
                    swapPricesFor(swaps: [{combo: "MENU-CLASSIC", option: "NONE"}, {combo: "MENU-CLASSIC", option: "Option#SALAD"}]) { option { key } }
                    swapPrices(combo: "Combo#MENU-CLASSIC", first: 1) { nodes { option {
                        key swapPrices(combo: "Combo#MENU-CLASSIC", first: 1) { nodes { store { key } } } } } } } } }""").at("/stores/nodes/0")).hasToString("""
                {"price":{"price":{"amount":"2.80"}},"prices":[{"price":{"amount":"5.00"}},null],\
                "basePrices":{"nodes":[{"product":{"basePrices":{"nodes":[{"store":{"key":"DE-0001"}}]}}}]},\
                "swapPrice":{"price":{"amount":"0.90"},"channel":"ALL"},\
                "swapPricesFor":[null,{"option":{"key":"SALAD"}}],\
                "swapPrices":{"nodes":[{"option":{"key":"FRIES-L","swapPrices":{"nodes":[{"store":{"key":"DE-0001"}}]}}}]}}""");
    }

    /** As prices of products are, with the stores of the list. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "price(product: \"COFFEE\")",
                "swapPrice(combo: \"MENU-CLASSIC\", option: \"SALAD\")",
                "prices(products: [\"COFFEE\", \"DAILY\", \"BURGER-001\", \"BURGER-002\"])",
                "swapPricesFor(swaps: [%1$s\"FRIES-L\"}, %1$s\"SALAD\"}, %1$s\"WEDGES\"}, %1$s\"NONE\"}])"
            })
    void readsAPriceOfTwoStoresInARequestForEach(String field) {
        var stores = "{ storesById(ids: [\"DE-0001\", \"JP-0001\"]) { %s { store { name } } } }"
                .formatted(field.replace("%1$s", "{combo: \"MENU-CLASSIC\", option: "));

        var found = reads(2, stores, Map.of());

        assertThat(found.at("/storesById/0").toString()).contains("Berlin Alexanderplatz");
    }

    @Test
    void givesSwapPricesAllThatBasePricesHave() {
        var salad = "combo: \"MENU-CLASSIC\", option: \"SALAD\"";

        assertThat(data("""
                { swapPrice(store: "DE-0001", %1$s, channel: "DRIVE") { price { amount } channel }
                  none: swapPrice(store: "DE-0001", combo: "NONE", option: "SALAD") { channel }
                  swapPricesFor(store: "DE-0001", swaps: [{combo: "MENU-CLASSIC", option: "NONE"}, {%1$s}]) { option { key } }
                  swapPricesByOption(%1$s) { nodes { store { key } option { key } } }
                  swapPriceTimeline(store: "DE-0001", %1$s) { nodes { effectiveDate endsAt price { amount } } }
                  swapPriceHistory(store: "DE-0001", %1$s) { nodes { reason } }
                  lowestSwapPrice(store: "DE-0001", %1$s) { amount } }""".formatted(salad))).isEqualTo("""
                {"swapPrice":{"price":{"amount":"0.90"},"channel":"ALL"},"none":null,\
                "swapPricesFor":[null,{"option":{"key":"SALAD"}}],\
                "swapPricesByOption":{"nodes":[{"store":{"key":"DE-0001"},"option":{"key":"SALAD"}}]},\
                "swapPriceTimeline":{"nodes":[{"effectiveDate":"2026-01-01","endsAt":null,"price":{"amount":"0.90"}}]},\
                "swapPriceHistory":{"nodes":[]},"lowestSwapPrice":{"amount":"0.90"}}""");
        assertThat(server.execute(
                                "{ swapPricesFor(store: \"DE-0001\", swaps: [{%s}, {combo: \"A B\", option: \"\"}]) { channel } }"
                                        .formatted(salad))
                        .argument())
                .isEqualTo("swaps.1.option");
    }

    /** Data of an answer that took so many requests for prices. */
    private JsonNode reads(int requests, String document, Map<String, Object> variables) {
        var meter = server.bean(RecordingMeter.class);
        var before = reads(meter);
        var data = server.data(document, variables);
        assertThat(reads(meter) - before).isEqualTo(requests);
        return data;
    }

    private static long reads(RecordingMeter meter) {
        return meter.usages().stream()
                .filter(usage -> Set.of("price", "prices").contains(usage.operation()))
                .count();
    }

    @Test
    void walksAListBothWays() {
        var burgers =
                "basePrices(store: \"DE-0001\", productPrefix: \"BURGER-\", %s) { nodes { product { key } } pageInfo {"
                        + " hasPreviousPage hasNextPage startCursor endCursor } }";

        var first = data("{ " + burgers.formatted("first: 2") + " }");
        var second = data("{ " + burgers.formatted("first: 2, after: \"" + cursor(first, 1) + "\"") + " }");
        var back = data("{ " + burgers.formatted("last: 1, before: \"" + cursor(second, 2) + "\"") + " }");
        var last = data("{ " + burgers.formatted("last: 2") + " }");

        assertThat(first)
                .contains("[{\"product\":{\"key\":\"BURGER-001\"}},{\"product\":{\"key\":\"BURGER-002\"}}]")
                .contains("\"hasPreviousPage\":false,\"hasNextPage\":true");
        assertThat(second)
                .contains("[{\"product\":{\"key\":\"BURGER-003\"}},{\"product\":{\"key\":\"BURGER-004\"}}]")
                .contains("\"hasPreviousPage\":true,\"hasNextPage\":true");
        assertThat(back)
                .contains("[{\"product\":{\"key\":\"BURGER-002\"}}]")
                .contains("\"hasPreviousPage\":true,\"hasNextPage\":true");
        assertThat(last)
                .contains("[{\"product\":{\"key\":\"BURGER-139\"}},{\"product\":{\"key\":\"BURGER-140\"}}]")
                .contains("\"hasPreviousPage\":true,\"hasNextPage\":false");
    }

    @Test
    void listsWhatIsAskedFor() {
        assertThat(data(
                        "{ swapPrices(store: \"DE-0001\", combo: \"MENU-CLASSIC\", first: 1) { edges { node { combo { id key } option { id key }"
                                + " effectiveDate startsAt price { amount } store { key } channel } } } }"))
                .isEqualTo("{\"swapPrices\":{\"edges\":[{\"node\":{"
                        + "\"combo\":{\"id\":\"Combo#MENU-CLASSIC\",\"key\":\"MENU-CLASSIC\"},"
                        + "\"option\":{\"id\":\"Option#FRIES-L\",\"key\":\"FRIES-L\"},"
                        + "\"effectiveDate\":\"2026-01-01\",\"startsAt\":\"2025-12-31T23:00:00Z\","
                        + "\"price\":{\"amount\":\"0.90\"},\"store\":{\"key\":\"DE-0001\"},\"channel\":\"ALL\"}}]}}");
        assertThat(
                        data(
                                "{ priceTimeline(store: \"DE-0001\", product: \"COFFEE\", last: 2) { nodes { effectiveDate endsAt } } }"))
                .isEqualTo(
                        "{\"priceTimeline\":{\"nodes\":[{\"effectiveDate\":\"2026-06-01\",\"endsAt\":\"2026-12-23T23:00:00Z\"},"
                                + "{\"effectiveDate\":\"2026-12-24\",\"endsAt\":null}]}}");
        assertThat(data("{ basePrices(store: \"DE-0001\", channel: \"KIOSK\") { nodes { product { key } channel } } }"))
                .isEqualTo("{\"basePrices\":{\"nodes\":[{\"product\":{\"key\":\"COFFEE\"},\"channel\":\"KIOSK\"}]}}");
        assertThat(data("{ basePricesByProduct(product: \"BIGMAC\") { nodes { store { key } price { amount } } } }"))
                .isEqualTo("{\"basePricesByProduct\":{\"nodes\":[{\"store\":{\"key\":\"TR-0001\"},"
                        + "\"price\":{\"amount\":\"190.00\"}}]}}");
        assertThat(data("{ stores(search: \"alexander\") { nodes { key } } }"))
                .isEqualTo("{\"stores\":{\"nodes\":[{\"key\":\"DE-0001\"}]}}");
    }

    @Test
    void takesNullForEveryChannelThatHasNoPriceOfItsOwn() {
        var document =
                "query($c: String) { basePrices(store: \"DE-0001\", channel: $c) { nodes { product { key } } } }";

        var withNull = server.post("{\"query\": " + GraphQlServer.json(document) + ", \"variables\": {\"c\": null}}")
                .join();

        assertThat(withNull.data()).isNotEmpty().isEqualTo(server.data(document));
    }

    @Test
    void blamesTheArgumentForAnIdThatNoStoreCanHave() {
        for (var id : List.of("a#b", "caf\u00e9", "")) {
            assertThat(server.execute("query($id: ID!) { store(id: $id) { name } }", Map.of("id", id))
                            .error()
                            .at("/extensions/path/0")
                            .asText())
                    .isEqualTo("id");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            basePrices(store: "DE-0001", first: 1, last: 1)         | INVALID_PAGE
            basePrices(store: "DE-0001", first: 0)                  | INVALID_PAGE
            basePrices(store: "DE-0001", last: -1)                  | INVALID_PAGE
            basePrices(store: "DE-0001", first: 2049)               | INVALID_PAGE
            basePrices(store: "DE-0001", after: "forged")           | INVALID_CURSOR
            basePrices(store: "DE-0001", last: 1, before: "forged") | INVALID_CURSOR
            basePrices(store: "A#B")                                | INVALID_ID
            basePrices(store: "DE-0001", productPrefix: "A#")       | INVALID_PREFIX
            swapPrices(store: "DE-0001", combo: "")                 | INVALID_ID
            basePricesByProduct(product: " ")                       | INVALID_ID
            stores(search: "?")                                     | INVALID_SEARCH
            """)
    void refusesBadInputWithFieldAndRule(String field, String code) {
        var answer = server.execute("{ " + field + " { pageInfo { hasNextPage } } }");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.argument()).isNotEmpty();
    }

    @Test
    void givesAVersionWithoutAPriceWhereItWasDeleted() {
        var set = apply(PriceSample.BERLIN, "DAILY", new PriceOperation.Delete(), null);

        assertThat(
                        data(
                                "{ priceTimeline(store: \"DE-0001\", product: \"DAILY\", last: 1)"
                                        + " { edges { cursor node { effectiveDate startsAt price { amount } changeSet { key } changeSetKey } } } }"))
                .contains("\"price\":null,\"changeSet\":{\"key\":\"%1$s\"},\"changeSetKey\":\"%1$s\""
                        .formatted(set.id()));
    }

    @Test
    void leadsFromAStoreToChangesThatAreToCome() {
        apply(
                PriceSample.TOKYO,
                "COFFEE",
                new PriceOperation.SetTo(new BigDecimal("460"), null),
                EffectiveDate.parse("2026-05-01"));

        assertThat(data("""
                { store(id: "JP-0001") { upcomingPriceChanges { nodes { effectiveDate after { amount } } }
                    none: upcomingPriceChanges(to: "2026-04-01T00:00:00Z") { nodes { effectiveDate } } } }""")).isEqualTo("""
                {"store":{"upcomingPriceChanges":{"nodes":[{"effectiveDate":"2026-05-01","after":{"amount":"460"}}]},\
                "none":{"nodes":[]}}}""");
    }

    private ChangeSet apply(Store store, String product, PriceOperation operation, @Nullable EffectiveDate date) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(store.id())),
                List.of(new PriceSubject.Product(new ProductId(product))),
                List.of(Channel.ALL),
                operation,
                null);
        var draft = done(server.bean(ChangeSetDrafts.class)
                .draft(GRACE, new DraftChangeSet("New menu", "it is spring", date, List.of(rule)), null));
        return done(server.bean(ChangeSets.class).applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new AssertionError(result);
    }

    private GraphQlServer.Answer get(String query) {
        var address = server.graphQl() + "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
        return server.send(HttpRequest.newBuilder(URI.create(address)));
    }

    private String data(String document) {
        var body = server.execute(document).text();

        assertThat(body).doesNotContain("\"errors\"").startsWith("{\"data\":");
        return body.substring("{\"data\":".length(), body.length() - 1);
    }

    /** Group 1 is the end cursor, 2 the start cursor. */
    private static String cursor(String data, int group) {
        return CURSOR.matcher(data)
                .results()
                .map(found -> Objects.requireNonNullElse(found.group(group), ""))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aStoreThatCannotBeReadFailsTheAliasesThatAskForItAlone() {
        server.bean(QueryDb.class)
                .save(
                        Item.at(new Key("STORE#NEWER", "META"))
                                .type("store")
                                .string("status", "of a newer version")
                                .build(),
                        SaveMode.ANY);

        var answer = server.execute("""
                { a: price(store: "DE-0001", product: "COFFEE") { channel } b: price(store: "NEWER", product: "COFFEE") { channel }
                  c: price(store: "NONE", product: "COFFEE") { channel }
                  d: swapPrice(store: "NEWER", combo: "MENU-CLASSIC", option: "SALAD") { channel } }""").body();

        assertThat(answer.path("data")).hasToString("{\"a\":{\"channel\":\"ALL\"},\"b\":null,\"c\":null,\"d\":null}");
        assertThat(answer.path("errors"))
                .extracting(error -> error.path("path").toString())
                .containsExactlyInAnyOrder("[\"b\"]", "[\"d\"]");
    }

    @Test
    void looksForUnknownStoresOfAllAliasesTogether() {
        var aliases = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> "p%1$d: price(store: \"NONE-%1$d\", product: \"COFFEE\") { channel }".formatted(i))
                .collect(joining(" ", "{ ", " }"));
        var meter = server.bean(RecordingMeter.class);
        var before = meter.usages().size();

        assertThat(server.data(aliases)).hasSize(20).allMatch(JsonNode::isNull);

        assertThat(meter.usages().stream().skip(before).filter(usage -> Set.of("get", "getBatch")
                        .contains(usage.operation())))
                .as(
                        "one for those that are not found at first, and one to be certain; the server's own work may read too")
                .hasSizeBetween(2, 9);
    }
}
