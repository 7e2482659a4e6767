package io.menuboard.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.tasks.statistics.TaskStatistics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Where the fields of {@code tasks.graphqls} lead, and what going there costs. Each test has types of tasks of its own. */
class TaskGraphTest {
    @AutoClose
    private static final GraphQlServer server = ContextServer.start(Map.of());

    @Test
    void findsWhatHasAnIdByItAgain() {
        var task = mutate("submitTask", "type: \"node\"", "task { id key }").path("task");
        mutate("claimTasks", "worker: \"nodal\", types: \"node\"", "tasks { id }");
        var bulk = mutate(
                        "startBulkOperation",
                        "action: CANCEL, filter: {type: \"none\"}, reason: \"r\"",
                        "operation { id key }")
                .path("operation");

        assertThat(task.path("id").asText())
                .isEqualTo("Task#" + task.path("key").asText());
        assertThat(bulk.path("id").asText())
                .isEqualTo("BulkOperation#" + bulk.path("key").asText());
        await().atMost(10, SECONDS).until(() -> !data("{ node(id: \"Worker#nodal\") { id } }")
                .path("node")
                .isNull());
        var ids = List.of(
                task.path("id").asText(),
                bulk.path("id").asText(),
                "Worker#nodal",
                "Task#" + bulk.path("key").asText(),
                "BulkOperation#" + task.path("key").asText(),
                "Worker#nobody",
                "Task#1");
        var nodes = server.data("query($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }", Map.of("ids", ids))
                .path("nodes");
        assertThat(texts(nodes, "id")).containsExactly(ids.get(0), ids.get(1), ids.get(2), ids.get(3), "", "", "");
        assertThat(data("{ task(id: \"%s\") { key } }".formatted(ids.getFirst()))
                        .at("/task/key"))
                .isEqualTo(task.path("key"));
        assertThat(data("{ bulkOperation(id: \"%s\") { change { action filter { statuses } } } }".formatted(ids.get(1)))
                        .at("/bulkOperation/change"))
                .hasToString("{\"action\":\"CANCEL\",\"filter\":{\"statuses\":[\"PENDING\"]}}");
    }

    @Test
    void leadsFromACopyToItsTaskAndFromAnOutcomeToItsTask() {
        var task = submit("copied");
        var copy = mutate("cloneTask", "id: \"%s\"".formatted(task), "task { clonedFrom { id } clonedFromKey } isNew");

        assertThat(copy)
                .hasToString("{\"task\":{\"clonedFrom\":{\"id\":\"%s\"},\"clonedFromKey\":\"%s\"},\"isNew\":true}"
                        .formatted(task, task.substring("Task#".length())));
    }

    @Test
    void workersAreNamedByTheirKeysAsByTheFieldsThatTheseReplace() {
        var kept = submit("named");
        mutate("claimTask", "id: \"%s\", worker: \"n1\"".formatted(kept), "task { id }");
        mutate("reassignTask", "id: \"%s\", worker: \"n2\"".formatted(kept), "task { id }");
        mutate("claimTask", "id: \"%s\", worker: \"n3\"".formatted(submit("named")), "task { id }");
        var bulk = mutate(
                "startBulkOperation",
                "action: CANCEL, filter: {statuses: RUNNING, worker: \"n4\"}, reason: \"r\"",
                "operation { change { filter { workerKey workerName } } }");
        var task = data(("{ task(id: \"%s\") { workerKey workerName reservedForKey reservedForName"
                                + " history { nodes { workerKey workerName doneAt at } } } }")
                        .formatted(kept))
                .path("task");
        var lease = data("{ tasks(filter: {type: \"named\", statuses: RUNNING}) {"
                + " nodes { lease { workerKey workerName } } } }");

        assertThat(bulk.at("/operation/change/filter")).hasToString("{\"workerKey\":\"n4\",\"workerName\":\"n4\"}");
        assertThat(lease.at("/tasks/nodes/0/lease")).hasToString("{\"workerKey\":\"n3\",\"workerName\":\"n3\"}");
        assertThat(task.path("workerKey").asText()).isEqualTo("n1");
        assertThat(task.path("workerName")).isEqualTo(task.path("workerKey"));
        assertThat(task.path("reservedForKey").asText()).isEqualTo("n2");
        assertThat(task.path("reservedForName")).isEqualTo(task.path("reservedForKey"));
        assertThat(texts(task.at("/history/nodes"), "workerKey")).containsExactly("null", "n1", "n2");
        assertThat(task.at("/history/nodes")).allSatisfy(event -> {
            assertThat(event.path("workerName")).isEqualTo(event.path("workerKey"));
            assertThat(event.path("doneAt").asText()).isNotEmpty();
            assertThat(event.path("at")).isEqualTo(event.path("doneAt"));
        });
    }

