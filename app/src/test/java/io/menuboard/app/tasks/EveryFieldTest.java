package io.menuboard.app.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.FieldDefinition;
import graphql.language.ObjectTypeDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import graphql.schema.idl.SchemaParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asks every field of {@code tasks.graphqls}, and sees that each has something to say. */
class EveryFieldTest {
    private static final String UNKNOWN = "00000000000000000000000000";

    /** Takes a race that cannot be staged from outside; BulkOperationsTest of the module has it. */
    private static final String RACED = "BulkOutcome.message";

    private final TasksServer server = TasksServer.start(Map.of("menuboard.tasks.max-submit", 20));
    private final GraphQLSchema schema = server.bean(GraphQLSchema.class);
    private final Set<String> answered = new TreeSet<>();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyFieldGivesWhatItIsFor() throws IOException {
        var keyed = id(mutate(
                "submitTask",
                "input: {type: \"a\", payload: {n: 1}, idempotencyKey: \"k\", priority: HIGH, maxAttempts: 2}"));
        mutate("submitTask", "input: {type: \"a\", idempotencyKey: \"k\"}");
        mutate(
                "submitTasks",
                "inputs: [{type: \"a\", idempotencyKey: \"k2\"}, {type: \"a\", idempotencyKey: \"k\"}, {type: \"#\"}]");
        var done = claim("a", "ada");
        mutate(
                "extendLease",
                "id: \"%s\", fencingToken: 1, progress: {done: 1, total: 3, message: \"on\"}".formatted(done));
        query("tasks(filter: {status: RUNNING, worker: \"ada\"}, first: 5)");
        query("worker(id: \"ada\")");
        query("workers(first: 1)");
        mutate("releaseTask", "id: \"%s\", fencingToken: 1, reason: \"lunch\"".formatted(done));
        mutate("claimTask", "id: \"%s\", worker: \"ada\", leaseSeconds: 30".formatted(done));
        mutate("completeTask", "id: \"%s\", fencingToken: 2, result: {ok: true}".formatted(done));
        var failed = claim("a", "bob");
        mutate("failTask", "id: \"%s\", fencingToken: 1, reason: \"no paper\", retryable: false".formatted(failed));
        mutate("retryTask", "id: \"%s\", reason: \"paper is there\"".formatted(failed));
        mutate("reassignTask", "id: \"%s\", worker: \"bob\", reason: \"is nearer\"".formatted(failed));
        query("task(id: \"%s\")".formatted(failed));
        query("task(id: \"%s\")".formatted(keyed));
        var copy = id(mutate("cloneTask", "id: \"%s\"".formatted(done)));
        query("task(id: \"%s\")".formatted(copy));
        mutate("cancelTask", "id: \"%s\", reason: \"once is enough\"".formatted(copy));
        query("task(id: \"%s\")".formatted(copy));
        query("queueStatistics");
        refuseAll(done);
        bulk("type: \"a\", submittedFrom: \"2020-01-01T00:00:00Z\", submittedBefore: \"2999-01-01T00:00:00Z\"");
        claim("c", "eve");
        bulk("status: RUNNING, worker: \"eve\"");
        mutate("submitTask", "input: {type: \"a\", idempotencyKey: \"other\"}");
        bulk("idempotencyKey: \"other\"");
        await().atMost(20, SECONDS).until(() -> !query("taskCounts(from: \"2020-01-01T00:00:00Z\")")
                .isEmpty());

        var fields = fields();
        fields.removeAll(answered);
        fields.remove(RACED);
        assertThat(fields).isEmpty();
    }

    private String claim(String type, String worker) {
        mutate("submitTask", "input: {type: \"%s\"}".formatted(type));
        return mutate("claimTasks", "worker: \"%s\", types: [\"%s\"], max: 1".formatted(worker, type))
                .at("/tasks/0/id")
                .asText();
    }

