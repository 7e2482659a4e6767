package io.menuboard.pricing.changes;

import static io.menuboard.pricing.changes.ChangesServer.BERLIN;
import static io.menuboard.pricing.changes.ChangesServer.NEW_YORK;
import static io.menuboard.pricing.changes.ChangesServer.TOKYO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.Readme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code changes.graphqls} promises, over HTTP. Each test has products of its own. */
class ChangesOverGraphQlTest {
    /** What a shell would put there: the first match, in what was answered before, of a pattern that grep knows. */
    private static final Pattern FOUND = Pattern.compile("'\\$\\(echo \"\\$set\" \\| grep -o '([^']*)'\\)'");

    private static final String UNKNOWN = "00000000000000000000000000";
    private static final String PAYLOAD = " { changeSet { id key name status token failedLines appliedAt effectiveDate"
            + " undoOf { key } undoOfKey undo { key } problem task { key } } errors { code message path } }";
    private static final int MAX_LINES = 50;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static ChangesServer changes;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        changes = ChangesServer.start(Map.of(
                "menuboard.pricing.changes.max-lines",
                MAX_LINES,
                "menuboard.pricing.changes.inline",
                20,
                "menuboard.graphql.actor",
                "grace"));
        server = changes.server();
    }

    @AfterAll
    static void stop() {
        changes.close();
    }

    @Test
    void aMenuHasAllThatIsSoldAndSaysUntilWhen() {
        changes.price(TOKYO, "200", "MENU-1", "MENU-2");
        var later = server.data("mutation { createChangeSet(input: %s)%s }"
                        .formatted(input("menu", "2199-07-01", rule("\"MENU-2\"", TOKYO, "setTo: \"210\"")), PAYLOAD))
                .at("/createChangeSet/changeSet");
        server.data("mutation { applyChangeSet(input: {id: \"%s\", token: \"%s\", acceptSuspicious: true})%s }"
                .formatted(later.path("key").asText(), later.path("token").asText(), PAYLOAD));

        var menu = server.data(
                        "{ menu(store: \"JP-0001\", channel: \"APP\") { store { key } channel endsAt items { subject"
                                + " { product { key } } channel price { amount } endsAt } } }")
                .path("menu");

        assertThat(menu.path("endsAt").asText()).isEqualTo("2199-06-30T15:00:00Z");
        assertThat(menu.path("items").toString())
                .contains(
                        "{\"subject\":{\"product\":{\"key\":\"MENU-1\"}},\"channel\":\"ALL\",\"price\":{\"amount\":\"200\"},\"endsAt\":null}",
                        "{\"subject\":{\"product\":{\"key\":\"MENU-2\"}},\"channel\":\"ALL\",\"price\":{\"amount\":\"200\"},\"endsAt\":\"2199-06-30T15:00:00Z\"}");
        assertThat(server.execute("{ menu(store: \"JP-0001\", at: \"2001-01-01T00:00:00Z\") { channel } }")
                        .code())
                .isEqualTo("INVALID_TIME");
    }

    @Test
    void makesOneSetOfFiftyRequestsAtOnceWithTheSameKey() {
        changes.price(BERLIN, "2.00", "RACED");
        var preview = "mutation { createChangeSet(input: %s)%s }"
                .formatted(keyed(input("raced", "", rule("\"RACED\"", BERLIN, "setTo: \"2.10\"")), "race"), PAYLOAD);

        var answers = Stream.generate(() -> server.later(preview, Map.of())).limit(50).toList().stream()
                .map(answer -> answer.join().data().path("createChangeSet"))
                .toList();

        assertThat(answers)
                .extracting(answer -> answer.path("errors").toString())
                .containsOnly("[]");
        assertThat(answers)
                .extracting(answer -> answer.at("/changeSet/key").asText())
                .containsOnly(answers.getFirst().at("/changeSet/key").asText());
        assertThat(named("raced")).hasSize(1);
        assertThat(named("raced").getFirst().path("status").asText()).isEqualTo("DRAFT");
        assertThat(price("RACED", BERLIN)).isEqualTo("2.00");
    }

    @Test
    void namesTheSetThatAKeyBelongsTo() {
        changes.price(BERLIN, "2.00", "KEYED");
        var rule = rule("\"KEYED\"", BERLIN, "setTo: \"2.10\"");
        var first = preview(input("keyed", "", rule), "mine");

        var same = preview(input("keyed", "", rule), "mine");
        var other = mutate("createChangeSet", keyed(input("another", "", rule), "mine"));

        assertThat(same).isEqualTo(first);
        assertThat(other).hasToString("""
                {"changeSet":null,"errors":[{"code":"IDEMPOTENCY_KEY_REUSED",\
                "message":"idempotencyKey must be another one for another request: with mine, change set %s was drafted",\
                "path":["input","idempotencyKey"]}]}""".formatted(id(first)));
        assertThat(named("keyed")).hasSize(1);
        assertThat(named("another")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name: "", reason: "r", rules: [OK]                               | INVALID_NAME           | name
            name: "LONG", reason: "r", rules: [OK]                           | INVALID_NAME           | name
            name: "a\\u0000b", reason: "r", rules: [OK]                      | INVALID_NAME           | name
            name: "n", reason: "\\u202Eabc", rules: [OK]                     | INVALID_REASON         | reason
            name: "n", reason: "  ", rules: [OK]                             | INVALID_REASON         | reason
            name: "n", reason: "LONG", rules: [OK]                           | INVALID_REASON         | reason
            name: "n", reason: "r", rules: []                                | NO_LINES               | rules
            name: "n", reason: "r", rules: [OK], effectiveDate: "2020-01-01" | INVALID_EFFECTIVE_DATE | effectiveDate
            """)
    void draftsNothingOfASetThatBreaksARule(String input, String code, String path) {
        refused("{" + input + "}", code, "input." + path);
    }

    @Test
    void refusesHalfOfACharacterWhichJsonCanHave() {
        var document = "mutation($name: String!) { createChangeSet(input: {name: $name, reason: \"r\", rules: ["
                + rule("\"P\"", BERLIN, "setTo: \"1.00\"") + "]}) { errors { code path } } }";
        var body = GraphQlServer.json(Map.of("query", document, "variables", Map.of("name", "HALF")))
                .replace("HALF", "\\ud83c");

        var payload = changes.server().post(body).join().data().path("createChangeSet");

        assertThat(payload).hasToString("{\"errors\":[{\"code\":\"INVALID_NAME\",\"path\":[\"input\",\"name\"]}]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            products: ["P"], setTo: "1.00"                                             | INVALID_RULE     | stores
            stores: ["DE-0001"], allStores: true, products: ["P"], setTo: "1"          | INVALID_RULE     | stores
            stores: [], products: ["P"], setTo: "1.00"                                 | NO_STORES        | stores
            stores: ["DE-0001", "a#b"], products: ["P"], setTo: "1.00"                 | INVALID_ID       | stores.1
            storeSearch: " ", products: ["P"], setTo: "1.00"                           | INVALID_SEARCH   | storeSearch
            countries: [], products: ["P"], setTo: "1.00"                              | NO_COUNTRIES     | countries
            countries: ["DE"], storeSearch: "DE", products: ["P"], setTo: "1.00"       | INVALID_RULE     | stores
            stores: ["DE-0001"], setTo: "1.00"                                         | NO_PRODUCTS      | products
            stores: ["DE-0001"], products: [""], setTo: "1.00"                         | INVALID_ID       | products.0
            stores: ["DE-0001"], swaps: [{combo: "M", option: "#"}], setTo: "1.00"     | INVALID_ID       | swaps.0.option
            stores: ["DE-0001"], products: ["P"], channels: [], setTo: "1.00"          | NO_CHANNELS      | channels
            stores: ["DE-0001"], products: ["P"], channels: ["#"], setTo: "1.00"       | INVALID_ID       | channels.0
            stores: ["DE-0001"], products: ["P"]                                       | INVALID_RULE     | setTo
            stores: ["DE-0001"], products: ["P"], setTo: "1.00", percent: "5"          | INVALID_RULE     | setTo
            stores: ["DE-0001"], products: ["P"], setTo: "-0.01"                       | NEGATIVE_AMOUNT  | setTo
            stores: ["DE-0001"], products: ["P"], setTo: "1.00", currency: "XXX"       | INVALID_CURRENCY | currency
            stores: ["DE-0001"], products: ["P"], add: "1.00", currency: "EUR"         | INVALID_RULE     | currency
            stores: ["DE-0001"], products: ["P"], percent: "-100"                      | INVALID_PERCENT  | percent
            stores: ["DE-0001"], products: ["P"], percent: "10000.01"                  | INVALID_PERCENT  | percent
            stores: ["DE-0001"], products: ["P"], setTo: "1.00", ending: "12345"       | INVALID_ENDING   | ending
            stores: ["DE-0001"], products: ["P"], delete: true, ending: "99"           | INVALID_ENDING   | ending
            """)
    void draftsNothingOfARuleThatBreaksOne(String rule, String code, String path) {
        refused("{name: \"n\", reason: \"r\", rules: [OK, {" + rule + "}]}", code, "input.rules.1." + path);
    }

    private static void refused(String input, String code, String path) {
        var before = all("changeSets");
        var filled =
                input.replace("OK", rule("\"P\"", BERLIN, "setTo: \"1.00\"")).replace("LONG", "x".repeat(501));

        var payload = mutate("createChangeSet", filled);

        assertThat(payload.path("changeSet").isNull()).isTrue();
        assertThat(payload.path("errors")).hasSize(1);
        assertThat(payload.at("/errors/0/code").asText()).isEqualTo(code);
        assertThat(texts(payload.at("/errors/0/path"))).containsExactly(path.split("\\."));
        assertThat(payload.at("/errors/0/message").asText())
                .contains(path.replaceFirst(".*\\.(?=[a-z])", ""), " must ");
        assertThat(all("changeSets")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a#b", "x1234567890123456789012345678901234567890123456789012345678901234"})
    void draftsNothingUnderAKeyThatIsNone(String key) {
        var input = input("badly keyed", "", rule("\"P\"", BERLIN, "setTo: \"1.00\""));

        var payload = mutate("createChangeSet", keyed(input, key));

        assertThat(codes(payload)).containsExactly("INVALID_ID");
        assertThat(payload.at("/errors/0/path")).hasToString("[\"input\",\"idempotencyKey\"]");
        assertThat(named("badly keyed")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            setTo: "3,10"                   | 2199-07-01
            setTo: "1e3"                    | 2199-07-01
            setTo: 3.10                     | 2199-07-01
            setTo: "1.00", currency: "EURO" | 2199-07-01
            setTo: "1.00"                   | 2199-02-30
            setTo: "1.00"                   | tomorrow
            """)
    void draftsNothingOfWhatIsNoAmountOrDate(String operation, String date) {
        var before = all("changeSets");

        var answer = server.execute("mutation { createChangeSet(input: "
                + input("n", date, rule("\"P\"", BERLIN, operation)) + ")" + PAYLOAD + " }");

        assertThat(answer.code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        assertThat(answer.body().at("/errors/0/message").asText())
                .containsPattern("input\\.(effectiveDate|rules\\[0]\\.(setTo|currency)).* must be ");
        assertThat(all("changeSets")).isEqualTo(before);
    }

    @Test
    void takesAsManyLinesAsAllowedAndNotOneMore() {
        var most = IntStream.range(0, MAX_LINES).mapToObj("\"M%d\""::formatted).toList();
        var rule = rule(String.join(", ", most), BERLIN, "percent: \"5\"");

        var many = preview(input("many", "", rule), null);
        var tooMany = mutate(
                "createChangeSet", input("too many", "", rule + ", " + rule("\"M51\"", BERLIN, "percent: \"5\"")));
        var found =
                preview(input("too many found", "", "{allStores: true, products: " + most + ", percent: \"5\"}"), null);

        await().until(() ->
                set(id(many), "summary { lines }").at("/summary/lines").asInt() == MAX_LINES);
        assertThat(codes(tooMany)).containsExactly("TOO_MANY_LINES");
        assertThat(tooMany.at("/errors/0/path")).hasToString("[\"input\",\"rules\"]");
        assertThat(named("too many")).isEmpty();
        await().until(() -> !set(id(found), "problem").path("problem").isNull());
        assertThat(set(id(found), "problem token task { key } summary { lines }"))
                .hasToString("{\"problem\":\"rules must have at most 50 lines together\",\"token\":null,\"task\":null,"
                        + "\"summary\":null}");
    }

    @Test
    void refusesARuleThatIsTooLargeToBeKept() {
        var products = IntStream.range(0, 2_000)
                .mapToObj(number -> "%064d".formatted(number))
                .toList();

        var payload = server.data(
                        "mutation($set: CreateChangeSetInput!) { createChangeSet(input: $set)" + PAYLOAD + " }",
                        Map.of(
                                "set",
                                Map.of(
                                        "name",
                                        "large",
                                        "reason",
                                        "r",
                                        "rules",
                                        List.of(Map.of("allStores", true, "products", products, "setTo", "1.00")))))
                .path("createChangeSet");

        assertThat(codes(payload)).containsExactly("RULE_TOO_LARGE");
        assertThat(payload.at("/errors/0/path")).hasToString("[\"input\",\"rules\"]");
        assertThat(named("large")).isEmpty();
    }

    @Test
    void saysOfEachLineWhatItFinds() {
        changes.price(BERLIN, "2.00", "FOUND-1", "FOUND-2", "FOUND-3", "FOUND-4", "FOUND-5", "FOUND-6", "FOUND-7");
        var conflicting =
                preview(input("conflicting", "2199-07-01", rule("\"FOUND-7\"", BERLIN, "setTo: \"2.20\"")), null);
        apply(conflicting, false);

        var set = preview(
                input(
                        "found",
                        "2199-07-01",
                        rule("\"FOUND-1\"", BERLIN, "setTo: \"2.10\""),
                        rule("\"FOUND-1\"", BERLIN, "setTo: \"2.30\""),
                        rule("\"FOUND-2\"", BERLIN, "setTo: \"20\""),
                        rule("\"FOUND-3\"", BERLIN, "setTo: \"2\""),
                        rule("\"FOUND-4\"", BERLIN, "setTo: \"2.001\""),
                        rule("\"FOUND-5\"", BERLIN, "add: \"-2.01\""),
                        rule("\"FOUND-6\"", BERLIN, "setTo: \"3\", currency: \"USD\""),
                        rule("\"FOUND-7\"", BERLIN, "setTo: \"2.10\""),
                        rule("\"FOUND-8\"", BERLIN, "percent: \"5\""),
                        rule("\"FOUND-1\"", "nowhere", "setTo: \"2.10\"")),
                null);

        assertThat(lines(id(set)))
                .containsExactlyInAnyOrder(
                        "DE-0001 FOUND-1 2.00 2.10 WILL_CHANGE null",
                        "DE-0001 FOUND-1 null null INVALID the set has another line for this price",
                        "DE-0001 FOUND-2 2.00 20.00 SUSPICIOUS would cost 10 times as much",
                        "DE-0001 FOUND-3 2.00 2.00 NO_CHANGE null",
                        "DE-0001 FOUND-4 2.00 null INVALID amount must have at most 2 decimals in EUR",
                        "DE-0001 FOUND-5 2.00 null INVALID amount must not be negative",
                        "DE-0001 FOUND-6 2.00 null INVALID currency must be that of the price, EUR, not USD",
                        "DE-0001 FOUND-7 2.00 2.10 CONFLICT is to be 2.20 EUR from the same instant on, by change set "
                                + id(conflicting),
                        "DE-0001 FOUND-8 null null NOT_FOUND product must have a price of its own in that channel",
                        "nowhere FOUND-1 null null NOT_FOUND there is no such store");
        assertThat(set(
                        id(set),
                        "summary { lines willChange conflicts suspicious unchanged notFound invalid stores"
                                + " replaced replacing firstStartsAt lastStartsAt timeZones }"))
                .hasToString("{\"summary\":{\"lines\":10,\"willChange\":1,\"conflicts\":1,\"suspicious\":1,"
                        + "\"unchanged\":1,\"notFound\":2,\"invalid\":4,\"stores\":1,\"replaced\":1,\"replacing\":2,"
                        + "\"firstStartsAt\":\"2199-06-30T22:00:00Z\",\"lastStartsAt\":\"2199-06-30T22:00:00Z\","
                        + "\"timeZones\":1}}");
        assertThat(texts(set(id(set), "lines(finding: NOT_FOUND) { nodes { number } }")
                        .at("/lines/nodes")))
                .hasSize(2);
    }

    @Test
    void refusesATimeZoneOfAStoreInWhichAPriceThatWasSetAtOnceIsToCome() {
        changes.price(NEW_YORK, "2.00", "MOVED");
        apply(preview(input("moved", "", rule("\"MOVED\"", NEW_YORK, "setTo: \"2.10\"")), null), false);

        var refused = server.data("mutation { editStore(input: {id: \"US-0001\", timeZone: \"Pacific/Honolulu\"})"
                        + " { store { key } errors { code path } } }")
                .path("editStore");

        assertThat(refused)
                .hasToString(
                        "{\"store\":null,\"errors\":[{\"code\":\"PRICE_SET_AT_ONCE\",\"path\":[\"input\",\"timeZone\"]}]}");
        assertThat(price("MOVED", NEW_YORK)).isEqualTo("2.10");
    }

    @Test
    void changesNothingBeforeItIsAppliedAndThenFromEachMidnightOn() {
        changes.price(BERLIN, "2.00", "LIFE");
        changes.price(TOKYO, "300", "LIFE");
        var set = preview(
                input(
                        "life",
                        "2199-07-01",
                        rule("\"LIFE\"", BERLIN, "setTo: \"2.99\""),
                        rule("\"LIFE\"", TOKYO, "percent: \"10\"")),
                null);
        assertThat(upcoming("LIFE", BERLIN)).isEmpty();

        var applied = apply(set, false);

        assertThat(applied.path("status").asText()).isEqualTo("SCHEDULED");
        assertThat(apply(set, false)).isEqualTo(applied);
        assertThat(price("LIFE", BERLIN, "2199-06-30T21:59:59Z")).isEqualTo("2.00");
        assertThat(price("LIFE", BERLIN, "2199-06-30T22:00:00Z")).isEqualTo("2.99");
        assertThat(price("LIFE", TOKYO, "2199-06-30T14:59:59Z")).isEqualTo("300");
        assertThat(price("LIFE", TOKYO, "2199-06-30T15:00:00Z")).isEqualTo("330");
        assertThat(upcoming("LIFE", BERLIN)).containsExactly("2199-07-01 2199-06-30T22:00:00Z 2.99 " + id(set));
        assertThat(batches("2199-06-30T14:00:00Z", "2199-06-30T16:00:00Z", id(set)))
                .containsExactly("JP-0001 ALL 2199-07-01 2199-06-30T15:00:00Z");

        var moved = mutate("rescheduleChangeSet", named(set) + ", effectiveDate: \"2199-08-01T06:00\"");

        assertThat(moved.at("/changeSet/effectiveDate").asText()).isEqualTo("2199-08-01T06:00:00");
        assertThat(upcoming("LIFE", BERLIN))
                .containsExactly("2199-08-01T06:00:00 2199-08-01T04:00:00Z 2.99 " + id(set));
        assertThat(batches("2199-06-01T00:00:00Z", "2199-07-31T00:00:00Z", id(set)))
                .isEmpty();

        var cancelled = mutate("cancelChangeSet", named(set));

        assertThat(cancelled.at("/changeSet/status").asText()).isEqualTo("CANCELLED");
        assertThat(upcoming("LIFE", BERLIN)).isEmpty();
        assertThat(price("LIFE", BERLIN, "2199-08-02T00:00:00Z")).isEqualTo("2.00");
    }

    @Test
    void takesALaterSetForTheSamePriceAndInstantAndTellsTheOther() {
        changes.price(BERLIN, "2.00", "OVERTAKEN");
        var first = preview(input("first", "2199-07-01", rule("\"OVERTAKEN\"", BERLIN, "setTo: \"2.10\"")), null);
        apply(first, false);
        var second = preview(input("second", "2199-07-01", rule("\"OVERTAKEN\"", BERLIN, "setTo: \"2.20\"")), null);

        apply(second, false);

        assertThat(set(id(first), "lines { nodes { outcome message } }").at("/lines/nodes/0"))
                .hasToString("{\"outcome\":\"SUPERSEDED\",\"message\":\"change set " + id(second)
                        + " was made later and changes the same price\"}");
        assertThat(upcoming("OVERTAKEN", BERLIN)).hasSize(1).first().asString().endsWith("2.20 " + id(second));
    }

    /** By a task: what is applied while it is asked for is refused where every line comes too late. */
    @Test
    void triesAgainOnceWhatHasFailed() {
        var products =
                IntStream.range(0, 25).mapToObj("RETRIED-%02d"::formatted).toArray(String[]::new);
        changes.price(BERLIN, "2.00", products);
        var soon = changes.soon(BERLIN);
        var rule = rule("\"" + String.join("\", \"", products) + "\"", BERLIN, "setTo: \"2.10\"");
        var first = preview(input("retried", soon.effectiveDate(), rule), null);
        var second = preview(input("second", "2199-09-01", rule("\"RETRIED-00\"", BERLIN, "setTo: \"2.20\"")), null);
        assertThat(refusal("draftRetry", named(first))).isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        var previewed = await().until(() -> set(id(first), "key token"), set -> !set.path("token")
                .isNull());
        await().until(soon::isPast);
        apply(previewed, false);
        await().until(() -> set(id(first), "status").path("status").asText().equals("FAILED"));
        assertThat(set(id(first), "status failedLines")).hasToString("{\"status\":\"FAILED\",\"failedLines\":25}");
        assertThat(texts(set(id(first), "lines { nodes { outcome } }").at("/lines/nodes")))
                .hasSize(25)
                .containsOnly("{\"outcome\":\"FAILED\"}");

        var retry = mutate("draftRetry", named(first) + ", idempotencyKey: \"again\"");
        var repeated = mutate("draftRetry", named(first) + ", idempotencyKey: \"again\"");
        var other = mutate("draftRetry", named(second) + ", idempotencyKey: \"again\"");

        assertThat(retry.path("errors")).isEmpty();
        assertThat(id(repeated.path("changeSet"))).isEqualTo(id(retry.path("changeSet")));
        assertThat(codes(other)).containsExactly("IDEMPOTENCY_KEY_REUSED");
        assertThat(set(id(retry.path("changeSet")), "retryOf { key } retryOfKey undoOfKey status")
                        .toString())
                .isEqualTo("""
                        {"retryOf":{"key":"%1$s"},"retryOfKey":"%1$s","undoOfKey":null,"status":"DRAFT"}""".formatted(id(first)));
        await().until(() ->
                !set(id(retry.path("changeSet")), "token").path("token").isNull());
        assertThat(lines(id(retry.path("changeSet")))).hasSize(25).allMatch(line -> line.endsWith(" WILL_CHANGE null"));
    }

    @Test
    void changesAtOnceLeavesHistoryAndIsPutBackOnce() {
        changes.price(BERLIN, "2.00", "UNDONE");
        var set = preview(input("at once", null, rule("\"UNDONE\"", BERLIN, "setTo: \"1.50\"")), null);

        var applied = apply(set, false);

        assertThat(applied.path("status").asText()).isEqualTo("APPLIED");
        assertThat(applied.path("appliedAt").isNull()).isFalse();
        assertThat(price("UNDONE", BERLIN)).isEqualTo("1.50");
        assertThat(changes.data("{ lowestPrice(store: \"DE-0001\", product: \"UNDONE\") { amount } }")
                        .at("/lowestPrice/amount")
                        .asText())
                .isEqualTo("1.50");
        var undo = mutate("draftUndo", named(set) + ", reason: \"a mistake\", idempotencyKey: \"undo\"");
        var draft = undo.path("changeSet");
        assertThat(draft.at("/undoOf/key").asText()).isEqualTo(id(set));
        assertThat(draft.path("undoOfKey")).isEqualTo(draft.at("/undoOf/key"));
        assertThat(price("UNDONE", BERLIN)).isEqualTo("1.50");

        apply(draft, false);

        assertThat(price("UNDONE", BERLIN)).isEqualTo("2.00");
        var undone = set(id(set), "status undo { key }");
        assertThat(undone).hasToString("{\"status\":\"UNDONE\",\"undo\":{\"key\":\"" + id(draft) + "\"}}");
        var again = mutate("draftUndo", named(set) + ", reason: \"a mistake\", idempotencyKey: \"undo\"");
        assertThat(again.path("errors")).isEmpty();
        assertThat(id(again.path("changeSet"))).isEqualTo(id(draft));
        assertThat(codes(mutate("draftUndo", named(set) + ", reason: \"another\", idempotencyKey: \"undo\"")))
                .containsExactly("IDEMPOTENCY_KEY_REUSED");
        assertThat(codes(mutate("draftUndo", named(set) + ", reason: \"another\"")))
                .containsExactly("NOT_ALLOWED");
        assertThat(changes.data(
                                "{ priceHistory(store: \"DE-0001\", product: \"UNDONE\", last: 2) { nodes { before { amount }"
                                        + " after { amount currency } changeSet { key } changedBy { kind name source } reason } } }")
                        .at("/priceHistory/nodes"))
                .hasToString("""
                        [{"before":{"amount":"2.00"},"after":{"amount":"1.50","currency":"EUR"},"changeSet":{"key":"%s"},\
                        "changedBy":{"kind":"USER","name":"grace","source":"GRAPHQL"},"reason":"costs rose"},\
                        {"before":{"amount":"1.50"},"after":{"amount":"2.00","currency":"EUR"},"changeSet":{"key":"%s"},\
                        "changedBy":{"kind":"USER","name":"grace","source":"GRAPHQL"},"reason":"a mistake"}]\
                        """.formatted(id(set), id(draft)));
    }

    @Test
    void hasInstantsUnderTheirOldNamesToo() {
        changes.price(BERLIN, "2.00", "RENAMED");
        var set = apply(preview(input("at once", null, rule("\"RENAMED\"", BERLIN, "setTo: \"1.50\"")), null), false);

        var entry = changes.data("{ priceHistory(store: \"DE-0001\", product: \"RENAMED\") { nodes { startsAt at } } }")
                .at("/priceHistory/nodes/0");
        var event = set(id(set), "events { action doneAt at }").at("/events/0");

        assertThat(entry.path("startsAt")).isEqualTo(entry.path("at"));
        assertThat(entry.path("startsAt").isTextual()).isTrue();
        assertThat(event.path("action").asText()).isEqualTo("APPLY");
        assertThat(event.path("doneAt")).isEqualTo(event.path("at"));
        assertThat(event.path("doneAt").isTextual()).isTrue();
    }

    @Test
    void doesWhatIsLargeByATaskAndSaysWhenItIsDone() {
        var products = IntStream.range(0, 30).mapToObj("LARGE-%02d"::formatted).toArray(String[]::new);
        changes.price(BERLIN, "2.00", products);
        var quoted = "\"" + String.join("\", \"", products) + "\"";

        var set = preview(input("large set", null, rule(quoted, BERLIN, "add: \"0.10\"")), null);
        await().until(() -> !set(id(set), "token").path("token").isNull());
        var begun = apply(set(id(set), "key token"), false);

        assertThat(id(begun)).isEqualTo(id(set));
        await().until(() -> set(id(set), "status").path("status").asText().equals("APPLIED"));
        assertThat(price("LARGE-29", BERLIN)).isEqualTo("2.10");
    }

    @Test
    void appliesOnlyThePreviewThatIsTrueAndMeant() {
        changes.price(BERLIN, "2.00", "STALE", "STALE-2");
        var set = preview(
                input(
                        "stale",
                        null,
                        rule("\"STALE\"", BERLIN, "setTo: \"2.20\""),
                        rule("\"STALE-2\"", BERLIN, "setTo: \"20.00\"")),
                null);
        var refreshed = mutate("refreshPreview", named(set)).path("changeSet");

        assertThat(refusal("applyChangeSet", named(set) + ", token: \"" + token(set) + "\""))
                .isEqualTo("PREVIEW_STALE [\"input\",\"token\"]");
        assertThat(refusal("applyChangeSet", named(set) + ", token: \"" + token(refreshed) + "\""))
                .isEqualTo("SUSPICIOUS_LINES [\"input\",\"acceptSuspicious\"]");
        assertThat(price("STALE", BERLIN)).isEqualTo("2.00");

        apply(preview(input("quicker", null, rule("\"STALE\"", BERLIN, "setTo: \"1.90\"")), null), false);

        assertThat(refusal(
                        "applyChangeSet", named(set) + ", token: \"" + token(refreshed) + "\", acceptSuspicious: true"))
                .isEqualTo("PREVIEW_STALE [\"input\",\"token\"]");
        assertThat(price("STALE", BERLIN)).isEqualTo("1.90");
        assertThat(set(id(set), "status token problem"))
                .hasToString("{\"status\":\"DRAFT\",\"token\":null,"
                        + "\"problem\":\"the price is not what it was when it was previewed\"}");

        var last = mutate("refreshPreview", named(set)).path("changeSet");
        apply(last, true);

        assertThat(price("STALE", BERLIN)).isEqualTo("2.20");
        assertThat(price("STALE-2", BERLIN)).isEqualTo("20.00");
    }

    @Test
    void doesNothingThatItsStatusDoesNotAllow() {
        changes.price(BERLIN, "2.00", "STATUS");
        var draft = preview(input("status", null, rule("\"STATUS\"", BERLIN, "setTo: \"2.20\"")), null);
        var nothing = preview(input("nothing", null, rule("\"STATUS\"", BERLIN, "setTo: \"2.00\"")), null);

        assertThat(refusal("draftUndo", named(draft) + ", reason: \"r\"")).isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(refusal("draftUndo", named(draft) + ", reason: \"\""))
                .isEqualTo("INVALID_REASON [\"input\",\"reason\"]");
        assertThat(refusal("rescheduleChangeSet", named(draft) + ", effectiveDate: \"2199-01-01\""))
                .isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(refusal("applyChangeSet", named(nothing) + ", token: \"" + token(nothing) + "\""))
                .isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        apply(draft, false);
        assertThat(refusal("refreshPreview", named(draft))).isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(refusal("cancelChangeSet", named(draft))).isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(refusal("rescheduleChangeSet", named(draft) + ", effectiveDate: \"2199-01-01\""))
                .isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(refusal("applyChangeSet", named(draft) + ", token: \"another\""))
                .isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
        assertThat(set(id(draft), "status").path("status").asText()).isEqualTo("APPLIED");
        mutate("cancelChangeSet", named(nothing));
        assertThat(mutate("cancelChangeSet", named(nothing)).path("errors")).isEmpty();
        assertThat(set(id(nothing), "status").path("status").asText()).isEqualTo("CANCELLED");
        assertThat(refusal("refreshPreview", named(nothing))).isEqualTo("NOT_ALLOWED [\"input\",\"id\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01", "0001-01-01", "2020-01-01T06:00:00"})
    void movesNothingIntoThePast(String date) {
        var product = "PAST-" + date.replace(':', '-');
        changes.price(BERLIN, "2.00", product);
        var set = preview(input(product, "2199-07-01", rule("\"" + product + "\"", BERLIN, "setTo: \"2.20\"")), null);
        apply(set, false);
        var before = upcoming(product, BERLIN);

        var refusal = refusal("rescheduleChangeSet", named(set) + ", effectiveDate: \"" + date + "\"");

        assertThat(refusal).isEqualTo("INVALID_EFFECTIVE_DATE [\"input\",\"effectiveDate\"]");
        assertThat(upcoming(product, BERLIN)).isEqualTo(before).hasSize(1);
        assertThat(set(id(set), "status effectiveDate"))
                .hasToString("{\"status\":\"SCHEDULED\",\"effectiveDate\":\"2199-07-01\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refreshPreview(",
                "applyChangeSet(token: \"t\", ",
                "cancelChangeSet(",
                "rescheduleChangeSet(effectiveDate: \"2199-01-01\", ",
                "draftUndo(reason: \"r\", ",
                "draftRetry("
            })
    void saysThatThereIsNoSuchSet(String mutation) {
        var name = mutation.replaceFirst("\\(.*", "");

        var arguments = mutation.substring(name.length() + 1);

        var unknown = mutate(name, arguments + "id: \"ChangeSet#" + UNKNOWN + "\"");
        var nonsense = mutate(name, arguments + "id: \"nonsense\"");

        assertThat(unknown)
                .hasToString("{\"changeSet\":null,\"errors\":[{\"code\":\"NOT_FOUND\",\"message\":\"there is no change"
                        + " set " + UNKNOWN + "\",\"path\":[\"input\",\"id\"]}]}");
        assertThat(nonsense)
                .hasToString("{\"changeSet\":null,\"errors\":[{\"code\":\"INVALID_ID\",\"message\":\"id must be a"
                        + " change set's id of 26 capital letters and digits\",\"path\":[\"input\",\"id\"]}]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            changeSet(id: "1") { id }                                                                       | INVALID_ID     | id
            changeSets(first: 2049) { nodes { id } }                                                        | INVALID_PAGE   | first
            changeSets(first: 1, last: 1) { nodes { id } }                                                  | INVALID_PAGE   | last
            changeSets(after: "forged") { nodes { id } }                                                    | INVALID_CURSOR | after
            changeSets(filter: {statuses: []}) { nodes { id } }                                             | INVALID_FILTER | filter.statuses
            changeSets(filter: {createdFrom: "2199-01-01T00:00:00Z", createdUntil: "2199-01-01T00:00:00Z"}) { nodes { id } } | INVALID_FILTER | filter.createdFrom
            upcomingPriceChanges(store: "a#b") { nodes { after { amount } } }                               | INVALID_ID     | store
            upcomingPriceChanges(store: "DE-0001", channel: "#") { nodes { after { amount } } }             | INVALID_ID     | channel
            upcomingPriceChanges(store: "DE-0001", last: 0) { nodes { after { amount } } }                  | INVALID_PAGE   | last
            scheduledBatches(from: "2199-01-01T00:00:00Z", to: "2199-01-01T00:00:00Z") { nodes { size } }         | INVALID_RANGE  | to
            scheduledBatches(from: "2199-01-01T00:00:00Z", to: "2199-03-04T00:00:01Z") { nodes { size } }         | INVALID_RANGE  | to
            scheduledBatches(from: "2199-01-01T00:00:00Z", to: "2199-01-02T00:00:00Z", after: "x") { nodes { size } } | INVALID_CURSOR | after
            priceHistory(store: "DE-0001", product: " ") { nodes { startsAt } }                             | INVALID_ID     | product
            priceHistory(store: "DE-0001", product: "P", before: "forged", last: 1) { nodes { startsAt } }  | INVALID_CURSOR | before
            lowestPrice(store: "DE-0001", product: "a#b") { amount }                                        | INVALID_ID     | product
            """)
    void refusesBadInputOfQueries(String field, String code, String named) {
        var answer = server.execute("{ " + field + " }");

        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.argument()).isEqualTo(named);
        assertThat(answer.body().at("/errors/0/message").asText()).contains(named.replaceFirst(".*\\.", ""));
    }

    @Test
    void givesNullForWhatIsNotThere() {
        assertThat(
                        changes.data(
                                "{ changeSet(id: \"" + UNKNOWN + "\") { id }"
                                        + " lowestPrice(store: \"DE-0001\", product: \"NONE\") { amount }"
                                        + " priceHistory(store: \"DE-0001\", product: \"NONE\") { nodes { startsAt } }"
                                        + " nowhere: priceHistory(store: \"nowhere\", product: \"NONE\") { nodes { startsAt } }"
                                        + " lowest: lowestPrice(store: \"nowhere\", product: \"NONE\") { amount }"
                                        + " upcomingPriceChanges(store: \"nowhere\") { nodes { channel } }"
                                        + " scheduledBatches(from: \"2198-01-01T00:00:00Z\", to: \"2198-03-04T00:00:00Z\") { nodes { size } } }"))
                .hasToString("{\"changeSet\":null,\"lowestPrice\":null,\"priceHistory\":{\"nodes\":[]},"
                        + "\"nowhere\":null,\"lowest\":null,\"upcomingPriceChanges\":null,"
                        + "\"scheduledBatches\":{\"nodes\":[]}}");
    }

    @Test
    void changesNothingOverGet() {
        var document = "mutation { createChangeSet(input: "
                + input("got", null, rule("\"P\"", BERLIN, "setTo: \"1.00\"")) + ") { errors { code } } }";

        assertThat(server.get(document).status()).isEqualTo(405);
        assertThat(named("got")).isEmpty();
    }

    @Test
    void walksEveryListBothWays() {
        var products = IntStream.range(0, 5).mapToObj("WALKED-%d"::formatted).toArray(String[]::new);
        changes.price(NEW_YORK, "2.00", products);
        for (var i = 0; i < 5; i++) {
            var rule = rule("\"WALKED-0\"", NEW_YORK, "setTo: \"2." + (10 + i) + "\"");
            apply(preview(input("walked " + i, null, rule), null), false);
        }
        var quoted = "\"" + String.join("\", \"", products) + "\"";
        var set = preview(
                input(
                        "walked",
                        "2199-07-01",
                        rule(quoted, NEW_YORK, "add: \"0.20\""),
                        rule(quoted, NEW_YORK, "setTo: \"9\"")),
                null);
        apply(set, false);

        assertThat(walk("changeSets", "")).hasSizeGreaterThan(5).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(walk("changeSet(id: \"" + id(set) + "\") { lines", "")).hasSize(10);
        assertThat(walk("upcomingPriceChanges", "store: \"US-0001\", from: \"2199-01-01T00:00:00Z\", "))
                .hasSize(5);
        assertThat(walk("priceHistory", "store: \"US-0001\", product: \"WALKED-0\", "))
                .hasSize(5)
                .isSorted();
    }

    @Test
    void findsSetsByStatusPersonNameAndTime() {
        changes.price(BERLIN, "2.00", "SOUGHT");
        var draft = preview(input("Sought: the draft", null, rule("\"SOUGHT\"", BERLIN, "setTo: \"2.10\"")), null);
        var later = preview(input("SOUGHT, later", "2199-07-01", rule("\"SOUGHT\"", BERLIN, "setTo: \"2.20\"")), null);
        apply(later, false);
        var dropped = preview(input("and sought no more", null, rule("\"SOUGHT\"", BERLIN, "setTo: \"2.30\"")), null);
        mutate("cancelChangeSet", named(dropped));
        var from = set(id(later), "createdAt").path("createdAt").asText();

        assertThat(found("name: \"sought\"")).containsExactly(id(dropped), id(later), id(draft));
        assertThat(found("name: \"sought\", statuses: [SCHEDULED]")).containsExactly(id(later));
        assertThat(found("name: \"sought\", statuses: [DRAFT, CANCELLED]")).containsExactly(id(dropped), id(draft));
        assertThat(found("name: \"sought\", createdBy: \"grace\"")).hasSize(3);
        assertThat(found("name: \"sought\", createdBy: \"grac\"")).isEmpty();
        assertThat(found("name: \"sought\", createdFrom: \"" + from + "\"")).containsExactly(id(dropped), id(later));
        assertThat(found("name: \"sought\", createdUntil: \"" + from + "\"")).containsExactly(id(draft));
        var first = changes.data(SOUGHT.formatted("first: 2")).path("changeSets");
        assertThat(texts(first.path("nodes"))).hasSize(2);
        assertThat(first.at("/pageInfo/hasNextPage").asBoolean()).isTrue();
        var rest = changes.data(SOUGHT.formatted("after: " + first.at("/pageInfo/endCursor")))
                .path("changeSets");
        assertThat(rest.path("nodes")).hasToString("[{\"key\":\"" + id(draft) + "\"}]");
        assertThat(rest.at("/pageInfo/hasNextPage").asBoolean()).isFalse();
        var back = changes.data(SOUGHT.formatted("last: 1")).path("changeSets");
        assertThat(back.path("nodes")).isEqualTo(rest.path("nodes"));
    }

    private static final String SOUGHT =
            "{ changeSets(filter: {name: \"sought\"}, %s) { nodes { key } pageInfo { hasNextPage endCursor } } }";

    private static List<String> found(String filter) {
        return changes.data("{ changeSets(filter: {" + filter + "}) { nodes { key } } }")
                .findValuesAsText("key");
    }

    @Test
    void narrowsWhatIsToComeByTime() {
        changes.price(TOKYO, "300", "NARROW");
        for (var day : List.of("2197-07-01", "2197-07-02", "2197-07-03")) {
            apply(preview(input("narrow", day, rule("\"NARROW\"", TOKYO, "add: \"10\"")), null), false);
        }

        var bounds = "store: \"JP-0001\", from: \"%s\", to: \"%s\"";
        var list = "{ upcomingPriceChanges(%s) { nodes { effectiveDate } } }";

        assertThat(texts(changes.data(list.formatted(bounds.formatted("2197-06-30T15:00:00Z", "2197-07-02T15:00:00Z")))
                        .at("/upcomingPriceChanges/nodes")))
                .containsExactly("{\"effectiveDate\":\"2197-07-01\"}", "{\"effectiveDate\":\"2197-07-02\"}");
        assertThat(texts(changes.data(list.formatted(bounds.formatted("2197-06-30T15:00:01Z", "2197-07-02T15:00:01Z")))
                        .at("/upcomingPriceChanges/nodes")))
                .containsExactly("{\"effectiveDate\":\"2197-07-02\"}", "{\"effectiveDate\":\"2197-07-03\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ upcomingPriceChanges(store: \"JP-0001\", from: \"%s\", to: \"%s\") { nodes { channel } } }",
                "{ store(id: \"JP-0001\") { upcomingPriceChanges(from: \"%s\", to: \"%s\") { nodes { channel } } } }"
            })
    void refusesATimeThatEndsBeforeItBegins(String document) {
        assertThat(server.execute(document.formatted("2197-07-02T00:00:00Z", "2197-07-01T00:00:00Z"))
                        .code())
                .isEqualTo("INVALID_RANGE");
        assertThat(server.execute(document.formatted("2197-07-02T00:00:00Z", "2197-07-02T00:00:00Z"))
                        .code())
                .isEqualTo("INVALID_RANGE");
        assertThat(server.execute(document.formatted("2197-07-01T00:00:00Z", "2197-07-02T00:00:00Z"))
                        .body()
                        .has("errors"))
                .isFalse();
    }

    @Test
    void refusesACursorOfAnotherList() {
        preview(input("cursor", null, rule("\"P\"", BERLIN, "setTo: \"1.00\"")), null);
        var cursor = changes.data("{ changeSets(first: 1) { pageInfo { endCursor } } }")
                .at("/changeSets/pageInfo/endCursor")
                .asText();

        assertThat(server.execute("{ upcomingPriceChanges(store: \"DE-0001\", after: \"%s\") { nodes { channel } } }"
                                .formatted(cursor))
                        .code())
                .isEqualTo("INVALID_CURSOR");
    }

    /** Every node of a list as a text that sorts as the list does, having seen that both ways lead through the same. */
    private static List<String> walk(String field, String arguments) {
        var node = Map.of(
                "changeSets", "key",
                "upcomingPriceChanges", "subject { product { key } } effectiveDate",
                "priceHistory", "startsAt changeSetKey");
        var close = field.contains("{") ? " } }" : " }";
        var document = "{ " + field + "(" + arguments
                + "%s) { edges { cursor node { X } } nodes { X }".replace("X", node.getOrDefault(field, "number"))
                + " pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }" + close;
        var pointer = field.contains("{") ? "/changeSet/lines" : "/" + field;

        var all = texts(page(document, "first: 2048", pointer).path("nodes"));
        var forward = new ArrayList<String>();
        for (var next = "first: 2"; !next.isEmpty(); ) {
            var page = page(document, next, pointer);
            assertThat(page.at("/pageInfo/hasPreviousPage").asBoolean()).isEqualTo(!forward.isEmpty());
            forward.addAll(texts(page.path("nodes")));
            next = page.at("/pageInfo/hasNextPage").asBoolean()
                    ? "first: 2, after: \"" + page.at("/pageInfo/endCursor").asText() + "\""
                    : "";
        }
        var back = new ArrayList<String>();
        for (var previous = "last: 2"; !previous.isEmpty(); ) {
            var page = page(document, previous, pointer);
            assertThat(page.at("/pageInfo/hasNextPage").asBoolean()).isEqualTo(!back.isEmpty());
            back.addAll(0, texts(page.path("nodes")));
            previous = page.at("/pageInfo/hasPreviousPage").asBoolean()
                    ? "last: 2, before: \"" + page.at("/pageInfo/startCursor").asText() + "\""
                    : "";
        }
        assertThat(forward).isEqualTo(all).doesNotHaveDuplicates();
        assertThat(back).isEqualTo(all);
        return all;
    }

    private static JsonNode page(String document, String arguments, String pointer) {
        var page = changes.data(document.formatted(arguments)).at(pointer);

        assertThat(StreamSupport.stream(page.path("edges").spliterator(), false).map(edge -> edge.path("node")))
                .containsExactlyElementsOf(page.path("nodes"));
        assertThat(page.path("edges").path(0).path("cursor")).isEqualTo(page.at("/pageInfo/startCursor"));
        return page;
    }

    @Test
    void thePricesOfTheReadmeAreChanged() {
        var section = "Change prices";
        var bodies = Readme.bodies(section);
        assertThat(bodies).hasSize(2);
        changes.price(BERLIN, "2.00", "HAMBURGER", "CHEESEBURGER");
        changes.price(TOKYO, "300", "HAMBURGER", "CHEESEBURGER");

        var set = server.post(bodies.get(0)).join();
        var repeated = server.post(bodies.get(0)).join();
        var applied = server.post(FOUND.matcher(bodies.get(1)).replaceAll(found -> only(found.group(1), set.text())))
                .join();
        var now = server.data(Readme.query(section));

        assertThat(set.data().at("/createChangeSet/changeSet/summary"))
                .hasToString("{\"willChange\":4,\"suspicious\":0}");
        assertThat(repeated.text()).isEqualTo(set.text());
        assertThat(applied.data().at("/applyChangeSet/changeSet/status").asText())
                .isEqualTo("APPLIED");
        assertThat(now.at("/price/price/amount").asText()).isEqualTo("2.10");
        assertThat(now.at("/priceHistory/nodes/0/before/amount").asText()).isEqualTo("2.00");
        assertThat(now.at("/priceHistory/nodes/0/reason").asText()).isEqualTo("costs rose");
    }

    /** The only part of the text that matches a basic regular expression of POSIX. */
    private static String only(String expression, String text) {
        var matches = Pattern.compile(expression.replace("\\{", "{").replace("\\}", "}"))
                .matcher(text)
                .results()
                .map(found -> found.group())
                .toList();
        assertThat(matches).hasSize(1);
        return matches.getFirst();
    }

    /** @param effectiveDate empty or null for at once */
    private static String input(String name, @Nullable String effectiveDate, String... rules) {
        var date = effectiveDate == null || effectiveDate.isEmpty() ? "" : ", effectiveDate: \"" + effectiveDate + "\"";
        return "{name: \"" + name + "\", reason: \"costs rose\"" + date + ", rules: [" + String.join(", ", rules)
                + "]}";
    }

    /** @param products in quotes */
    private static String rule(String products, String store, String operation) {
        return "{stores: [\"" + store + "\"], products: [" + products + "], " + operation + "}";
    }

    private static JsonNode preview(String input, @Nullable String key) {
        var payload = mutate("createChangeSet", key == null ? input : keyed(input, key));
        assertThat(payload.path("errors")).isEmpty();
        return payload.path("changeSet");
    }

    private static JsonNode apply(JsonNode preview, boolean suspicious) {
        var payload = mutate(
                "applyChangeSet",
                named(preview) + ", token: \"" + token(preview) + "\", acceptSuspicious: " + suspicious);
        assertThat(payload.path("errors")).isEmpty();
        return payload.path("changeSet");
    }

    /** @param input its fields, in braces or not */
    private static JsonNode mutate(String mutation, String input) {
        var object = input.startsWith("{") ? input : "{" + input + "}";
        return changes.data("mutation { " + mutation + "(input: " + object + ")" + PAYLOAD + " }")
                .path(mutation);
    }

    /** The same input with an idempotency key. */
    private static String keyed(String input, String key) {
        return input.substring(0, input.length() - 1) + ", idempotencyKey: \"" + key + "\"}";
    }

    /** Code and path of the only error. */
    private static String refusal(String mutation, String arguments) {
        var errors = mutate(mutation, arguments).path("errors");
        assertThat(errors).hasSize(1);
        return errors.at("/0/code").asText() + " " + errors.at("/0/path");
    }

    private static List<String> codes(JsonNode payload) {
        return StreamSupport.stream(payload.path("errors").spliterator(), false)
                .map(error -> error.path("code").asText())
                .toList();
    }

    private static String id(JsonNode set) {
        return set.path("key").asText();
    }

    private static String token(JsonNode set) {
        return set.path("token").asText();
    }

    private static String named(JsonNode set) {
        return "id: \"" + id(set) + "\"";
    }

    private static JsonNode set(String id, String fields) {
        return changes.data("{ changeSet(id: \"" + id + "\") { " + fields + " } }")
                .path("changeSet");
    }

    private static List<JsonNode> named(String name) {
        return StreamSupport.stream(all("changeSets").spliterator(), false)
                .filter(set -> set.path("name").asText().equals(name))
                .toList();
    }

    private static JsonNode all(String field) {
        return changes.data("{ " + field + "(first: 2048) { nodes { key name status } } }")
                .at("/" + field + "/nodes");
    }

    private static List<String> lines(String id) {
        var lines = set(
                        id,
                        "lines { nodes { storeKey subject { product { key } } before { amount } after { amount } finding message"
                                + " } }")
                .at("/lines/nodes");
        return StreamSupport.stream(lines.spliterator(), false)
                .map(line ->
                        Stream.of("/storeKey", "/subject/product/key", "/before/amount", "/after/amount", "/finding")
                                        .map(field -> line.at(field).isMissingNode()
                                                ? "null"
                                                : line.at(field).asText())
                                        .reduce((one, other) -> one + " " + other)
                                        .orElseThrow()
                                + " " + line.path("message").asText())
                .toList();
    }

    private static String price(String product, String store) {
        return changes.data("{ price(store: \"" + store + "\", product: \"" + product + "\") { price { amount } } }")
                .at("/price/price/amount")
                .asText();
    }

    private static String price(String product, String store, String at) {
        return changes.data("{ price(store: \"" + store + "\", product: \"" + product + "\", at: \"" + at
                        + "\") { price { amount } } }")
                .at("/price/price/amount")
                .asText();
    }

    /** Date, instant, amount and set of each change of that product that is to come. */
    private static List<String> upcoming(String product, String store) {
        var list = changes.data("{ upcomingPriceChanges(store: \"" + store
                        + "\", first: 2048) { nodes { subject { product { key } }"
                        + " effectiveDate startsAt after { amount } changeSet { key } } } }")
                .at("/upcomingPriceChanges/nodes");
        return StreamSupport.stream(list.spliterator(), false)
                .filter(change -> change.at("/subject/product/key").asText().equals(product))
                .map(change -> change.path("effectiveDate").asText() + " "
                        + change.path("startsAt").asText() + " "
                        + change.at("/after/amount").asText() + " "
                        + change.at("/changeSet/key").asText())
                .toList();
    }

    private static List<String> batches(String from, String to, String set) {
        var list = changes.data(
                        "{ scheduledBatches(from: \"" + from + "\", to: \"" + to
                                + "\") { nodes { id store { key } channel effectiveDate startsAt size changeSets { nodes { changeSet { key } changeSetKey size } } } } }")
                .at("/scheduledBatches/nodes");
        return StreamSupport.stream(list.spliterator(), false)
                .filter(batch -> batch.path("changeSets").toString().contains("\"changeSetKey\":\"" + set + "\""))
                .peek(ChangesOverGraphQlTest::isFoundAgain)
                .map(batch -> batch.at("/store/key").asText() + " "
                        + batch.path("channel").asText() + " "
                        + batch.path("effectiveDate").asText() + " "
                        + batch.path("startsAt").asText())
                .toList();
    }

    private static void isFoundAgain(JsonNode batch) {
        assertThat(changes.data(
                        "{ nodes(ids: [\"%s\", \"ScheduledBatch#a#ALL#2026-01-01\", \"ScheduledBatch#a#ALL\"]) {"
                                        .formatted(batch.path("id").asText())
                                + " ... on ScheduledBatch { startsAt } } }"))
                .hasToString("{\"nodes\":[{\"startsAt\":%s},null,null]}".formatted(batch.path("startsAt")));
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(element -> element.isTextual() ? element.asText() : element.toString())
                .toList();
    }
}