    @Test
    void aSecondCancelAnswersAsTheFirst() {
        var task = submit("cancelled twice");
        var cancel = "id: \"%s\", reason: \"%s\"";
        var selected = "task { id status reason history { nodes { kind } } } errors { code }";

        var first = mutate("cancelTask", cancel.formatted(task, "first"), selected);
        var second = mutate("cancelTask", cancel.formatted(task, "second"), selected);

        assertThat(first.path("errors")).isEmpty();
        assertThat(second).isEqualTo(first);
        assertThat(texts(second.at("/task/history/nodes"), "kind")).containsExactly("SUBMITTED", "CANCELLED");
        assertThat(second.at("/task/reason").asText()).isEqualTo("first");
    }

    @Test
    void aKeyIsOneWhicheverMutationMadeItsTask() {
        var bulk = mutate(
                        "startBulkOperation",
                        "action: CANCEL, filter: {type: \"none\"}, reason: \"r\", idempotencyKey: \"shared\"",
                        "task { key }")
                .at("/task/key")
                .asText();

        var other = mutate(
                "submitTask",
                "type: \"keyed\", idempotencyKey: \"shared\"",
                "task { id } isNew existingTask { id } existingTaskKey errors { code path }");

        assertThat(other).hasToString("""
                {"task":null,"isNew":null,"existingTask":{"id":"Task#%s"},"existingTaskKey":"%s","errors":[\
                {"code":"IDEMPOTENCY_KEY_REUSED","path":["input","idempotencyKey"]}]}""".formatted(bulk, bulk));
    }

    @Test
    void listsTasksOfSeveralStatusesInOneOrder() {
        var ids = new ArrayList<String>();
        for (var i = 0; i < 6; i++) {
            ids.add(submit("several"));
        }
        for (var i = 0; i < 6; i += 2) {
            mutate("cancelTask", "id: \"%s\"".formatted(ids.get(i)), "errors { code }");
        }
        var claimed =
                mutate("claimTasks", "worker: \"w\", types: \"several\", max: 9", "tasks { id lease { leaseToken } }");
        for (var task : claimed.path("tasks")) {
            var held = "id: %s, leaseToken: %s".formatted(task.path("id"), task.at("/lease/leaseToken"));
            mutate("completeTask", held, "errors { code }");
        }
        var list = "{ tasks(filter: {type: \"several\", statuses: [COMPLETED, CANCELLED, DEAD]} %s) {"
                + " nodes { id status } pageInfo { endCursor hasNextPage } } }";

        var first = data(list.formatted("first: 4")).path("tasks");
        var second = data(list.formatted("first: 4, after: " + first.at("/pageInfo/endCursor")))
                .path("tasks");

        assertThat(texts(first.path("nodes"), "status"))
                .containsExactly("CANCELLED", "COMPLETED", "CANCELLED", "COMPLETED");
        var both = new ArrayList<>(texts(first.path("nodes"), "id"));
        both.addAll(texts(second.path("nodes"), "id"));
        assertThat(both).isEqualTo(ids);
        assertThat(second.at("/pageInfo/hasNextPage").asBoolean()).isFalse();
    }

