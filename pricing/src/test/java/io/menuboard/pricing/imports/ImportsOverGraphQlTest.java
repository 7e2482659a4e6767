package io.menuboard.pricing.imports;

import static io.menuboard.pricing.changes.ChangesServer.BERLIN;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLEnumValueDefinition;
import graphql.schema.GraphQLSchema;
import io.menuboard.graphql.AskedFields;
import io.menuboard.pricing.changes.ChangesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code imports.graphqls} promises, over HTTP. Each test has products of its own. */
class ImportsOverGraphQlTest {
    private static final String PRICES = "store,product,effectiveDate,amount\n";
    private static final String CHANGES = "store,product,operation,amount,percent\n";
    private static final String COUNTS = "state message rows created changed unchanged rejected";
    private static final String PAYLOAD = " { import { key " + COUNTS
            + " rejections { nodes { row field value rule code } } changeSet { key } changeSetKey }"
            + " changeSet { key name reason status token effectiveDate import { key } createdBy { name source } }"
            + " existingImport { key } errors { code message path } }";

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static ChangesServer changes;

    @BeforeAll
    static void start() {
        changes = ChangesServer.start(Map.of("menuboard.graphql.actor", "grace"));
    }

    @AfterAll
    static void stop() {
        changes.close();
    }

    @Test
    void draftsWhatAFileOfPricesChangesAndReportsTheRowsThatAreWrong() {
        changes.price(BERLIN, "2.00", "LISTED", "SAME");

        var payload = prices(
                PRICES
                        + "DE-0001,LISTED,2020-01-01,2.10\nDE-0001,SAME,2020-01-01,2.00\nnowhere,LISTED,2020-01-01,1.00\n",
                "costs rose");

        var ended = payload.path("import");
        var set = payload.path("changeSet");
        assertThat(payload.path("errors")).isEmpty();
        assertThat(counts(ended)).isEqualTo("FINISHED null 3 0 1 1 1");
        assertThat(ended.at("/rejections/nodes")).hasToString("""
                [{"row":4,"field":"store","value":"nowhere",\
                "rule":"store must exist: import it before its prices, or with them in the stores file",\
                "code":"UNKNOWN_STORE"}]""");
        assertThat(ended.at("/changeSet/key")).isEqualTo(set.path("key"));
        assertThat(ended.path("changeSetKey")).isEqualTo(set.path("key"));
        assertThat(set.at("/import/key")).isEqualTo(ended.path("key"));
        assertThat(set.path("name").asText()).isEqualTo("prices.csv");
        assertThat(set.path("reason").asText()).isEqualTo("costs rose");
        assertThat(set.path("status").asText()).isEqualTo("DRAFT");
        assertThat(set.path("createdBy")).hasToString("{\"name\":\"grace\",\"source\":\"GRAPHQL\"}");
        assertThat(price("LISTED")).isEqualTo("2.00");

        apply(set);

        assertThat(price("LISTED")).isEqualTo("2.10");
    }