    private void refuseAll(String submitted) {
        var one = "id: \"%s\"".formatted(UNKNOWN);
        var held = one + ", fencingToken: 1";
        mutate("claimTask", one + ", worker: \"ada\"");
        mutate("claimTasks", "worker: \"ada\", types: []");
        mutate("extendLease", held);
        mutate("completeTask", held);
        mutate("failTask", held + ", reason: \"r\"");
        mutate("releaseTask", held);
        mutate("cancelTask", one);
        mutate("retryTask", one);
        mutate("cloneTask", one);
        mutate("cloneTask", "id: \"%s\", idempotencyKey: \"k\"".formatted(submitted));
        mutate("reassignTask", one + ", worker: \"ada\"");
        mutate("submitTask", "input: {type: \"#\"}");
        mutate(
                "submitTasks",
                "inputs: " + Stream.generate(() -> "{type: \"a\"}").limit(21).toList());
    }

    private void bulk(String filter) {
        query("bulkPreview(action: CANCEL, filter: {%s})".formatted(filter));
        var key = "idempotencyKey: \"bulk %s\"".formatted(filter.hashCode());
        var start = "action: CANCEL, filter: {%s}, reason: \"wrong batch\", %s".formatted(filter, key);
        var id = id(mutate("startBulkOperation", start));
        mutate("startBulkOperation", start.replace("wrong", "bad"));
        await().atMost(20, SECONDS).until(() -> query("bulkOperation(id: \"%s\")".formatted(id))
                .at("/task/status")
                .asText()
                .equals("COMPLETED"));
    }

    private static String id(JsonNode payload) {
        return payload.at("/task/id").asText();
    }

    private JsonNode mutate(String field, String arguments) {
        return ask(schema.getMutationType(), "mutation", field + "(" + arguments + ")");
    }

    private JsonNode query(String field) {
        return ask(schema.getQueryType(), "query", field);
    }

    private JsonNode ask(GraphQLFieldsContainer root, String kind, String call) {
        var name = call.split("\\(", 2)[0];
        var type = root.getFieldDefinition(name).getType();
        var answer = server.data(kind + " { " + call + everythingOf(type) + " }");
        note(root, answer);
        return answer.path(name);
    }

    private static String everythingOf(GraphQLType type) {
        return GraphQLTypeUtil.unwrapAll(type) instanceof GraphQLFieldsContainer object
                ? object.getFieldDefinitions().stream()
                        .map(field -> field.getName() + everythingOf(field.getType()))
                        .collect(Collectors.joining(" ", " { ", " }"))
                : "";
    }

    /** A field is answered by a value, a list by an element. */
    private void note(GraphQLType type, JsonNode value) {
        if (value.isArray()) {
            value.forEach(element -> note(type, element));
        } else if (GraphQLTypeUtil.unwrapAll(type) instanceof GraphQLFieldsContainer object && value.isObject()) {
            for (var field : object.getFieldDefinitions()) {
                var answer = value.path(field.getName());
                var list = GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(field.getType()));
                if (!answer.isMissingNode() && !answer.isNull() && !(list && answer.isEmpty())) {
                    answered.add(object.getName() + "." + field.getName());
                    note(field.getType(), answer);
                }
            }
        }
    }

    private static Set<String> fields() throws IOException {
        try (var resource =
                Objects.requireNonNull(EveryFieldTest.class.getResourceAsStream("/graphql/tasks.graphqls"))) {
            var fragment = new SchemaParser().parse(new InputStreamReader(resource, StandardCharsets.UTF_8));
            var own = fragment.getTypes(ObjectTypeDefinition.class).stream();
            var extensions = fragment.objectTypeExtensions().values().stream().flatMap(List::stream);
            return Stream.concat(own, extensions)
                    .flatMap(type -> type.getFieldDefinitions().stream()
                            .map(FieldDefinition::getName)
                            .map(field -> type.getName() + "." + field))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