    @Test
    void aRepeatedClaimAnswersTheSameTasksWhileItHoldsThem() {
        for (var i = 0; i < 4; i++) {
            submit("repeated");
        }
        var claim = "worker: \"%s\", types: \"repeated\", max: %d, idempotencyKey: \"%s\"";
        var selected = "tasks { id lease { leaseToken } } errors { code path }";

        var first = mutate("claimTasks", claim.formatted("w", 2, "k1"), selected);
        var again = mutate("claimTasks", claim.formatted("w", 2, "k1"), selected);
        var ofAnother = mutate("claimTasks", claim.formatted("v", 2, "k1"), selected);
        var none = mutate("claimTasks", claim.formatted("w", 2, "k2"), selected);
        var other = mutate("claimTasks", claim.formatted("w", 3, "k1"), selected);

        assertThat(first.path("tasks")).hasSize(2);
        assertThat(again).isEqualTo(first);
        assertThat(ofAnother.path("tasks")).hasSize(2).doesNotContainAnyElementsOf(first.path("tasks"));
        assertThat(none.path("tasks")).isEmpty();
        assertThat(other.path("errors"))
                .hasToString("[{\"code\":\"IDEMPOTENCY_KEY_REUSED\",\"path\":[\"input\",\"idempotencyKey\"]}]");

        var held = first.path("tasks").get(0);
        mutate(
                "completeTask",
                "id: %s, leaseToken: %s".formatted(held.path("id"), held.at("/lease/leaseToken")),
                "task { id }");
        submit("repeated");
        var left = mutate("claimTasks", claim.formatted("w", 2, "k1"), selected);
        var found = mutate("claimTasks", claim.formatted("w", 2, "k2"), selected);

        assertThat(texts(left.path("tasks"), "id"))
                .containsExactly(first.at("/tasks/1/id").asText());
        assertThat(found.path("tasks")).hasSize(1);

        // Held again, by another claim.
        var given = first.at("/tasks/1");
        var token = given.at("/lease/leaseToken");
        mutate("releaseTask", "id: %s, leaseToken: %s".formatted(given.path("id"), token), "task { id }");
        mutate("claimTask", "id: %s, worker: \"w\"".formatted(given.path("id")), "task { id }");

        assertThat(mutate("claimTasks", claim.formatted("w", 2, "k1"), selected).path("tasks"))
                .isEmpty();
    }

    @Test
    void aRepeatedClaimOfOneTaskAnswersItsLease() {
        var task = submit("chosen");
        var claim = "id: \"%s\", worker: \"w\", idempotencyKey: \"%s\"";
        var selected = "task { id lease { leaseToken } } errors { code path }";

        var first = mutate("claimTask", claim.formatted(task, "c1"), selected);
        var again = mutate("claimTask", claim.formatted(task, "c1"), selected);
        var unkeyed = mutate("claimTask", "id: \"%s\", worker: \"w\"".formatted(task), selected);
        var other = mutate("claimTask", claim.formatted(submit("chosen"), "c1"), selected);

        assertThat(first.at("/task/lease/leaseToken").asText()).isNotEmpty();
        assertThat(again).isEqualTo(first);
        assertThat(unkeyed.path("errors")).hasToString("[{\"code\":\"NOT_ALLOWED\",\"path\":[\"input\",\"id\"]}]");
        assertThat(other)
                .hasToString("{\"task\":null,\"errors\":[{\"code\":\"IDEMPOTENCY_KEY_REUSED\","
                        + "\"path\":[\"input\",\"idempotencyKey\"]}]}");

        var token = first.at("/task/lease/leaseToken");
        mutate("releaseTask", "id: \"%s\", leaseToken: %s".formatted(task, token), "task { id }");

        assertThat(mutate("claimTask", claim.formatted(task, "c1"), "task { status } errors { code path }"))
                .hasToString("{\"task\":{\"status\":\"PENDING\"},\"errors\":["
                        + "{\"code\":\"NOT_ALLOWED\",\"path\":[\"input\",\"id\"]}]}");
    }

    @Test
    void aHistoryThatFailsTakesNoLeaseWithIt() {
        submit("failing");

        var answer = server.execute("mutation { claimTasks(input: {worker: \"w\", types: \"failing\"}) {"
                + " tasks { lease { leaseToken } history(after: \"forged\") { nodes { kind } } } } }");

        assertThat(answer.code()).isEqualTo("INVALID_CURSOR");
        var task = answer.body().at("/data/claimTasks/tasks/0");
        assertThat(task.at("/lease/leaseToken").asText()).isNotEmpty();
        assertThat(task.path("history").isNull()).isTrue();
    }

