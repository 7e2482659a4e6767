package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.access.Access;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A till that is told of prices over a stream of the whole application. */
@Timeout(120)
final class PriceChangesOverStreamTest {
    private static final Access STAFF = Access.ofCommandLine("test");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = ApplicationServer.start(Map.of());
    private static final String STORE = PriceSample.BERLIN.id().value();
    private static final String SUBSCRIPTION = """
            subscription ($store: ID!, $after: String, $products: [ID!]) {
              priceChanges(store: $store, products: $products, after: $after) {
                position
                startsAt
                at
                changes {
                  subject { product { key } combo { key } option { key } }
                  startsAt
                  at
                  before { amount currency }
                  after { amount }
                  changeSet { key reason }
                  changeSetKey
                  reason
                }
              }
            }
            """;

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    /** What a stream has told, line by line. */
    private static final class Told implements AutoCloseable {
        private final BufferedReader lines;

        Told(Map<String, @Nullable Object> variables) {
            try {
                var body = JSON.writeValueAsString(Map.of("query", SUBSCRIPTION, "variables", variables));
                var answer = http.sendAsync(
                                HttpRequest.newBuilder(server.graphQl())
                                        .header("Content-Type", "application/json")
                                        .header("Accept", "text/event-stream")
                                        .POST(BodyPublishers.ofString(body))
                                        .build(),
                                BodyHandlers.ofInputStream())
                        .join();
                lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }

        JsonNode next() {
            try {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("data: ")) {
                        return JSON.readTree(line.substring("data: ".length()));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new AssertionError("the stream has ended");
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    @Test
    void tellsATillOfItsPricesAndOfWhatItMissed() throws IOException {
        var product = product();
        String position;
        try (var told = subscribed(STORE, null)) {
            var first = told.next().at("/data/priceChanges");
            assertThat(first.at("/changes")).isEmpty();

            var set = change(product, "7.77");

            var event = told.next().at("/data/priceChanges");
            var change = event.at("/changes/0");
            assertThat(change.at("/subject/product/key").asText()).isEqualTo(product);
            assertThat(change.at("/after/amount").asText()).isEqualTo("7.77");
            assertThat(change.at("/changeSetKey").asText()).isEqualTo(set);
            assertThat(change.at("/changeSet/key").asText()).isEqualTo(set);
            assertThat(change.at("/reason").asText()).isEqualTo("costs rose");
            assertThat(change.at("/startsAt").asText())
                    .isNotEmpty()
                    .isEqualTo(event.at("/startsAt").asText());
            for (var each : List.of(event, change)) {
                assertThat(each.at("/at")).as("its old name").isEqualTo(each.at("/startsAt"));
            }
            position = event.at("/position").asText();
        }
        change(product, "8.88");

        try (var told = subscribed(STORE, position)) {
            var missed = told.next().at("/data/priceChanges/changes/0");
            assertThat(missed.at("/before/amount").asText()).isEqualTo("7.77");
            assertThat(missed.at("/after/amount").asText()).isEqualTo("8.88");
        }
    }

    /** A key alone names a product and a combo; an id names what it is of. */
    @Test
    void tellsOfTheOptionsOfACombo() throws IOException {
        var product = product();
        try (var options = subscribedTo("Combo#MENU-CLASSIC");
                var either = subscribedTo("MENU-CLASSIC");
                var products = subscribedTo("Product#MENU-CLASSIC", "Product#" + product)) {
            for (var told : List.of(options, either, products)) {
                assertThat(told.next().at("/data/priceChanges/changes")).isEmpty();
            }

            change(new PriceSubject.Swap(new ComboId("MENU-CLASSIC"), new OptionId("SALAD")), "1.10");
            change(product, "6.66");

            for (var told : List.of(options, either)) {
                assertThat(told.next().at("/data/priceChanges/changes/0/subject"))
                        .hasToString("""
                                {"product":null,"combo":{"key":"MENU-CLASSIC"},"option":{"key":"SALAD"}}""");
            }
            assertThat(products.next()
                            .at("/data/priceChanges/changes/0/subject/product/key")
                            .asText())
                    .as("the first that it is told of")
                    .isEqualTo(product);
        }
    }

    @Test
    void saysWhichIdIsNeitherAProductsNorACombos() throws IOException {
        try (var told = subscribedTo("Product#COFFEE", "Store#" + STORE)) {
            var error = told.next().at("/errors/0");

            assertThat(error.at("/message").asText()).isEqualTo("products.1 must be the id of a Product or a Combo");
            assertThat(error.at("/extensions/code").asText()).isEqualTo("INVALID_ID");
            assertThat(error.at("/extensions/path")).hasToString("[\"products\",\"1\"]");
        }
    }

    @Test
    void saysWhyItEnds() throws IOException {
        assertThat(codeOf("XX-0001", null)).isEqualTo("NOT_FOUND");
        assertThat(codeOf(STORE, "made up")).isEqualTo("INVALID_POSITION");
        try (var told = new Told(Map.of("store", STORE, "products", List.of()))) {
            assertThat(told.next().at("/errors/0/extensions/code").asText())
                    .as("of no product there are no changes, rather than of all")
                    .isEqualTo("INVALID_FILTER");
        }
    }

    private static String codeOf(String store, @Nullable String after) throws IOException {
        try (var told = subscribed(store, after)) {
            return told.next().at("/errors/0/extensions/code").asText();
        }
    }

    private static Told subscribed(String store, @Nullable String after) {
        var variables = new HashMap<String, @Nullable Object>();
        variables.put("store", store);
        variables.put("after", after);
        return new Told(variables);
    }

    private static Told subscribedTo(String... products) {
        return new Told(Map.of("store", STORE, "products", List.of(products)));
    }

    /** Some product that the store sells. */
    private static String product() {
        return server.data("{ basePrices(store: \"" + STORE
                        + "\", channel: \"ALL\", first: 1) { nodes { product { key } } } }")
                .at("/basePrices/nodes/0/product/key")
                .asText();
    }

    private static String change(String product, String amount) {
        return change(new PriceSubject.Product(new ProductId(product)), amount);
    }

    private static String change(PriceSubject subject, String amount) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId(STORE))),
                List.of(subject),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
        var draft = done(server.bean(ChangeSetDrafts.class)
                .draft(STAFF, new DraftChangeSet("Prices", "costs rose", null, List.of(rule)), null));
        return done(server.bean(ChangeSets.class)
                        .applyAccepted(
                                STAFF,
                                draft.set().id(),
                                String.valueOf(draft.set().token())))
                .set()
                .id()
                .value();
    }

    private static ChangeSetResult.Done done(ChangeSetResult result) {
        assertThat(result).isInstanceOf(ChangeSetResult.Done.class);
        return (ChangeSetResult.Done) result;
    }
}
