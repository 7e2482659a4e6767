package io.menuboard.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of {@code pricing.graphqls} that are about stores alone, asked over HTTP. */
class StoresOverGraphQlTest {
    private static final String PAYLOAD =
            "{ store { key name address { street city country } timeZone currency status }"
                    + " errors { code message path } }";

    @AutoClose
    private static final GraphQlServer server = ContextServer.start(Map.of());

    @Test
    void addsAStoreOnce() {
        var input = "{key: \"A-1\", name: \"Alex\", timeZone: \"Europe/Berlin\", currency: \"EUR\"}";

        var added = server.data("mutation { first: addStore(input: %1$s) %2$s again: addStore(input: %1$s) %2$s }"
                .formatted(input, PAYLOAD));

        assertThat(added.path("first")).hasToString("""
                {"store":{"key":"A-1","name":"Alex","address":{"street":"","city":"","country":null},\
                "timeZone":"Europe/Berlin","currency":"EUR","status":"OPEN"},"errors":[]}""");
        assertThat(added.path("again")).isEqualTo(added.path("first"));
        assertThat(added("key: \"A-1\", name: \"Another\"")).hasToString("""
                {"store":null,"errors":[{"code":"STORE_EXISTS",\
                "message":"key must be new: there is a store A-1, which is different","path":["input","key"]}]}""");
    }

    @Test
    void editsWhatIsGivenAndLeavesTheRest() {
        added("key: \"E-1\", name: \"Before\", address: {street: \"Main St 1\", city: \"Kiel\", country: \"DE\"}");

        var edited = edited("id: \"Store#E-1\", name: \"After\", address: {street: \"\", city: null}, status: CLOSED");

        assertThat(edited).hasToString("""
                {"store":{"key":"E-1","name":"After","address":{"street":"","city":"Kiel","country":"DE"},\
                "timeZone":"Europe/Berlin","currency":"EUR","status":"CLOSED"},"errors":[]}""");
        assertThat(server.data("""
                { store(id: "E-1") { history(first: 1) { pageInfo { hasNextPage } nodes {
                    changedBy { source } isNew fields { field before after } } } } }""").path("store")).hasToString("""
                {"history":{"pageInfo":{"hasNextPage":true},"nodes":[{"changedBy":{"source":"GRAPHQL"},"isNew":false,"fields":[\
                {"field":"NAME","before":"Before","after":"After"},{"field":"STREET","before":"Main St 1","after":null},\
                {"field":"STATUS","before":"OPEN","after":"CLOSED"}]}]}}""");
    }