    @Test
    void refusesNamesThatCouldNotBeRead() {
        var payload = "{%s: 1}".formatted("a".repeat(50_001));

        var refused =
                mutate("submitTask", "type: \"unreadable\", payload: " + payload, "task { id } errors { code path }");

        assertThat(refused)
                .hasToString(
                        "{\"task\":null,\"errors\":[{\"code\":\"INVALID_JSON\",\"path\":[\"input\",\"payload\"]}]}");
    }

    @Test
    void aPayloadThatCannotBeReadTakesNoOtherTaskWithIt() {
        var longName = "{\"%s\":1}".formatted("a".repeat(50_001));
        for (var stored : List.of(longName, "{", "{\"a\":1}")) {
            server.bean(TaskSubmission.class)
                    .submit(TasksFixture.STAFF, SubmitTask.of(new TaskType("stored"), Json.stored(stored)));
        }

        var answer = server.execute("mutation { claimTasks(input: {worker: \"w\", types: \"stored\", max: 3}) {"
                + " tasks { payload } } }");

        // As text: the client reads no such names.
        assertThat(answer.text())
                .contains("\"code\":\"INTERNAL\"")
                .contains("{\"payload\":%s}".formatted(longName), "{\"payload\":null}", "{\"payload\":{\"a\":1}}");
    }

    @Test
    void claimsWithOneKeyAtOnceHoldOneClaimsTasks() {
        for (var i = 0; i < 24; i++) {
            submit("raced");
        }
        var claim =
                "mutation { claimTasks(input: {worker: \"racer\", types: \"raced\", max: 3, idempotencyKey: \"race\"}) {"
                        + " tasks { id } } }";

        var answers = Stream.generate(() -> server.later(claim, Map.of())).limit(8).toList().stream()
                .map(answer -> Set.copyOf(texts(answer.join().data().at("/claimTasks/tasks"), "id")))
                // Of who found no task, before it was written down which ones the first claim had.
                .filter(tasks -> !tasks.isEmpty())
                .distinct()
                .toList();
        var held = data("{ tasks(filter: {statuses: RUNNING, worker: \"racer\"}) { nodes { id } } }")
                .at("/tasks/nodes");

        assertThat(answers).containsExactly(Set.copyOf(texts(held, "id")));
        assertThat(held).hasSize(3);
        assertThat(texts(data(claim).at("/claimTasks/tasks"), "id"))
                .containsExactlyInAnyOrderElementsOf(texts(held, "id"));
    }

    @Test
    void readsAPageOfTasksWithAllThatTheyLeadToInAHandfulOfRequests() {
        for (var i = 0; i < 10; i++) {
            mutate("submitTasks", "tasks: [" + "{type: \"wide\"},".repeat(10) + "]", "errors { code }");
        }
        mutate("claimTasks", "worker: \"wide\", types: \"wide\", max: 100", "tasks { id }");
        await().atMost(10, SECONDS)
                .until(() ->
                        !data("{ worker(id: \"wide\") { id } }").path("worker").isNull());
        var query = "{ tasks(filter: {type: \"wide\", statuses: RUNNING}, first: 100) { nodes { %s } } }";

        var alone = requests(query.formatted("id"));
        var history = requests(query.formatted("id history { nodes { kind } pageInfo { hasNextPage } }"));
        var totals = requests(query.formatted("id history { totalCount { count } }"));
        var total = requests(query.replace("{ nodes", "{ totalCount { count } again: totalCount { precision } nodes")
                .formatted("id"));
        var worker = requests(query.formatted("id worker { id } lease { worker { key } } payload"));

        assertThat(alone).isLessThan(10);
        assertThat(history).isEqualTo(alone);
        assertThat(totals).isEqualTo(alone);
        assertThat(total).as("each of four shards is counted once").isEqualTo(alone + 4);
        assertThat(worker).isEqualTo(alone + 1);
    }