    @Test
    void hasAValueForEveryRuleThatARowCanBreak() {
        var schema = changes.server().bean(GraphQLSchema.class);

        assertThat((GraphQLEnumType) schema.getType("ImportRejectionCode"))
                .extracting(GraphQLEnumType::getValues, as(list(GraphQLEnumValueDefinition.class)))
                .extracting(GraphQLEnumValueDefinition::getName)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ImportRejectionCode.values()).map(Enum::name).toList());
    }

    @Test
    void draftsNothingOfAFileThatChangesNothing() {
        changes.price(BERLIN, "2.00", "KEPT");

        var payload = prices(PRICES + "DE-0001,KEPT,2020-01-01,2.00\n", "costs rose");

        assertThat(payload.path("errors")).isEmpty();
        assertThat(counts(payload.path("import"))).isEqualTo("FINISHED null 1 0 0 1 0");
        assertThat(payload.path("changeSet").isNull()).isTrue();
        assertThat(payload.at("/import/changeSet").isNull()).isTrue();
        assertThat(payload.at("/import/changeSetKey").isNull()).isTrue();
    }

    @Test
    void draftsWhatAFileOfChangesAsksForUnderTheNameAndFromTheDateGiven() {
        changes.price(BERLIN, "2.00", "ADDED", "RISEN");

        var payload = mutate(
                "importChanges",
                "$name: String, $reason: String, $date: EffectiveDate",
                "name: $name, reason: $reason, effectiveDate: $date",
                Map.of(
                        "csv",
                        CHANGES + "DE-0001,ADDED,ADD,0.15,\nDE-0001,RISEN,PERCENT,,10\nDE-0001,RISEN,PERCENT,,10\n",
                        "name",
                        "Summer",
                        "reason",
                        "costs rose",
                        "date",
                        "2199-07-01"));

        var set = payload.path("changeSet");
        assertThat(payload.path("errors")).isEmpty();
        assertThat(counts(payload.path("import"))).isEqualTo("FINISHED null 3 0 2 0 1");
        assertThat(payload.at("/import/rejections/nodes/0/code").asText()).isEqualTo("DUPLICATE");
        assertThat(set.path("name").asText()).isEqualTo("Summer");
        assertThat(set.path("reason").asText()).isEqualTo("costs rose");
        assertThat(set.path("effectiveDate").asText()).isEqualTo("2199-07-01");
        assertThat(lines(set)).containsExactly("ADDED 2.00 2.15", "RISEN 2.00 2.20");
    }

    @Test
    void rejectsRowsWhoseTimeHasPassed() {
        changes.price(BERLIN, "2.00", "LATE");

        var payload = mutate(
                "importChanges",
                "$date: EffectiveDate",
                "effectiveDate: $date",
                Map.of("csv", CHANGES + "DE-0001,LATE,SET,2.10,\n", "date", "2020-01-01"));

        assertThat(payload.path("errors")).isEmpty();
        assertThat(counts(payload.path("import"))).isEqualTo("FINISHED null 1 0 0 0 1");
        assertThat(payload.path("changeSet").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            importPrices  | store,product,amount   | The header of the prices file cannot be used: column effectiveDate is missing
            importPrices  | ''                     | The prices file is empty
            importChanges | store,product,amount   | The header of the changes file cannot be used: column operation is missing
            """)
    void saysWhyAFileIsRefusedAsAWhole(String mutation, String csv, String message) {
        var payload = mutate(mutation, "", "", Map.of("csv", csv));

        assertThat(payload.path("errors")).hasSize(1);
        assertThat(payload.at("/errors/0/code").asText()).isEqualTo("IMPORT_REFUSED");
        assertThat(payload.at("/errors/0/path")).hasToString("[\"input\",\"csv\"]");
        assertThat(payload.at("/errors/0/message").asText()).startsWith(message);
        assertThat(payload.at("/import/state").asText()).isEqualTo("REFUSED");
        assertThat(payload.at("/import/message")).isEqualTo(payload.at("/errors/0/message"));
        assertThat(payload.path("changeSet").isNull()).isTrue();
    }

    @Test
    void beginsNothingUnderANameOrForAReasonThatIsNone() {
        var csv = CHANGES + "DE-0001,P,SET,2.10,\n";

        var unnamed = mutate("importChanges", "$name: String", "name: $name", Map.of("csv", csv, "name", " "));
        var unfounded = prices(PRICES, " ");

        assertThat(unnamed.path("import").isNull()).isTrue();
        assertThat(unnamed.at("/errors/0/code").asText()).isEqualTo("INVALID_NAME");
        assertThat(unnamed.at("/errors/0/path")).hasToString("[\"input\",\"name\"]");
        assertThat(unfounded.path("import").isNull()).isTrue();
        assertThat(unfounded.at("/errors/0/code").asText()).isEqualTo("INVALID_REASON");
        assertThat(unfounded.at("/errors/0/path")).hasToString("[\"input\",\"reason\"]");
    }

    @Test
    void listsRejectionsInOrderBothWays() {
        var rows = new StringBuilder(PRICES);
        IntStream.range(0, 250).forEach(row -> rows.append("nowhere,P" + row + ",2020-01-01,1.00\n"));
        var id = prices(rows.toString(), "costs rose").at("/import/key").asText();

        var all = rejections(id, "first: 2048");
        var forward = new ArrayList<Integer>();
        var page = rejections(id, "first: 60");
        while (true) {
            assertThat(page.at("/pageInfo/hasPreviousPage").asBoolean()).isEqualTo(!forward.isEmpty());
            forward.addAll(rows(page));
            if (!page.at("/pageInfo/hasNextPage").asBoolean()) {
                break;
            }
            page = rejections(id, "first: 60, after: " + page.at("/pageInfo/endCursor"));
        }
        var back = new ArrayList<Integer>();
        page = rejections(id, "last: 70");
        while (true) {
            assertThat(page.at("/pageInfo/hasNextPage").asBoolean()).isEqualTo(!back.isEmpty());
            back.addAll(0, rows(page));
            if (!page.at("/pageInfo/hasPreviousPage").asBoolean()) {
                break;
            }
            page = rejections(id, "last: 70, before: " + page.at("/pageInfo/startCursor"));
        }

        assertThat(all.path("totalCount")).hasToString("{\"count\":250,\"precision\":\"EXACT\"}");
        assertThat(rows(all)).isEqualTo(IntStream.range(2, 252).boxed().toList());
        assertThat(forward).isEqualTo(rows(all));
        assertThat(back).isEqualTo(rows(all));
        var refused = changes.server()
                .execute("{ import(id: \"" + id + "\") { rejections(after: \"x\") { nodes { row } } } }");
        assertThat(refused.code()).isEqualTo("INVALID_CURSOR");
        assertThat(refused.argument()).isEqualTo("after");
    }

    private static JsonNode rejections(String id, String page) {
        return changes.data("{ import(id: \"" + id + "\") { rejections(" + page
                        + ") { nodes { row } totalCount { count precision }"
                        + " pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }")
                .at("/import/rejections");
    }

    private static List<Integer> rows(JsonNode page) {
        return StreamSupport.stream(page.path("nodes").spliterator(), false)
                .map(rejection -> rejection.path("row").asInt())
                .toList();
    }

    @Test
    void importsAFileOnceForEachKey() {
        changes.price(BERLIN, "2.00", "ONCE");
        var file = Map.<String, Object>of("csv", PRICES + "DE-0001,ONCE,2020-01-01,2.10\n");
        var other = Map.<String, Object>of("csv", PRICES + "DE-0001,ONCE,2020-01-01,2.20\n");

        var first = mutate("importPrices", "", "idempotencyKey: \"once\"", file);
        var again = mutate("importPrices", "", "idempotencyKey: \"once\"", file);
        var reused = mutate("importPrices", "", "idempotencyKey: \"once\"", other);

        assertThat(first.path("errors")).isEmpty();
        assertThat(first.at("/import/state").asText()).isEqualTo("FINISHED");
        assertThat(again).isEqualTo(first);
        assertThat(reused.at("/errors/0/code").asText()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(reused.at("/errors/0/path")).hasToString("[\"input\",\"idempotencyKey\"]");
        assertThat(reused.at("/existingImport/key")).isEqualTo(first.at("/import/key"));
        assertThat(reused.path("import").isNull()).isTrue();
    }

    @Test
    void importsOnceOfManyRequestsAtOnceWithTheSameKey() {
        changes.price(BERLIN, "2.00", "RACED");
        var file = Map.<String, Object>of("csv", PRICES + "DE-0001,RACED,2020-01-01,2.10\n");
        var document = "mutation($csv: String!) { importPrices(input: {csv: $csv, idempotencyKey: \"race\"})"
                + " { import { key } errors { code } } }";

        var answers = Stream.generate(() -> changes.server().later(document, file)).limit(20).toList().stream()
                .map(answer -> answer.join().data().path("importPrices").toString())
                .distinct()
                .toList();

        assertThat(answers).hasSize(1).first().asString().contains("\"errors\":[]");
        var id = answers.getFirst().replaceAll(".*\"key\":\"([0-9a-f]{16})\".*", "$1");
        assertThat(changes.data("{ changeSets(first: 2048) { nodes { import { key } } } }")
                        .findValuesAsText("key"))
                .filteredOn(id::equals)
                .hasSize(1);
    }

    @Test
    void savesTheStoresOfAFileAndListsItsImport() {
        var file = Map.<String, Object>of(
                "csv", "id,name,timeZone,currency\nIT-0001,Roma,Europe/Rome,EUR\nIT-0002,Nowhere,Mars/Olympus,EUR\n");
        var document = "mutation($csv: String!) { importStores(input: {csv: $csv, idempotencyKey: \"stores\"})"
                + " { import { key " + COUNTS
                + " files { kind name created } rejections { nodes { file field } }"
                + " status requestedAt startedAt requestedBy { name } startedBy { name } }"
                + " errors { code } } }";

        var payload = changes.server().data(document, file).path("importStores");
        var again = changes.server().data(document, file).path("importStores");

        assertThat(payload.path("errors")).isEmpty();
        assertThat(again).isEqualTo(payload);
        var ended = payload.path("import");
        assertThat(counts(ended)).isEqualTo("FINISHED null 2 1 0 0 1");
        assertThat(ended.path("status")).isEqualTo(ended.path("state"));
        assertThat(ended.path("requestedAt")).isEqualTo(ended.path("startedAt"));
        assertThat(ended.path("requestedBy")).isEqualTo(ended.path("startedBy"));
        assertThat(ended.path("files")).hasToString("[{\"kind\":\"STORES\",\"name\":\"stores.csv\",\"created\":1}]");
        assertThat(ended.at("/rejections/nodes")).hasToString("[{\"file\":\"STORES\",\"field\":\"timeZone\"}]");
        assertThat(changes.data("{ store(id: \"IT-0001\") { name } }")
                        .at("/store/name")
                        .asText())
                .isEqualTo("Roma");
        assertThat(changes.data("{ imports(first: 1) { nodes { key } } }").at("/imports/nodes/0/key"))
                .isEqualTo(ended.path("key"));
    }

    @Test
    void saysWhichImportThereIsNot() {
        var refused = changes.server().execute("{ import(id: \"nonsense\") { key } }");

        assertThat(changes.data("{ import(id: \"0123456789abcdef\") { id } }")).hasToString("{\"import\":null}");
        assertThat(refused.code()).isEqualTo("INVALID_ID");
        assertThat(refused.argument()).isEqualTo("id");
    }

    @Test
    void everyFieldGivesWhatItIsFor() {
        changes.price(BERLIN, "2.00", "ASKED");
        var fields = new AskedFields(changes.server());
        var rows = "DE-0001,ASKED,2020-01-01,2.10\\nnowhere,ASKED,2020-01-01,2.10";

        var ended = fields.mutate(
                "importPrices",
                "input: {csv: \"store,product,effectiveDate,amount\\n" + rows + "\", idempotencyKey: \"k\"}");
        fields.query("import(id: \"" + ended.at("/import/id").asText() + "\")");
        fields.mutate("importPrices", "input: {csv: \"store\", idempotencyKey: \"k\"}");
        fields.mutate("importPrices", "input: {csv: \"store\"}");
        fields.query("imports(first: 2)");
        fields.mutate("importStores", "input: {csv: \"id,name,timeZone,currency\", idempotencyKey: \"k3\"}");
        fields.mutate("importStores", "input: {csv: \"id\", idempotencyKey: \"k3\"}");
        var changed =
                "input: {csv: \"store,product,operation,amount\\nDE-0001,ASKED,ADD,1.00\", idempotencyKey: \"k2\"}";
        fields.mutate("importChanges", changed);
        fields.mutate("importChanges", "input: {csv: \"store\", idempotencyKey: \"k2\"}");

        assertThat(fields.unanswered("imports.graphqls")).isEmpty();
    }

    private static JsonNode prices(String csv, String reason) {
        return mutate("importPrices", "$reason: String", "reason: $reason", Map.of("csv", csv, "reason", reason));
    }

    private static JsonNode mutate(String field, String declared, String arguments, Map<String, Object> variables) {
        return changes.server()
                .data(
                        "mutation($csv: String! " + declared + ") { " + field + "(input: {csv: $csv " + arguments + "})"
                                + PAYLOAD + " }",
                        variables)
                .path(field);
    }

    private static String counts(JsonNode found) {
        return String.join(
                " ",
                List.of(COUNTS.split(" ")).stream()
                        .map(name -> found.path(name).asText())
                        .toList());
    }

    private static void apply(JsonNode set) {
        var errors = changes.data("mutation { applyChangeSet(input: {id: \""
                        + set.path("key").asText() + "\", token: \""
                        + set.path("token").asText() + "\"}) { errors { code } } }")
                .at("/applyChangeSet/errors");
        assertThat(errors).isEmpty();
    }

    private static List<String> lines(JsonNode set) {
        var lines = changes.data(
                        "{ changeSet(id: \"" + set.path("key").asText()
                                + "\") { lines { nodes { subject { product { key } } before { amount } after { amount } } } } }")
                .at("/changeSet/lines/nodes");
        return StreamSupport.stream(lines.spliterator(), false)
                .map(line -> line.at("/subject/product/key").asText() + " "
                        + line.at("/before/amount").asText() + " "
                        + line.at("/after/amount").asText())
                .toList();
    }

    private static String price(String product) {
        return changes.data("{ price(store: \"DE-0001\", product: \"" + product + "\") { price { amount } } }")
                .at("/price/price/amount")
                .asText();
    }
}
