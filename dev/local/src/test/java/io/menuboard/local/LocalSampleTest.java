package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.local.LocalMenuboard.Settings;
import io.menuboard.tasks.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one sees who has just started it, with the sample. */
@TestInstance(Lifecycle.PER_CLASS)
class LocalSampleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STORES = 20;
    private static final int PRODUCTS = 30;
    private static final int CHANGE_SETS = 50;
    private static final int TASKS = 100;
    private static final int REPORT_RUNS = 6;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final HttpClient http = HttpClient.newHttpClient();
    private final LocalMenuboard local;

    LocalSampleTest() {
        awaitADayThatDoesNotEndMeanwhile();
        local = LocalMenuboard.start(
                new Settings(0, null, STORES, PRODUCTS),
                Map.of(
                        // As somebody who tries out approvals.
                        "menuboard.pricing.changes.approval-lines",
                        1,
                        // The sample waits for each of its report runs, of which it does not tell the application.
                        "menuboard.tasks.operation-poll-interval",
                        "1s"),
                new PrintStream(printed, true, UTF_8));
    }

    /** Marks of the day are shown, and how restaurants moved since it began. */
    private static void awaitADayThatDoesNotEndMeanwhile() {
        await().atMost(Duration.ofMinutes(6))
                .until(() -> LocalTime.now(ZoneOffset.UTC).isBefore(LocalTime.of(23, 55)));
    }

    @BeforeAll
    void loadSample() throws InterruptedException {
        local.loadSample();
    }

    @AfterAll
    void stop() {
        http.close();
        local.close();
    }

    @Test
    void saysWhereItIsAndHasSomethingToShow() {
        assertThat(page("/stores")).contains("DE-0001", "JP-0001");
        assertThat(text())
                .contains("Pages     " + local.address(), "GraphQL   " + local.address() + "/graphql")
                .containsPattern("DynamoDB  http://127\\.0\\.0\\.1:\\d+ \\(table menuboard, in memory")
                .containsPattern("export AWS_ENDPOINT_URL_DYNAMODB=http://127\\.0\\.0\\.1:\\d+")
                .containsPattern("export AWS_ENDPOINT_URL_S3=http://127\\.0\\.0\\.1:\\d+")
                .contains("Sample loaded: 20 stores", "Sample loaded: 50 tasks", "Sample loaded: 5 change sets");
        assertThat(local.address().getHost()).isIn("127.0.0.1", "localhost");
    }

    @Test
    void sellsWhatTheTemplateOfChangesNames() {
        var template = page("/changes/new/template.csv");
        var sold =
                List.of(rows("/stores/DE-0001"), rows("/stores/DE-0001/swaps")).toString();

        assertThat(template.lines().skip(1)).hasSize(3).allSatisfy(row -> {
            var values = List.of(row.split(",", -1));
            assertThat(values).startsWith("DE-0001", "ALL");
            assertThat(sold).contains(values.subList(2, 5));
        });
    }

    @Test
    void hasTasksInEveryStatus() {
        for (var status : TaskStatus.values()) {
            var page = page("/tasks?type=labels.print&status=" + status);

            assertThat(Jsoup.parse(page).select("#live tbody tr"))
                    .as(status.name())
                    .isNotEmpty();
        }
    }

    @Test
    void hasSomethingToShowOnEveryPageOfChangesAndFavorites() {
        var sets = rows("/changes");

        assertThat(sets)
                .hasSize(6)
                .anyMatch(row -> row.contains("sample-prices") && row.contains("Scheduled"))
                .anyMatch(row -> row.contains("Happy hour") && row.contains("Undone"))
                .anyMatch(row -> row.contains("Undo of Happy hour") && row.contains("Applied"))
                .anyMatch(row -> row.contains("Cheaper for members") && row.contains("Applied"))
                .anyMatch(row -> row.contains("New supplier") && row.contains("Scheduled") && row.contains(" 20 "))
                .anyMatch(row -> row.contains("Summer menu") && row.contains("Draft"));
        assertThat(rows("/stores/DE-0001/changes")).isNotEmpty();
        assertThat(rows("/prices/history?store=DE-0001&product=HAMBURGER")).hasSize(2);

        assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* favorites");
        assertThat(rows("/favorites"))
                .hasSizeGreaterThan(20)
                .anyMatch(row -> row.contains(" up "))
                .anyMatch(row -> row.contains(" down "));
        for (var window : List.of("DAY", "WEEK", "MONTH", "LAST_24_HOURS", "LAST_30_DAYS")) {
            assertThat(rows("/favorites?window=" + window)).isNotEmpty();
        }
    }

    @Test
    void hasReportsOfTheLastHoursWithALateLineAndAnotherVersion() {
        assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* billable transactions");
        assertThat(rows("/billing"))
                .anyMatch(row -> row.matches(".* UTC 1 \\d \\d+ 1 .* Committed"))
                .anyMatch(row -> row.matches(".* UTC 2 \\d \\d+ 0 .* Committed"));
        assertThat(rows("/billing/agencies")).hasSize(4);
        assertThat(rows("/billing/rules")).hasSize(3);
        assertThat(rows("/billing/reconciliation")).hasSize(96).noneMatch(row -> row.endsWith("Differs"));
    }

    private List<String> rows(String page) {
        return Jsoup.parse(page(page)).select("main tbody tr").eachText();
    }

    /** 503: the machine is busy, and whoever asks is to come again. */
    private String page(String path) {
        var request = signedIn(local.address().resolve(path)).build();
        var answer = await().atMost(Duration.ofMinutes(1))
                .until(() -> http.send(request, BodyHandlers.ofString()), response -> response.statusCode() != 503);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private String text() {
        return printed.toString(UTF_8);
    }

    private HttpRequest.Builder signedIn(URI address) {
        return HttpRequest.newBuilder(address).header("Authorization", "Bearer " + local.token());
    }

    /**
     * Requests to the table of queries that lead from lists to what their elements name, on the sample and what is added here.
     * Each may take no more than {@code docs/capacity.md} says, which has the same table: what is read together for a whole list,
     * read for each of its elements, is as many more as the list is long.
     */
    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class NestedQueries {
        private final Instant now = Instant.now().truncatedTo(DAYS);
        private String basket = "";
        private String swaps = "";
        private String mixed = "";

        @BeforeAll
        void load() {
            swaps = ask("{ swapPrices(store: \"DE-0001\", first: 30) { nodes { combo { key } option { key } } } }")
                    .at("/data/swapPrices/nodes")
                    .findParents("combo")
                    .stream()
                    .map(swap -> "{combo: %s, option: %s}".formatted(swap.at("/combo/key"), swap.at("/option/key")))
                    .collect(Collectors.joining(", ", "swaps: [", "]"));
            var products =
                    keys("{ basePrices(store: \"DE-0001\", first: 30) { nodes { product { key } } } }", "product");
            basket = "products: " + products;
            for (var i = 0; i < CHANGE_SETS; i++) {
                ask(
                        "mutation { createChangeSet(input: {name: \"Set %d\", reason: \"r\", rules: [{stores: [\"DE-0001\"], products: %s, add: \"1\"}]}) { errors { message } } }"
                                .formatted(i, products.subList(0, 3)));
            }
            ask("mutation { submitTasks(input: {tasks: [%s]}) { errors { code } } }"
                    .formatted("{type: \"nested\"},".repeat(TASKS)));
            ask("mutation { claimTasks(input: {worker: \"nested\", types: [\"nested\"], max: %d}) { errors { code } } }"
                    .formatted(TASKS));
            await().until(() ->
                    !ask("{ worker(id: \"nested\") { id } }").at("/data/worker").isNull());
            // The run that the application makes when it finds the time, now.
            ask("mutation { runBilling(input: {}) { errors { code } } }");
            await().until(() ->
                    ask("{ reportRuns { nodes { status } } }").toString().split("COMMITTED").length > REPORT_RUNS);
            mixed = Map.of(
                            "stores(first: 20)", "stores",
                            "tasks(filter: {type: \"nested\", statuses: [RUNNING]}, first: 20)", "tasks",
                            "changeSets(first: 20)", "changeSets",
                            "reportRuns(first: 5)", "reportRuns",
                            "commissionRules", "commissionRules",
                            "agencies", "agencies")
                    .entrySet()
                    .stream()
                    .flatMap(list -> ids("{ %s { nodes { id } } }".formatted(list.getKey()), list.getValue()).stream())
                    .collect(Collectors.joining(", "));
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                changeSets           | 50 | 55 | changeSets(first: 50) { nodes { name lines(first: 5) { nodes { store { name } subject { product { key } } } } task { status } undoOf { key } } }
                tasks                | 100 | 12 | tasks(filter: {type: "nested", statuses: [RUNNING]}, first: 100) { nodes { submittedBy { name } history { nodes { kind } } worker { key } } }
                billableTransactions | 50 | 30 | billableTransactions(agency: "$AGENCY", from: "$FROM", to: "$TO", first: 50) { nodes { agency { key } commissionRule { rate } product { key } report { run { key task { id } } line { late } } } }
                stores               | 20 | 24 | stores(first: 20) { nodes { name prices($BASKET) { price { amount } endsAt } } }
                swapPricesFor        | 20 | 24 | stores(first: 20) { nodes { name swapPricesFor($SWAPS) { price { amount } endsAt } } }
                prices               | 30 | 1 | prices(store: "DE-0001", $BASKET) { price { amount } endsAt store { name } product { key } }
                basePricesByProduct  | 20 | 6 | product(id: "$PRODUCT") { basePrices(first: 50) { nodes { price { amount } endsAt store { name } } } }
                reportRuns           | 6 | 10 | reportRuns { nodes { agencyTotals { nodes { agency { key } totals { lines } } } task { status } } }
                topRestaurants       | 20 | 45 | topRestaurants(window: LAST_30_DAYS, first: 20) { nodes { rank restaurant { key favoriteCounts { windows { count } } } } }
                favoritedBy          | 20 | 355 | topRestaurants(window: LAST_30_DAYS, first: 20) { nodes { restaurant { favoritedBy(first: 3) { nodes { user { key } } } } } }
                scheduledBatches     | 20 | 41 | scheduledBatches(from: "$NOW", to: "$LATER", first: 20) { nodes { store { name } changeSets { nodes { changeSet { name } } } } }
                nodes                | 60 | 52 | nodes(ids: [$MIXED]) { id ... on Store { name history { nodes { isNew } } } ... on Task { worker { key } } ... on ChangeSet { lines(first: 1) { nodes { store { name } } } } }
                """)
        void readsWhatAListLeadsToInFewRequests(String list, int elements, int requests, String query) {
            var document = "{ "
                    + query.replace("$BASKET", basket)
                            .replace("$SWAPS", swaps)
                            .replace("$MIXED", mixed)
                            .replace("$PRODUCT", "HAMBURGER")
                            .replace("$AGENCY", "quickbite")
                            .replace("$FROM", now.minus(Duration.ofDays(2)).toString())
                            .replace("$TO", now.plus(Duration.ofDays(1)).toString())
                            .replace("$NOW", now.toString())
                            .replace("$LATER", now.plus(Duration.ofDays(7)).toString())
                    + " }";
            ask(document);

            var answer = ask(document);

            assertThat(elementsOf(answer.path("data"))).isGreaterThanOrEqualTo(elements);
            assertThat(answer.at("/extensions/cost/tableRequests").asInt()).isLessThanOrEqualTo(requests);
        }

        /** How long the first list is that the answer has. */
        private static int elementsOf(JsonNode answer) {
            var value = answer.elements().next();
            return value.isArray() ? value.size() : elementsOf(value);
        }

        private List<String> keys(String query, String of) {
            var list = ask(query).path("data").elements().next().path("nodes");
            return StreamSupport.stream(list.spliterator(), false)
                    .map(node -> node.path(of).path("key").toString())
                    .toList();
        }

        private List<String> ids(String query, String list) {
            return StreamSupport.stream(
                            ask(query).path("data").path(list).path("nodes").spliterator(), false)
                    .map(node -> node.path("id").toString())
                    .toList();
        }

        /** Answer without errors, with what it cost. */
        private JsonNode ask(String query) {
            try {
                var body = JSON.writeValueAsString(Map.of("query", query, "extensions", Map.of("cost", true)));
                var answer = JSON.readTree(http.send(
                                signedIn(local.address().resolve("/graphql"))
                                        .header("Content-Type", "application/json")
                                        .POST(BodyPublishers.ofString(body))
                                        .build(),
                                BodyHandlers.ofString())
                        .body());
                assertThat(answer.path("errors").isMissingNode())
                        .as(answer.toString())
                        .isTrue();
                return answer;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
