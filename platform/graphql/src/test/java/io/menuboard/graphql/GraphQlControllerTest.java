package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import graphql.introspection.IntrospectionQuery;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Isolated("the log is that of the whole process")
class GraphQlControllerTest {
    private static final String TYPENAME = "{\"query\":\"{ __typename }\"}";
    private static final int MAX_BODY = 1_000_000;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static SampleServer server;

    @BeforeAll
    static void start() {
        server = SampleServer.start(Map.of("menuboard.graphql.max-body-bytes", MAX_BODY));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void answersWithEveryKindOfValue() {
        var answer = server.execute("""
                query Page($first: Int) {
                  sampleNumbers(first: $first) {
                    edges { cursor node { id name amount currency startsAt even } }
                    nodes { id }
                    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
                  }
                }
                """, Map.of("first", 1));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.http().body()).isEqualTo("""
                {"data":{"sampleNumbers":{\
                "edges":[{"cursor":"cursor-number-0","node":{"id":"number-0","name":"The number that comes after -1",\
                "amount":"0.00","currency":"EUR","startsAt":"2026-02-02T02:40:00Z","even":true}}],\
                "nodes":[{"id":"number-0"}],\
                "pageInfo":{"hasNextPage":true,"hasPreviousPage":false,\
                "startCursor":"cursor-number-0","endCursor":"cursor-number-0"}}}}""");
    }

    @Test
    void tellsBrowsersNotToKeepOrReinterpretAnswers() {
        var answer = server.execute("{ __typename }");

        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Content-Type")).isEqualTo("application/graphql-response+json; charset=utf-8");
        assertThat(answer.header("Content-Length"))
                .isEqualTo(String.valueOf(answer.http().body().length()));
    }

