package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.Readme;
import io.menuboard.querydb.RecordingMeter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code tasks.graphqls} promises, over HTTP. Each test has types of tasks of its own. */
class TasksOverGraphQlTest {
    private static final Pattern ID = Pattern.compile("[0-9A-Z]{26}");
    private static final String UNKNOWN = "00000000000000000000000000";

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        server = ContextServer.start(Map.of("menuboard.tasks.max-submit", 20, "menuboard.graphql.actor", "grace"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void makesOneTaskOfFiftyRequestsAtOnceWithTheSameKey() {
        var submit = "mutation { submitTask(input: {type: \"raced\", payload: {n: 1}, idempotencyKey: \"race\"}) {"
                + " isNew task { key type } existingTask { key } keyExpiresAt errors { code } } }";

        var answers = Stream.generate(() -> server.later(submit, Map.of())).limit(50).toList().stream()
                .map(answer -> answer.join().data().path("submitTask"))
                .toList();

        assertThat(answers)
                .filteredOn(answer -> answer.path("isNew").asBoolean())
                .hasSize(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.path("isNew").isBoolean())
                .isTrue());
        assertThat(answers)
                .extracting(answer -> answer.path("task"))
                .containsOnly(answers.getFirst().path("task"));
        assertThat(answers)
                .extracting(answer -> answer.path("keyExpiresAt"))
                .containsOnly(answers.getFirst().path("keyExpiresAt"));
        assertThat(texts(tasks("type: \"raced\""), "key")).hasSize(1);
    }

    @Test
    void namesTheTaskThatAKeyBelongsTo() {
        var first = submit("type: \"keyed\", payload: 1, idempotencyKey: \"mine\"");

        var other = server.data(
                        "mutation { submitTask(input: {type: \"keyed\", payload: 2, idempotencyKey: \"mine\"}) {"
                                + " isNew existingTask { key } keyExpiresAt task { key } errors { code message path } } }")
                .path("submitTask");

        assertThat(other).hasToString("""
                {"isNew":null,"existingTask":{"key":"%s"},"keyExpiresAt":null,"task":null,"errors":[{\
                "code":"IDEMPOTENCY_KEY_REUSED",\
                "message":"idempotencyKey must be another one for another request: with mine, task %s was submitted",\
                "path":["input","idempotencyKey"]}]}""".formatted(first, first));
        assertThat(texts(tasks("type: \"keyed\""), "key")).containsExactly(first);
        assertThat(texts(tasks("idempotencyKey: \"mine\""), "key")).containsExactly(first);
    }

    @Test
    void answersEachOfManyTasksInTheirOrderWithRubbishAmongThem() {
        var first = submit("type: \"batch\", idempotencyKey: \"one\"");

        var payload = server.data(
                        "mutation($inputs: [SubmitTaskInput!]!) { submitTasks(input: {tasks: $inputs}) {"
                                + " outcomes { isNew task { key type } existingTask { key } errors { code path } }"
                                + " errors { code } } }",
                        Map.of(
                                "inputs",
                                List.of(
                                        Map.of("type", "batch"),
                                        Map.of("type", "ba#tch"),
                                        Map.of("type", "batch", "idempotencyKey", "one"),
                                        Map.of("type", "batch", "idempotencyKey", "one", "payload", 7),
                                        Map.of("type", "batch", "maxAttempts", 101),
                                        Map.of("type", "menuboard.bulk"),
                                        Map.of("type", "batch", "payload", "x".repeat(65_535)),
                                        Map.of("type", "batch", "payload", "x".repeat(65_534)),
                                        Map.of("type", "batch", "idempotencyKey", " "))))
                .path("submitTasks");

        var outcomes = payload.path("outcomes");
        assertThat(texts(outcomes, "isNew"))
                .containsExactly("true", "null", "false", "null", "null", "null", "null", "true", "null");
        assertThat(outcomes.at("/2/task/key").asText()).isEqualTo(first);
        assertThat(outcomes.at("/3/existingTask/key").asText()).isEqualTo(first);
        assertThat(IntStream.of(1, 3, 4, 5, 6, 8)
                        .mapToObj(i -> outcomes.path(i).path("errors").toString()))
                .containsExactly(
                        refused("INVALID_ID", "tasks", "1", "type"),
                        refused("IDEMPOTENCY_KEY_REUSED", "tasks", "3", "idempotencyKey"),
                        refused("INVALID_ATTEMPTS", "tasks", "4", "maxAttempts"),
                        refused("RESERVED_TYPE", "tasks", "5", "type"),
                        refused("PAYLOAD_TOO_LARGE", "tasks", "6", "payload"),
                        refused("INVALID_ID", "tasks", "8", "idempotencyKey"));
        assertThat(payload.path("errors")).isEmpty();
        assertThat(texts(tasks("type: \"batch\""), "key")).hasSize(3).contains(first);
    }

    @Test
    void takesAsManyTasksAsAllowedAndNotOneMore() {
        var submit = "mutation($inputs: [SubmitTaskInput!]!) { submitTasks(input: {tasks: $inputs}) {"
                + " outcomes { isNew } errors { code path } } }";
        var input = Map.of("type", "many");

        var many = server.data(
                submit, Map.of("inputs", Stream.generate(() -> input).limit(20).toList()));
        var tooMany = server.data(
                submit, Map.of("inputs", Stream.generate(() -> input).limit(21).toList()));

        assertThat(texts(many.at("/submitTasks/outcomes"), "isNew")).hasSize(20).containsOnly("true");
        assertThat(tooMany.path("submitTasks"))
                .hasToString("{\"outcomes\":null,\"errors\":" + refused("TOO_MANY", "tasks") + "}");
        assertThat(texts(tasks("type: \"many\""), "key")).hasSize(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "\"ü \\\" \\\\ \\n 🏃\"",
                "0.10000000000000000555111512312578270211815834045410156250",
                "-12345678901234567890123456789012345678901234567890",
                "{\"a\":{\"b\":[1,2.50,null,false,{\"c\":[]}]},\"z\":9007199254740993}"
            })
    void keepsJsonAsItWasSent(String json) {
        var id = server.post("{\"query\":\"mutation($p: JSON) { submitTask(input: {type: \\\"json\\\", payload: $p}) {"
                        + " task { id } } }\",\"variables\":{\"p\":" + json + "}}")
                .join()
                .data()
                .at("/submitTask/task/id")
                .asText();

        assertThat(server.execute("{ task(id: \"%s\") { payload } }".formatted(id))
                        .text())
                .isEqualTo("{\"data\":{\"task\":{\"payload\":" + json + "}}}");
    }

    @Test
    void takesJsonThatIsWrittenInTheDocument() {
        var id = server.data(
                        "mutation($store: ID!, $n: Int, $rest: JSON, $absent: Int) { submitTask(input: {type: \"json\","
                                + " payload: {z: 1.10, store: $store, n: $n, list: [$n, -3, 1e2, \"x\", null, true],"
                                + " rest: $rest, absent: $absent}}) { task { id } } }",
                        Map.of("store", "DE-0001", "n", 7, "rest", Map.of("deep", List.of(0.5))))
                .at("/submitTask/task/id")
                .asText();

        assertThat(server.execute("{ task(id: \"%s\") { payload } }".formatted(id))
                        .text())
                .isEqualTo(
                        "{\"data\":{\"task\":{\"payload\":{\"absent\":null,\"list\":[7,-3,100,\"x\",null,true],\"n\":7,"
                                + "\"rest\":{\"deep\":[0.5]},\"store\":\"DE-0001\",\"z\":1.10}}}}");
    }

    @Test
    void saysWhatIsNoJson() {
        var names = server.execute("mutation { submitTask(input: {type: \"json\", payload: {a: RED}}) { isNew } }");
        var instant = server.data(
                "mutation($at: DateTime) { submitTask(input: {type: \"json\", payload: {at: $at}}) { errors { code path } } }",
                Map.of("at", "2026-01-01T00:00:00Z"));
        var surrogate = server.post("{\"query\":\"mutation($text: String) { submitTask(input: {type: \\\"json\\\","
                        + " payload: [$text]}) { errors { code path } } }\",\"variables\":{\"text\":\"\\ud800\"}}")
                .join()
                .data();
        var huge = server.execute("mutation { submitTask(input: {type: \"json\", payload: {a: [1e501]}}) {"
                + " errors { code path } } }");
        var body = server.post("{\"query\":\"{ __typename }\",\"variables\":{\"a\":01}}")
                .join();

        assertThat(names.code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        assertThat(huge.code()).isEqualTo("NUMBER_TOO_LONG");
        assertThat(List.of(instant, surrogate))
                .extracting(answer -> answer.at("/submitTask/errors").toString())
                .containsOnly(refused("INVALID_JSON", "payload"));
        assertThat(body.status()).isEqualTo(400);
    }

    @Test
    void readsWhatIsKeptApartTogether() {
        var long300 = "x".repeat(300);
        for (var i = 0; i < 5; i++) {
            submit("type: \"apart\", payload: \"%s %d\"".formatted(long300, i));
        }
        var meter = server.bean(RecordingMeter.class);
        var before = batchReads(meter);

        var payloads = texts(tasks("type: \"apart\""), "payload");

        assertThat(payloads)
                .containsExactlyElementsOf(
                        IntStream.range(0, 5).mapToObj(i -> long300 + " " + i).toList());
        assertThat(batchReads(meter)).isEqualTo(before + 1);
        for (var task : claim("apart", 5)) {
            change("completeTask", task.path("key").asText(), token(task) + ", result: \"%s\"".formatted(long300), "");
        }
        assertThat(texts(tasks("type: \"apart\", statuses: [COMPLETED]"), "result"))
                .hasSize(5)
                .containsOnly(long300);
        assertThat(server.data("mutation { submitTasks(input: {tasks: [{type: \"apart\", payload: 1}]}) {"
                                + " outcomes { task { payload result } } } }")
                        .at("/submitTasks/outcomes"))
                .hasToString("[{\"task\":{\"payload\":1,\"result\":null}}]");
    }

    @Test
    void aTaskGoesThroughItsLife() {
        var id = submit("type: \"life\", payload: {store: \"DE-0001\"}, maxAttempts: 2");
        var claimed = claim("life", 1).getFirst();
        assertThat(claimed.path("payload")).hasToString("{\"store\":\"DE-0001\"}");
        assertThat(endOfLease(claimed))
                .isEqualTo(Instant.parse(claimed.path("startedAt").asText()).plusSeconds(60));

        change("extendLease", id, token(claimed) + ", leaseSeconds: 600, progress: {done: 10, total: 40}", "");
        var extended = task(id);
        assertThat(endOfLease(extended)).isAfterOrEqualTo(endOfLease(claimed).plusSeconds(540));
        assertThat(extended.at("/progress/done").asInt()).isEqualTo(10);
        assertThat(extended.at("/progress/rate").asDouble()).isPositive();

        change("failTask", id, token(claimed) + ", reason: \"no paper\"", "");
        assertThat(task(id).path("status").asText()).isEqualTo("SCHEDULED");

        change("cancelTask", id, "reason: \"too late\"", "");
        change("retryTask", id, "", "");
        var again = server.data("mutation { claimTask(input: {id: \"%s\", worker: \"ada\"}) {".formatted(id)
                        + " task { lease { leaseToken } } } }")
                .at("/claimTask/task");
        change("completeTask", id, "fencingToken: 2", refused("LEASE_LOST", "leaseToken"));
        change("completeTask", id, token(again) + ", result: {printed: 3}", "");
        change("completeTask", id, token(again) + ", result: {printed: 3}", "");
        var completed = task(id);

        assertThat(completed.path("status").asText()).isEqualTo("COMPLETED");
        assertThat(completed.path("result")).hasToString("{\"printed\":3}");
        assertThat(completed.path("submittedBy"))
                .hasToString("{\"kind\":\"USER\",\"name\":\"grace\",\"source\":\"GRAPHQL\"}");
        var history = completed.at("/history/nodes");
        assertThat(texts(history, "kind"))
                .containsExactly("SUBMITTED", "CLAIMED", "FAILED", "CANCELLED", "RETRIED", "CLAIMED", "COMPLETED");
        assertThat(texts(history, "number")).containsExactly("1", "2", "3", "4", "5", "6", "7");
        assertThat(history.path(2).path("reason").asText()).isEqualTo("no paper");
        assertThat(history)
                .allSatisfy(
                        event -> assertThat(event.at("/doneBy/name").asText()).isEqualTo("grace"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            claimTask    | worker: "ada"                                              | NOT_FOUND         | id
            claimTask    | worker: "a#"                                               | INVALID_ID        | worker
            claimTask    | worker: "menuboard-0a1b2c3d"                               | RESERVED_WORKER   | worker
            claimTask    | worker: "ada", leaseSeconds: 3601                          | INVALID_LEASE     | leaseSeconds
            claimTask    | worker: "ada", leaseSeconds: 0                             | INVALID_LEASE     | leaseSeconds
            extendLease  | fencingToken: 1                                            | NOT_FOUND         | id
            extendLease  | fencingToken: 1, leaseSeconds: -1                          | INVALID_LEASE     | leaseSeconds
            extendLease  | fencingToken: 1, progress: {done: -1}                      | INVALID_PROGRESS  | progress.done
            extendLease  | fencingToken: 1, progress: {done: 2, total: 1}             | INVALID_PROGRESS  | progress.total
            completeTask | fencingToken: 1                                            | NOT_FOUND         | id
            failTask     | fencingToken: 1, reason: "r"                               | NOT_FOUND         | id
            extendLease  | fencingToken: 1, progress: {done: 1, message: "\\u001b"}    | INVALID_PROGRESS  | progress.message
            failTask     | fencingToken: 1, reason: " "                               | INVALID_REASON    | reason
            failTask     | fencingToken: 1, reason: "a\\u0000b"                       | INVALID_REASON    | reason
            releaseTask  | fencingToken: 1                                            | NOT_FOUND         | id
            releaseTask  | fencingToken: 1, reason: ""                                | INVALID_REASON    | reason
            cancelTask   | reason: "r"                                                | NOT_FOUND         | id
            retryTask    | reason: "r"                                                | NOT_FOUND         | id
            cloneTask    |                                                            | NOT_FOUND         | id
            reassignTask | worker: "ada"                                              | NOT_FOUND         | id
            reassignTask | worker: ""                                                 | INVALID_ID        | worker
            reassignTask | worker: "menuboard-0a1b2c3d"                               | RESERVED_WORKER   | worker
            """)
    void saysWhyNothingWasChanged(String mutation, String arguments, String code, String path) {
        change(mutation, UNKNOWN, arguments == null ? "" : arguments, refused(code, path.split("\\.")));
    }

    @Test
    void claimsOfAsManyTypesAsAllowedAndOfNoMore() {
        var claim = "mutation($types: [String!]!) { claimTasks(input: {worker: \"ada\", types: $types, max: null,"
                + " waitSeconds: null}) { tasks { id } errors { code path } } }";
        var types = IntStream.range(0, 101).mapToObj(i -> "type" + i).toList();

        assertThat(server.data(claim, Map.of("types", types.subList(0, 100))).at("/claimTasks/errors"))
                .isEmpty();
        assertThat(server.data(claim, Map.of("types", types)).at("/claimTasks/errors"))
                .hasToString(refused("INVALID_TYPES", "types"));
    }

    @Test
    void claimsNothingUnderTheNameOfOneOfItsOwnWorkers() {
        var claim = "mutation { claimTasks(input: {worker: \"menuboard-0a1b2c3d\", types: [\"ok\"]}) {"
                + " tasks { id } errors { code path } } }";

        assertThat(server.data(claim).at("/claimTasks/errors")).hasToString(refused("RESERVED_WORKER", "worker"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            types: []                                 | INVALID_TYPES | types
            types: ["ok", "no#"]                      | INVALID_ID    | types.1
            types: ["menuboard.bulk"]                 | RESERVED_TYPE | types.0
            types: ["ok"], max: 0                     | INVALID_MAX   | max
            types: ["ok"], max: 101                   | INVALID_MAX   | max
            types: ["ok"], waitSeconds: -1            | INVALID_WAIT  | waitSeconds
            types: ["ok"], waitSeconds: 21            | INVALID_WAIT  | waitSeconds
            types: ["ok"], leaseSeconds: 3601         | INVALID_LEASE | leaseSeconds
            """)
    void saysWhyNothingWasClaimed(String arguments, String code, String path) {
        var payload = server.data(
                "mutation { claimTasks(input: {worker: \"ada\", %s}) { tasks { id } errors { code path } } }"
                        .formatted(arguments));

        assertThat(payload.path("claimTasks"))
                .hasToString("{\"tasks\":null,\"errors\":" + refused(code, path.split("\\.")) + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            action: RETRY, filter: {}, reason: "r"                                | INVALID_FILTER | filter.statuses
            action: CANCEL, filter: {worker: "ada"}, reason: "r"                  | INVALID_FILTER | filter.worker
            action: CANCEL, filter: {type: "#"}, reason: "r"                      | INVALID_ID     | filter.type
            action: CANCEL, filter: {idempotencyKey: "k"}, reason: "r"            | INVALID_FILTER | filter.idempotencyKey
            action: CANCEL, filter: {type: "x"}, reason: ""                       | INVALID_REASON | reason
            action: CANCEL, filter: {type: "x"}, reason: "r", idempotencyKey: "#" | INVALID_ID     | idempotencyKey
            """)
    void saysWhyNoBulkOperationBegan(String arguments, String code, String path) {
        var payload = server.data("mutation { startBulkOperation(input: {%s}) { task { id } errors { code path } } }"
                .formatted(arguments));

        assertThat(payload.path("startBulkOperation"))
                .hasToString("{\"task\":null,\"errors\":" + refused(code, path.split("\\.")) + "}");
    }

    @Test
    void changesNothingForALeaseThatHasEnded() {
        var id = submit("type: \"lost\"");
        var token = token(claim("lost", 1).getFirst());
        change("releaseTask", id, token, "");
        var before = task(id).toString();

        for (var mutation : List.of("extendLease", "completeTask", "failTask")) {
            var reason = mutation.equals("failTask") ? ", reason: \"r\"" : "";
            change(mutation, id, token + reason, refused("LEASE_LOST", "leaseToken"));
        }
        var tooLarge = server.data(
                "mutation($id: ID!, $result: JSON) { completeTask(input: {id: $id, fencingToken: 1, result: $result}) {"
                        + " errors { code path } } }",
                Map.of("id", id, "result", "x".repeat(65_535)));
        assertThat(tooLarge.at("/completeTask/errors")).hasToString(refused("RESULT_TOO_LARGE", "result"));
        change("retryTask", id, "", refused("NOT_ALLOWED", "id"));

        assertThat(task(id)).hasToString(before);
        change("cancelTask", id, "", "");
        change("claimTask", id, "worker: \"ada\"", refused("NOT_ALLOWED", "id"));
        change("cancelTask", id, "", "");
        change("reassignTask", id, "worker: \"ada\"", refused("NOT_ALLOWED", "id"));
        assertThat(task(id).path("status").asText()).isEqualTo("CANCELLED");
    }

    @Test
    void retryingATaskTwiceIsRetryingItOnce() {
        var id = submit("type: \"retried\"");
        change("cancelTask", id, "", "");
        var retry = "mutation { retryTask(input: {id: \"%s\"}) { task { status } errors { code } } }".formatted(id);

        var answers =
                Stream.generate(() -> server.later(retry, Map.of())).limit(6).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join().data().path("retryTask"))
                .hasToString("{\"task\":{\"status\":\"PENDING\"},\"errors\":[]}"));
        var retried = task(id).toString();
        change("retryTask", id, "reason: \"again\"", "");

        assertThat(task(id)).hasToString(retried);
        assertThat(texts(
                        server.data("{ task(id: \"%s\") { history { nodes { kind } } } }".formatted(id))
                                .at("/task/history/nodes"),
                        "kind"))
                .containsExactly("SUBMITTED", "CANCELLED", "RETRIED");

        change("reassignTask", id, "worker: \"ada\"", "");
        change("retryTask", id, "", refused("NOT_ALLOWED", "id"));
        change("claimTask", id, "worker: \"ada\"", "");
        change("retryTask", id, "", refused("NOT_ALLOWED", "id"));
    }

    @Test
    void leavesMenuboardsOwnOperationsToItself() {
        var id = server.data(
                        "mutation { startBulkOperation(input: {action: CANCEL, filter: {type: \"none\"}, reason: \"r\"}) {"
                                + " task { key type } } }")
                .at("/startBulkOperation/task/key")
                .asText();

        change("claimTask", id, "worker: \"ada\"", refused("RESERVED_TYPE", "id"));
        change("extendLease", id, "fencingToken: 1", refused("RESERVED_TYPE", "id"));
        change("completeTask", id, "fencingToken: 1", refused("RESERVED_TYPE", "id"));
        change("failTask", id, "fencingToken: 1, reason: \"r\"", refused("RESERVED_TYPE", "id"));
        change("releaseTask", id, "fencingToken: 1", refused("RESERVED_TYPE", "id"));
        change("cloneTask", id, "", refused("RESERVED_TYPE", "id"));
        change("reassignTask", id, "worker: \"ada\"", refused("RESERVED_TYPE", "id"));
        assertThat(server.data("{ bulkOperation(id: \"%s\") { id: __typename } }".formatted(submit("type: \"none2\"")))
                        .path("bulkOperation")
                        .isNull())
                .isTrue();
    }

    @Test
    void showsWhoHoldsWhat() {
        submit("type: \"held\"");
        submit("type: \"held\"");
        server.data("mutation { claimTasks(input: {worker: \"holder\", types: [\"held\"], max: 2}) { tasks { id } } }");

        var worker = server.data(
                "{ worker(id: \"Worker#holder\") { id key types tasks(first: 9) { nodes { startedAt worker { key } workerKey lease {"
                        + " worker { id } workerKey fencingToken leaseToken endsAt } } } } }");

        assertThat(worker.at("/worker/types")).hasToString("[\"held\"]");
        assertThat(worker.at("/worker/tasks/nodes")).hasSize(2).allSatisfy(task -> {
            assertThat(task.at("/worker/key").asText()).isEqualTo("holder");
            assertThat(task.path("workerKey").asText()).isEqualTo("holder");
            assertThat(task.at("/lease/worker/id").asText()).isEqualTo("Worker#holder");
            assertThat(task.at("/lease/workerKey").asText()).isEqualTo("holder");
            assertThat(task.at("/lease/fencingToken").asInt()).isZero();
            assertThat(task.at("/lease/leaseToken").isNull()).isTrue();
            assertThat(endOfLease(task))
                    .isEqualTo(Instant.parse(task.path("startedAt").asText()).plusSeconds(60));
        });
        assertThat(server.data("{ worker(id: \"nobody\") { id } }")
                        .path("worker")
                        .isNull())
                .isTrue();
        assertThat(texts(server.data("{ workers { nodes { key } } }").at("/workers/nodes"), "key"))
                .contains("holder");
    }

    @Test
    void walksTheHistoryAndTheTasksBothWays() {
        for (var i = 0; i < 5; i++) {
            submit("type: \"walked\", payload: %d".formatted(i));
        }
        var list = "{ tasks(filter: {type: \"walked\"}, %s) { nodes { payload } pageInfo { hasNextPage hasPreviousPage"
                + " startCursor endCursor } } }";

        var first = server.data(list.formatted("first: 2")).path("tasks");
        var second = server.data(list.formatted("first: 2, after: \"%s\""
                        .formatted(first.at("/pageInfo/endCursor").asText())))
                .path("tasks");
        var back = server.data(list.formatted("last: 1, before: \"%s\""
                        .formatted(second.at("/pageInfo/startCursor").asText())))
                .path("tasks");

        assertThat(texts(first.path("nodes"), "payload")).containsExactly("0", "1");
        assertThat(texts(second.path("nodes"), "payload")).containsExactly("2", "3");
        assertThat(texts(back.path("nodes"), "payload")).containsExactly("1");
        assertThat(second.at("/pageInfo/hasNextPage").asBoolean()).isTrue();
        assertThat(back.at("/pageInfo/hasPreviousPage").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            task(id: "1") { id }                                            | INVALID_ID     | id
            tasks(first: 2049) { nodes { id } }                             | INVALID_PAGE   | first
            tasks(after: "forged") { nodes { id } }                         | INVALID_CURSOR | after
            tasks(filter: {type: "#"}) { nodes { id } }                     | INVALID_ID     | filter.type
            tasks(filter: {worker: "ada"}) { nodes { id } }                 | INVALID_FILTER | filter.worker
            tasks(filter: {type: "a", idempotencyKey: "k"}) { nodes { id } }| INVALID_FILTER | filter.idempotencyKey
            worker(id: "#") { id }                                          | INVALID_ID     | id
            task(id: "Worker#ada") { id }                                   | INVALID_ID     | id
            tasks(filter: {statuses: RUNNING, worker: "Task#ada"}) { nodes { id } } | INVALID_ID | filter.worker
            tasks(filter: {statuses: []}) { nodes { id } }                  | INVALID_FILTER | filter.statuses
            tasks(filter: {statuses: [PENDING, DEAD]}) { nodes { id } }     | INVALID_FILTER | filter.statuses
            tasks(filter: {statuses: [RUNNING, DEAD]}) { nodes { id } }     | INVALID_FILTER | filter.statuses
            tasks(filter: {submittedFrom: "2026-01-01T00:00:00Z", submittedUntil: "2026-01-01T00:00:00Z"}) { nodes { id } } | INVALID_FILTER | filter.submittedUntil
            bulkPreview(action: RETRY, filter: {statuses: [DEAD, CANCELLED]}) { sample { id } } | INVALID_FILTER | filter.statuses
            workers(last: 0) { nodes { id } }                               | INVALID_PAGE   | last
            bulkPreview(action: RETRY, filter: {}) { sample { id } }        | INVALID_FILTER | filter.statuses
            bulkOperation(id: "x") { changed }                              | INVALID_ID     | id
            """)
    void refusesBadInputOfQueries(String field, String code, String named) {
        var answer = server.execute("{ " + field + " }");

        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.argument()).isEqualTo(named);
    }

    @Test
    void refusesACursorOfAnotherList() {
        submit("type: \"cursor1\"");
        var cursor = server.data("{ tasks(filter: {type: \"cursor1\"}) { pageInfo { endCursor } } }")
                .at("/tasks/pageInfo/endCursor")
                .asText();

        assertThat(server.execute("{ tasks(filter: {type: \"cursor2\"}, after: \"%s\") { nodes { id } } }"
                                .formatted(cursor))
                        .code())
                .isEqualTo("INVALID_CURSOR");
    }

    @Test
    void changesNothingOverGet() {
        var document = "mutation { submitTask(input: {type: \"got\"}) { isNew } }";

        assertThat(server.get(document).status()).isEqualTo(405);
        assertThat(tasks("type: \"got\"")).isEmpty();
    }

    @Test
    void countsWhatWasAskedForAgainstTheCost() {
        var submit = "%s: submitTasks(input: {tasks: $inputs}) { errors { code } } ";
        var inputs =
                Stream.generate(() -> Map.of("type", "costly")).limit(1_000).toList();

        var answer = server.execute(
                "mutation($inputs: [SubmitTaskInput!]!) { " + submit.formatted("a") + submit.formatted("b")
                        + submit.formatted("c") + "}",
                Map.of("inputs", inputs));

        assertThat(answer.code()).isEqualTo("QUERY_TOO_COSTLY");
        assertThat(tasks("type: \"costly\"")).isEmpty();
    }

    @Test
    void chargesPayloadsAndResultsForTheItemsThatTheyAre() {
        var page = "{ tasks(first: %d, filter: {type: \"large\", statuses: COMPLETED}) { nodes { %s } } }";

        assertThat(server.execute(page.formatted(2_048, "payload")).code()).isEqualTo("QUERY_TOO_COSTLY");
        assertThat(server.execute(page.formatted(1_000, "payload result")).code())
                .isEqualTo("QUERY_TOO_COSTLY");
        assertThat(server.data(page.formatted(500, "payload result")).at("/tasks/nodes"))
                .isEmpty();
    }

    @Test
    void theTaskOfTheReadmeIsSubmittedClaimedAndCompleted() {
        var bodies = Readme.bodies("Put something to do into the queue");
        assertThat(bodies).hasSize(3);

        var submitted = server.post(bodies.get(0)).join();
        var repeated = server.post(bodies.get(0)).join();
        var claimed = server.post(bodies.get(1)).join();
        var task = ID.matcher(claimed.text()).results().map(MatchResult::group).findFirst();
        var token = claimed.data().at("/claimTasks/tasks/0/lease/leaseToken");
        var completed = server.post(
                        bodies.get(2).replace("'$task'", task.orElseThrow()).replace("'$token'", token.asText()))
                .join();

        assertThat(submitted.data().at("/submitTask/isNew").asBoolean()).isTrue();
        assertThat(repeated.data().at("/submitTask/isNew").asBoolean(true)).isFalse();
        assertThat(claimed.data().at("/claimTasks/tasks/0/payload/store").asText())
                .isEqualTo("DE-0001");
        assertThat(completed.text())
                .isEqualTo("{\"data\":{\"completeTask\":{\"task\":{\"status\":\"COMPLETED\","
                        + "\"result\":{\"labels\":12}},\"errors\":[]}}}");
    }

    private static long batchReads(RecordingMeter meter) {
        return meter.usages().stream()
                .filter(usage -> usage.operation().equals("getBatch"))
                .count();
    }

    private static String submit(String input) {
        return server.data("mutation { submitTask(input: {" + input + "}) { task { key } } }")
                .at("/submitTask/task/key")
                .asText();
    }

    private static List<JsonNode> claim(String type, int max) {
        var claimed = server.data(
                "mutation { claimTasks(input: {worker: \"ada\", types: [\"%s\"], max: %d}) {".formatted(type, max)
                        + " tasks { key payload startedAt lease { leaseToken endsAt } } } }");
        return StreamSupport.stream(claimed.at("/claimTasks/tasks").spliterator(), false)
                .toList();
    }

    private static Instant endOfLease(JsonNode task) {
        return Instant.parse(task.at("/lease/endsAt").asText());
    }

    private static String token(JsonNode claimed) {
        return "leaseToken: " + claimed.at("/lease/leaseToken");
    }

    /** @param errors what the payload must have; empty for none */
    private static void change(String mutation, String id, String arguments, String errors) {
        var payload = server.data("mutation { %s(input: {id: \"%s\" %s}) { task { id } errors { code path } } }"
                        .formatted(mutation, id, arguments))
                .path(mutation);

        assertThat(payload.path("errors")).hasToString(errors.isEmpty() ? "[]" : errors);
    }

    private static JsonNode task(String id) {
        return server.data("{ task(id: \"%s\") { status attempt failures result reason submittedBy { kind name source }"
                                .formatted(id)
                        + " lease { endsAt } progress { done rate }"
                        + " history { nodes { number kind reason doneBy { name } } } } }")
                .path("task");
    }

    private static JsonNode tasks(String filter) {
        return server.data("{ tasks(filter: {%s}) { nodes { key payload result } } }".formatted(filter))
                .at("/tasks/nodes");
    }

    private static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(element -> element.path(field).asText())
                .toList();
    }

    private static String refused(String code, String... field) {
        return error(code, Stream.concat(Stream.of("input"), Stream.of(field)).toArray(String[]::new));
    }

    private static String error(String code, String... path) {
        return "[{\"code\":\"%s\",\"path\":[\"%s\"]}]".formatted(code, String.join("\",\"", path));
    }
}