    @Test
    void takesACountryAwayWhereItIsGivenAsNull() {
        added("key: \"E-2\", name: \"Somewhere\", address: {city: \"Kiel\", country: \"de\"}");

        var left = edited("id: \"E-2\", address: {city: null}");
        var cleared = edited("id: \"E-2\", address: {country: null}");

        assertThat(left.at("/store/address")).hasToString("{\"street\":\"\",\"city\":\"Kiel\",\"country\":\"DE\"}");
        assertThat(cleared.at("/store/address")).hasToString("{\"street\":\"\",\"city\":\"Kiel\",\"country\":null}");
        assertThat(server.data(
                                "{ store(id: \"E-2\") { history(first: 1) { nodes { fields { field before after } } } } }")
                        .at("/store/history/nodes/0/fields"))
                .hasToString("[{\"field\":\"COUNTRY\",\"before\":\"DE\",\"after\":null}]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name: ""                                            | INVALID_NAME     | input.name
            name: "a\\u0007b"                                   | INVALID_NAME     | input.name
            address: {city: "a\\u202Eb"}                        | INVALID_ADDRESS  | input.address.city
            address: {city: "%s"}                               | INVALID_ADDRESS  | input.address.city
            currency: "XXX"                                     | INVALID_CURRENCY | input.currency
            """)
    void refusesWhatBreaksARule(String field, String code, String path) {
        added("key: \"R-1\", name: \"Right\"");

        var refused = edited("id: \"R-1\", " + field.formatted("x".repeat(201)));

        assertThat(refused.path("store").isNull()).isTrue();
        assertThat(refused.at("/errors/0/code").asText()).isEqualTo(code);
        assertThat(refused.at("/errors/0/path")).hasToString(GraphQlServer.json(List.of(path.split("\\.", -1))));
    }

    @Test
    void refusesToEditWhatIsNotThereOrNoStore() {
        assertThat(edited("id: \"NOWHERE\"").path("errors")).hasToString("""
                [{"code":"NOT_FOUND","message":"id must exist: there is no store NOWHERE","path":["input","id"]}]""");
        assertThat(edited("id: \"Product#X\"").at("/errors/0/code").asText()).isEqualTo("INVALID_ID");
        assertThat(added("key: \"a b\", name: \"B\"").at("/errors/0/path")).hasToString("[\"input\",\"key\"]");
        assertThat(added("key: \"Store#B\", name: \"B\"").at("/errors/0/code").asText())
                .as("a key that is to be, which no id names yet")
                .isEqualTo("INVALID_ID");
    }

    @Test
    void listsStoresByIdsAndFilters() {
        added("key: \"F-1\", name: \"Filter one\", address: {country: \"SE\"}");
        added("key: \"F-2\", name: \"Filter two\", address: {country: \"NO\"}, status: TEMPORARILY_CLOSED");

        assertThat(server.data("""
                { storesById(ids: ["F-2", "NOWHERE", "Store#F-1", "F-2"]) { key }
                  both: stores(search: "filter", filter: {countries: ["SE", "NO"]}) { nodes { key } }
                  closed: stores(search: "filter", filter: {statuses: [TEMPORARILY_CLOSED]}) { nodes { key } }
                  none: stores(filter: {currencies: ["JPY"], countries: ["SE"]}) { nodes { key } } }""")).hasToString("""
                {"storesById":[{"key":"F-2"},null,{"key":"F-1"},{"key":"F-2"}],\
                "both":{"nodes":[{"key":"F-1"},{"key":"F-2"}]},"closed":{"nodes":[{"key":"F-2"}]},"none":{"nodes":[]}}""");
        var invalid = server.execute("{ storesById(ids: [\"F-1\", \"a b\"]) { key } }");
        assertThat(invalid.code()).isEqualTo("INVALID_ID");
        assertThat(invalid.argument()).isEqualTo("ids.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            storesById | "V-1", "V-2"
            nodes      | "Store#V-1", "Store#V-2"
            """)
    void aStoreThatAnotherVersionWroteFailsAlone(String field, String ids) {
        added("key: \"V-1\", name: \"One\"");
        added("key: \"V-2\", name: \"Two\"");
        var status = Update.of(new Key("STORE#V-2", "META")).when(Condition.exists());
        var db = server.bean(QueryDb.class);
        db.update(status.set("status", "FRANCHISED"));

        var answer = server.execute("{ %s(ids: [%s]) { __typename id } }".formatted(field, ids));

        db.update(status.set("status", "OPEN"));
        assertThat(answer.body().at("/data/" + field))
                .hasToString("[{\"__typename\":\"Store\",\"id\":\"Store#V-1\"},null]");
        assertThat(answer.body().path("errors")).hasSize(1);
        assertThat(answer.error().path("path")).hasToString("[\"%s\",1]".formatted(field));
    }

    /** What comes of adding a store in Berlin. */
    private static JsonNode added(String input) {
        return server.data("mutation { addStore(input: {%s, timeZone: \"Europe/Berlin\", currency: \"EUR\"}) %s }"
                        .formatted(input, PAYLOAD))
                .path("addStore");
    }

    private static JsonNode edited(String input) {
        return server.data("mutation { editStore(input: {%s}) %s }".formatted(input, PAYLOAD))
                .path("editStore");
    }
}