    @Test
    void executesQueriesOverGet() {
        var query = "?query=" + encode("query A { a: __typename } query B($t: String!) { sampleEcho(text: $t) }")
                + "&operationName=B&variables=" + encode("{\"t\":\"1+1 = 2 & ü\"}")
                + "&extensions=%7B%7D&other=1&query2";

        var answer = get(query);

        assertThat(answer.data().path("sampleEcho").asText()).isEqualTo("1+1 = 2 & ü");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mutation { sampleCount }",
                "mutation { unknown }",
                "mutation A { sampleCount }",
                "subscription { sampleCount }"
            })
    void neverExecutesAnythingButQueriesOverGet(String document) {
        var before = count();

        var answer = server.get(document);

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("POST");
        assertThat(answer.code()).isEqualTo("METHOD_NOT_ALLOWED");
        assertThat(count()).isEqualTo(before + 1);
    }

    @Test
    void neverExecutesAnythingButQueriesOverHead() {
        var before = count();

        var answer = server.send(
                HttpRequest.newBuilder(URI.create(server.graphQl() + "?query=" + encode("mutation { sampleCount }")))
                        .HEAD());

        assertThat(answer.status()).isEqualTo(405);
        assertThat(count()).isEqualTo(before + 1);
    }

    @Test
    void decidesByTheChosenOperationWhetherGetIsAllowed() {
        var document = "?query=" + encode("query Q { __typename } mutation M { sampleCount }");

        assertThat(get(document + "&operationName=M").status()).isEqualTo(405);
        assertThat(get(document + "&operationName=Q").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?notquery={a}",
                "?query={__typename}&query={__typename}",
                "?query={__typename}&variables=[]",
                "?query={__typename}&variables={",
                "?query={__typename}&variables={}{}",
                "?query={__typename}&extensions=1"
            })
    void refusesGetRequestsThatAreNotWellFormed(String query) {
        var answer = get(query.replace("{", "%7B")
                .replace("}", "%7D")
                .replace("[", "%5B")
                .replace("]", "%5D"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("BAD_REQUEST");
    }

    /** What a page of another origin can send without the browser asking first, and what is no media type of ours. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/graphql",
                "application/json; charset=iso-8859-1",
                "application/jsonp",
                "nonsense"
            })
    void refusesOtherMediaTypesOnPostWhateverTheUrlSays(String contentType) {
        var before = count();

        var answer = server.send(
                HttpRequest.newBuilder(URI.create(server.graphQl() + "?query=" + encode("mutation { sampleCount }")))
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString("{\"query\":\"mutation { sampleCount }\"}")));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(count()).isEqualTo(before + 1);
    }

    @Test
    void refusesAPostWithoutMediaType() {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl()).POST(BodyPublishers.ofString(TYPENAME)));

        assertThat(answer.status()).isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "application/json;charset=UTF-8", "Application/JSON; charset=\"utf-8\"; x=y"
            })
    void takesJsonHoweverItIsSpelled(String contentType) {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString(TYPENAME)));

        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                          | the body is missing",
                "NONSENSE                                    | the body is not JSON",
                "{\"query\":                                 | the body is not JSON",
                "[{\"query\":\"{ __typename }\"}]            | a batch of requests is not supported",
                "\"{ __typename }\"                          | the body must be a JSON object",
                "{\"query\":\"{ __typename }\"} {}           | the body must be one JSON object and nothing after it",
                "{\"qeury\":\"{ __typename }\"}              | the parameter query is missing",
                "{\"query\":null}                            | the parameter query is missing",
                "{\"query\":7}                               | the parameter query must be a string",
                "{\"query\":\"{a}\",\"operationName\":{}}    | the parameter operationName must be a string",
                "{\"query\":\"{a}\",\"variables\":[7]}       | the parameter variables must be a JSON object",
                "{\"query\":\"{a}\",\"extensions\":\"x\"}    | the parameter extensions must be a JSON object"
            })
    void saysWhatIsWrongWithABodyThatIsNotWellFormed(String body, String message) {
        for (var accept : List.of("application/json", "application/graphql-response+json")) {
            var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                    .header("Content-Type", "application/json")
                    .header("Accept", accept)
                    .POST(BodyPublishers.ofString(body)));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("BAD_REQUEST");
            assertThat(answer.error().path("message").asText()).startsWith(message);
        }
    }

    @Test
    void refusesABodyThatIsNotUtf8() {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(
                        "{\"query\":\"{ sampleEcho(text: \\\"ü\\\") }\"}".getBytes(StandardCharsets.ISO_8859_1))));

        assertThat(answer.status()).isEqualTo(400);
    }

    /** Bytes from which one may guess UTF-32, and which it does not have. */
    @ParameterizedTest
    @ValueSource(strings = {"007B0000", "0000007B", "0000FEFF7B000000", "FEFF0000", "0000FFFE", "FFFE0000000000FF"})
    void refusesABodyInNoEncoding(String bytes) {
        for (var path : List.of("/graphql", "/graphql/stream")) {
            var answer = server.send(HttpRequest.newBuilder(server.graphQl().resolve(path))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(HexFormat.of().parseHex(bytes))));

            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.code()).as(path).isEqualTo("BAD_REQUEST");
        }
    }

    @Test
    void refusesJsonThatIsNestedTooDeeply() {
        var answer = server.post(
                "{\"query\":\"{ __typename }\",\"variables\":{\"a\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("BAD_REQUEST");
    }

    @Test
    void ignoresParametersThatItDoesNotKnow() {
        var answer = server.post(
                "{\"id\":{\"x\":[1]},\"query\":\"{ __typename }\",\"operationName\":\"\",\"extensions\":{\"a\":1}}");

        assertThat(answer.data().path("__typename").asText()).isEqualTo("Query");
    }

    @Test
    void takesABodyOfTheGreatestLengthAndRefusesOneByteMore() {
        assertThat(server.post(TYPENAME + " ".repeat(MAX_BODY - TYPENAME.length()))
                        .status())
                .isEqualTo(200);

        var answer = server.post(TYPENAME + " ".repeat(MAX_BODY - TYPENAME.length() + 1));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX_BODY + 1, 11_000_000})
    void refusesABodyThatIsTooLongWithoutHavingSaidSo(int length) {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .POST(chunked(length)));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @CsvSource({
        "{, GRAPHQL_PARSE_FAILED",
        "{ unknown }, GRAPHQL_VALIDATION_FAILED",
        "query A { __typename } query B { __typename }, OPERATION_RESOLUTION_FAILED",
        "fragment F on Query { __typename }, GRAPHQL_VALIDATION_FAILED",
        "query Q($t: String!) { sampleEcho(text: $t) }, BAD_USER_INPUT",
        "subscription { sampleCount }, GRAPHQL_VALIDATION_FAILED"
    })
    void usesTheStatusOfTheResponseTypeForWhatCannotBeExecuted(String document, String code) {
        for (var type : ResponseType.values()) {
            var name = type.contentType().getName();
            var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                    .header("Content-Type", "application/json")
                    .header("Accept", name)
                    .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))));

            assertThat(answer.status()).as(name).isEqualTo(type == ResponseType.JSON ? 200 : 400);
            assertThat(answer.code()).as(answer.http().body()).isEqualTo(code);
            assertThat(answer.body().has("data")).isFalse();
        }
    }

    @Test
    void refusesAnUnknownOperationName() {
        var answer = server.post("{\"query\":\"query A { __typename }\",\"operationName\":\"B\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("OPERATION_RESOLUTION_FAILED");
    }

    @Test
    void saysWhenItHasNoMediaTypeThatTheClientTakes() {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header("Accept", "text/html, application/xml;q=0.9")
                .POST(BodyPublishers.ofString(TYPENAME)));

        assertThat(answer.status()).isEqualTo(406);
        assertThat(answer.code()).isEqualTo("NOT_ACCEPTABLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    void allowsNoOtherMethods(String method) {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(TYPENAME)));

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).contains("POST").contains("GET");
    }

    @Test
    void tellsAClientWhatItDidWrongWordForWord() {
        var answer = server.execute("{ ok: __typename sampleFailure(kind: INVALID_INPUT) }");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.http().body()).isEqualTo("""
                {"errors":[{"message":"kind must be even","locations":[{"line":1,"column":18}],\
                "path":["sampleFailure"],"extensions":{"code":"SAMPLE_TOO_ODD","path":["kind"]}}],\
                "data":{"ok":"Query","sampleFailure":null}}""");
    }

    @Test
    void keepsWhatIsWrongWithTheProgramToItself() {
        var answer = server.execute("{ sampleFailure(kind: BUG) }");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.error().path("extensions").path("errorId").asText()).matches("[0-9a-f]{16}");
        assertThat(answer.error().path("message").asText()).isEqualTo("Internal error");
        assertThat(answer.http().body()).doesNotContain(SampleGraphQl.BUG_TEXT, "Exception", "io.menuboard");
    }

    @Test
    void logsAFaultOnceUnderTheIdThatTheClientGets() {
        var logger = (Logger) LoggerFactory.getLogger(Faults.class);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        try {
            var id = server.execute("{ sampleFailure(kind: BUG) }")
                    .error()
                    .path("extensions")
                    .path("errorId")
                    .asText();

            assertThat(log.list).singleElement().satisfies(event -> {
                assertThat(event.getFormattedMessage()).contains("errorId=" + id, "path=/sampleFailure");
                assertThat(event.getThrowableProxy().getMessage()).isEqualTo(SampleGraphQl.BUG_TEXT);
            });
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void answersWhenAFieldDoesFromAnotherThread() {
        var answer = server.execute("{ before: __typename sampleLater after: __typename }");

        assertThat(answer.http().body())
                .isEqualTo("{\"data\":{\"before\":\"Query\",\"sampleLater\":\"at last\",\"after\":\"Query\"}}");
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_INPUT, SAMPLE_TOO_ODD",
        "BUG, INTERNAL",
        "UNAVAILABLE, UNAVAILABLE",
        "UNREADABLE, OTHER_VERSION"
    })
    void tellsFromWhatHappenedInAnotherThreadWhatItWouldTellFromThisOne(String kind, String code) {
        var here = server.execute("{ sampleFailure(kind: %s) }".formatted(kind));
        var there = server.execute("{ sampleFailure: sampleLater(kind: %s) }".formatted(kind));

        assertThat(there.code()).isEqualTo(code);
        assertThat(withoutId(there)).isEqualTo(withoutId(here));
    }

    private static String withoutId(GraphQlServer.Answer answer) {
        return answer.http().body().replaceAll("[0-9a-f]{16}", "");
    }

    @Test
    void answersOkWithNullDataWhenAnErrorTakesAllOfItAway() {
        var answer = server.execute("{ sampleFatal(kind: BUG) }");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.body().path("data").isNull()).isTrue();
    }

    @Test
    void asksToTryAgainWhenTheTableCannotBeReached() {
        var answer = server.execute("{ sampleFailure(kind: UNAVAILABLE) }");

        assertThat(answer.code()).isEqualTo("UNAVAILABLE");
        assertThat(answer.http().body()).doesNotContain("10.1.2.3");
    }

    @Test
    void saysThatAnotherVersionWroteWhatThisOneCannotRead() {
        var answer = server.execute("{ sampleFailure(kind: UNREADABLE) }");

        assertThat(answer.code()).isEqualTo("OTHER_VERSION");
        assertThat(answer.http().body())
                .contains("try again when the upgrade is over")
                .doesNotContain("STORE#");
    }

    @Test
    void keepsTheDetailsOfAResultThatDoesNotFitTheSchemaToItself() {
        var answer = server.execute("{ sampleMismatch }");

        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.http().body()).doesNotContain("not a number");
    }

    @Test
    void showsItselfToClientsThatAsk() {
        var answer = server.execute(IntrospectionQuery.INTROSPECTION_QUERY);

        assertThat(answer.data().path("__schema").path("types")).isNotEmpty();
    }

    @Test
    void saysWhatAnAnswerCostWhereTheClientAsks() {
        var query = "\"query\": \"query($n: Int) { sampleNumbers(first: $n) { nodes { id } } }\", ";

        assertThat(server.post("{" + query + "\"variables\": {\"n\": 3}, \"extensions\": {\"cost\": true}}")
                        .body()
                        .at("/extensions"))
                .hasToString("{\"cost\":{\"requested\":1004,\"limit\":250000,\"sampleReads\":7}}");
        assertThat(server.post("{" + query + "\"extensions\": {\"cost\": false}}")
                        .body()
                        .has("extensions"))
                .isFalse();
        assertThat(server.send(HttpRequest.newBuilder(URI.create(
                                server.graphQl() + "?query=%7B__typename%7D&extensions=%7B%22cost%22:true%7D")))
                        .body()
                        .at("/extensions/cost/requested")
                        .asInt())
                .isPositive();
    }

    @Test
    void boundsHowLongAnAnswerIs() {
        var name = "a".repeat(40_000);

        var answer = server.execute("{ sampleNumbers(first: 2048) { nodes { " + name + ": id } } }");

        assertThat(answer.code()).isEqualTo("ANSWER_TOO_LARGE");
        assertThat(answer.body().get("data").isNull()).isTrue();
        assertThat(server.execute("{ sampleNumbers(first: 2) { nodes { " + name + ": id } } }")
                        .data()
                        .at("/sampleNumbers/nodes/1/" + name)
                        .asText())
                .isEqualTo("number-1");
    }

    @Test
    void saysWhatARefusedOperationWouldHaveCost() {
        var fields = "a: sampleNumbers(first: 2048) { nodes { following(first: 2048) { nodes { id } } } }";

        var answer = server.post("{\"query\": \"{ " + fields + " }\", \"extensions\": {\"cost\": true}}");

        assertThat(answer.code()).isEqualTo("QUERY_TOO_COSTLY");
        assertThat(answer.error().at("/extensions/cost").asLong()).isGreaterThan(4_000_000);
        assertThat(answer.error().at("/extensions/limit").asInt()).isEqualTo(250_000);
    }

    @Test
    void offersNoDirectivesThatItDoesNotServe() {
        var answer = server.execute("{ __schema { directives { name } } }");

        assertThat(answer.data().at("/__schema/directives").findValuesAsText("name"))
                .contains("include", "skip", "cost", "length")
                .doesNotContain("defer", "experimental_disableErrorPropagation");
        assertThat(server.execute("{ ... @defer { __typename } }").code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        assertThat(server.execute("query @experimental_disableErrorPropagation { __typename }")
                        .code())
                .isEqualTo("GRAPHQL_VALIDATION_FAILED");
    }

    @Test
    void refusesIntrospectionThatIsNotMeantToBeRead() {
        var types = "types { fields { type { fields { name } } } }";
        for (var document : List.of(
                "{ __schema { %s } }".formatted(types),
                "{ __schema { a: %s b: %s } a: __schema { %s } }".formatted(types, types, types))) {
            var answer = server.execute(document);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("INTROSPECTION_REFUSED");
        }
    }

    @Test
    void readsAndWritesScalars() {
        var answer = server.execute(
                "query($at: DateTime, $c: CurrencyCode, $n: Long) { sampleScalars(at: $at, amount: \"-012.50\", currency: $c, count: $n)"
                        + " { at amount currency count } }",
                Map.of("at", "2026-02-01T01:30:00.120+01:00", "c", "JPY", "n", -9_007_199_254_740_991L));

        assertThat(answer.data().path("sampleScalars"))
                .hasToString("{\"at\":\"2026-02-01T00:30:00.120Z\",\"amount\":\"-12.50\",\"currency\":\"JPY\","
                        + "\"count\":-9007199254740991}");
        assertThat(server.execute(
                                "query($m: YearMonth) { sampleScalars(month: $m, timeZone: \"America/St_Johns\", country: \"DE\")"
                                        + " { month timeZone country } }",
                                Map.of("m", "0800-12"))
                        .data()
                        .path("sampleScalars"))
                .hasToString("{\"month\":\"0800-12\",\"timeZone\":\"America/St_Johns\",\"country\":\"DE\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "at, DateTime, 2026-02-01, an ISO-8601 date and time with its offset",
        "at, DateTime, 2026-02-01T00:00:00, an ISO-8601 date and time with its offset",
        "at, DateTime, 2026-02-30T00:00:00Z, an ISO-8601 date and time with its offset",
        "at, DateTime, 0000-12-31T23:59:59Z, of the years 0001 to 9999",
        "at, DateTime, 0001-01-01T00:00:00+01:00, of the years 0001 to 9999",
        "at, DateTime, 9999-12-31T23:59:59-01:00, of the years 0001 to 9999",
        "at, DateTime, +999999999-12-31T23:59:59Z, of the years 0001 to 9999",
        "on, Date, 0000-01-01, of the years 0001 to 9999",
        "on, Date, +10000-01-01, of the years 0001 to 9999",
        "month, YearMonth, 2026-13, 'an ISO-8601 month, such as 2026-02'",
        "month, YearMonth, 2026-02-01, 'an ISO-8601 month, such as 2026-02'",
        "month, YearMonth, 0000-01, of the years 0001 to 9999",
        "timeZone, TimeZone, Berlin, 'an IANA time zone, such as Europe/Berlin'",
        "timeZone, TimeZone, +01:00, 'an IANA time zone, such as Europe/Berlin'",
        "country, CountryCode, DEU, an ISO 3166-1 alpha-2 code",
        "country, CountryCode, ß, an ISO 3166-1 alpha-2 code",
        "amount, Decimal, 1e1000000000, a string with a decimal number",
        "amount, Decimal, '1,50', a string with a decimal number",
        "currency, CurrencyCode, EURO, an ISO 4217 currency code"
    })
    void saysWhatAScalarMustBe(String argument, String type, String value, String rule) {
        var literal = server.execute("{ sampleScalars(%s: \"%s\") { at } }".formatted(argument, value));
        var variable = server.execute(
                "query($v: %s) { sampleScalars(%s: $v) { at } }".formatted(type, argument), Map.of("v", value));

        assertThat(literal.code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        assertThat(literal.error().path("message").asText()).contains(argument, rule);
        assertThat(variable.code()).isEqualTo("BAD_USER_INPUT");
        assertThat(variable.error().path("message").asText()).contains(rule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740992",
                "-9007199254740992",
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "1.5",
                "\"1\"",
                "true"
            })
    void takesNothingButIntegersForALong(String value) {
        var literal = server.execute("{ sampleScalars(count: %s) { count } }".formatted(value));
        var variable = server.post("{\"query\":\"query($v: Long) { sampleScalars(count: $v) { count } }\","
                + "\"variables\":{\"v\":" + value + "}}");

        assertThat(literal.code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        assertThat(variable.code()).isEqualTo("BAD_USER_INPUT");
        assertThat(List.of(literal, variable))
                .allSatisfy(answer -> assertThat(answer.error().path("message").asText())
                        .contains("must be an integer from -9007199254740991 to 9007199254740991"));
    }

    @ParameterizedTest
    @ValueSource(longs = {9_007_199_254_740_991L, -9_007_199_254_740_991L, 0})
    void takesIntegersThatEveryClientCanTellApartForALong(long value) {
        var literal = server.execute("{ sampleScalars(count: %d) { count } }".formatted(value));
        var variable = server.execute("query($v: Long) { sampleScalars(count: $v) { count } }", Map.of("v", value));

        assertThat(List.of(literal, variable))
                .allSatisfy(answer ->
                        assertThat(answer.data().at("/sampleScalars/count")).hasToString(Long.toString(value)));
    }

    @Test
    void takesNoJsonNumberForADecimal() {
        var answer = server.execute("query($v: Decimal) { sampleScalars(amount: $v) { at } }", Map.of("v", 1.1));

        assertThat(answer.code()).isEqualTo("BAD_USER_INPUT");
    }

    private static int count() {
        return server.execute("mutation { sampleCount }")
                .data()
                .path("sampleCount")
                .asInt();
    }

    private static GraphQlServer.Answer get(String query) {
        return server.send(HttpRequest.newBuilder(URI.create(server.graphQl() + query)));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static HttpRequest.BodyPublisher chunked(int length) {
        var bytes = BodyPublishers.ofString(TYPENAME + " ".repeat(length - TYPENAME.length()));
        return new HttpRequest.BodyPublisher() {
            @Override
            public long contentLength() {
                return -1;
            }

            @Override
            public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
                bytes.subscribe(subscriber);
            }
        };
    }
}