    @Test
    void readsTheHistoriesOfTasksThatHaveMuchBehindThemSideBySide() {
        var tasks = List.of(submit("long"), submit("long"));
        for (var task :
                Collections.nCopies(8, tasks).stream().flatMap(List::stream).toList()) {
            var claim =
                    mutate("claimTask", "id: \"%s\", worker: \"w\"".formatted(task), "task { lease { leaseToken } }");
            var held = "id: \"%s\", leaseToken: %s".formatted(task, claim.at("/task/lease/leaseToken"));
            mutate("releaseTask", held, "errors { code }");
        }
        var query = "{ tasks(filter: {type: \"long\"}) { nodes { id %s } } }";

        var alone = requests(query.formatted(""));
        var both = requests(query.formatted("history { nodes { number } }"));
        var histories = data(query.formatted("history { nodes { number } }")).at("/tasks/nodes");

        assertThat(both).isEqualTo(alone + 2);
        assertThat(histories).hasSize(2).allSatisfy(task -> assertThat(texts(task.at("/history/nodes"), "number"))
                .isEqualTo(
                        IntStream.rangeClosed(1, 17).mapToObj(Integer::toString).toList()));
    }

    @Test
    void readsWhatManyWorkersHoldOnce() {
        for (var worker : List.of("one", "two")) {
            submit("shared");
            submit("shared");
            mutate("claimTasks", "worker: \"%s\", types: \"shared\", max: 2".formatted(worker), "tasks { id }");
            await().atMost(10, SECONDS).until(() -> !data("{ worker(id: \"%s\") { id } }".formatted(worker))
                    .path("worker")
                    .isNull());
        }
        var query =
                "{ nodes(ids: [%s]) { id ... on Worker { tasks(first: 1) { nodes { key } pageInfo { hasNextPage endCursor } } } } }";

        var one = requests(query.formatted("\"Worker#one\""));
        var two = requests(query.formatted("\"Worker#one\", \"Worker#two\""));
        var first = data(query.formatted("\"Worker#one\"")).at("/nodes/0/tasks");
        var next =
                data("{ worker(id: \"one\") { tasks(first: 1, after: %s) { nodes { key } pageInfo { hasNextPage hasPreviousPage } } } }"
                                .formatted(first.at("/pageInfo/endCursor")))
                        .at("/worker/tasks");

        assertThat(two).isEqualTo(one);
        assertThat(first.at("/pageInfo/hasNextPage").asBoolean()).isTrue();
        assertThat(next.at("/nodes/0/key").asText())
                .isGreaterThan(first.at("/nodes/0/key").asText());
        assertThat(next.path("pageInfo")).hasToString("{\"hasNextPage\":false,\"hasPreviousPage\":true}");
        assertThat(server.execute("{ worker(id: \"one\") { tasks(after: \"forged\") { nodes { key } } } }")
                        .code())
                .isEqualTo("INVALID_CURSOR");
    }

    @Test
    void pagesThroughTheCountsOfMinutes() {
        submit("counted1");
        submit("counted2");
        submit("counted3");
        server.bean(TaskStatistics.class).flush();
        var query = "{ taskCounts(from: \"2020-01-01T00:00:00Z\", first: 1 %s) { nodes { startsAt type submitted }"
                + " pageInfo { hasNextPage endCursor } } }";
        var seen = new ArrayList<String>();

        for (var after = ""; ; ) {
            var page = data(query.formatted(after)).path("taskCounts");
            seen.add(page.at("/nodes/0/startsAt").asText()
                    + page.at("/nodes/0/type").asText());
            if (!page.at("/pageInfo/hasNextPage").asBoolean()) {
                break;
            }
            after = ", after: " + page.at("/pageInfo/endCursor");
        }

        assertThat(seen).isSorted().doesNotHaveDuplicates();
        assertThat(seen.stream().map(slot -> slot.replaceAll(".*Z", ""))).contains("counted1", "counted2", "counted3");
    }

    /** Requests of this query; the fewest of many times, as the background makes requests too, such as heartbeats after claims. */
    private static int requests(String query) {
        var meter = server.bean(RecordingMeter.class);
        return IntStream.range(0, 50)
                .map(_ -> {
                    var before = meter.usages().size();
                    data(query);
                    return meter.usages().size() - before;
                })
                .min()
                .orElseThrow();
    }

    private static String submit(String type) {
        return mutate("submitTask", "type: \"%s\"".formatted(type), "task { id }")
                .at("/task/id")
                .asText();
    }

    private static JsonNode mutate(String mutation, String input, String selected) {
        return data("mutation { %s(input: {%s}) { %s } }".formatted(mutation, input, selected))
                .path(mutation);
    }

    private static JsonNode data(String document) {
        return server.data(document);
    }

    private static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(element -> element.path(field).asText())
                .toList();
    }
}
