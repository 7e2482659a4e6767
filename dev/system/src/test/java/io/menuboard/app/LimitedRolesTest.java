package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.GraphQL;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import io.menuboard.access.Role;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.local.aws.LocalAws;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever has roles for a part only learns nothing of the rest, by any field of {@code Query}: all that there is has a name or an
 * id of its part, {@code own} or {@code foreign}. What is foreign is as if it were not there.
 */
class LimitedRolesTest {
    private static final LocalAws aws = LocalAws.start(null, "limited-roles");
    private static final GraphQlServer server = start();

    private static GraphQlServer start() {
        var properties = new HashMap<String, Object>(aws.properties());
        properties.put(HeaderPrincipals.SETTING, true);
        for (var limit : List.of("max-cost", "max-depth", "max-tokens", "max-selections", "max-document-chars")) {
            properties.put("menuboard.graphql." + limit, 1_000_000_000);
        }
        return GraphQlServer.start(properties, List.of());
    }

    private static final List<String> LIMITED = List.of(
            "VIEWER STORES#own-store",
            "PRICING_EDITOR STORES#own-store",
            "PRICING_APPROVER STORES#own-store",
            "WORKER WORKER#own-worker",
            "PARTNER AGENCY#own-agency",
            "FAVORITES_CLIENT USER#own-user");

    private static final int LEVELS = 3;
    private static final int FEW_LEVELS = 1;

    /** Cursors are bound to the scope that they were made in, which has tests of its own. */
    private static final Set<String> PAGING = Set.of("first", "last", "after", "before");

    private static final List<String> FOREIGN_IDS = new ArrayList<>();

    @AfterAll
    static void stop() {
        server.close();
        aws.close();
    }

    @BeforeAll
    static void seed() {
        for (var part : List.of("own", "foreign")) {
            data(
                    part,
                    "mutation { addStore(input: {key: \"%1$s-store\", name: \"%1$s-store-name\", currency: \"EUR\","
                            + " timeZone: \"Europe/Berlin\"}) { store { id } errors { message } } }");
            applied(part, "");
            applied(part, ", effectiveDate: \"2035-03-01\"");
            draft(part, "");
            data(
                    part,
                    "mutation { submitTask(input: {type: \"%1$s-type\", payload: {secret: \"%1$s-payload\"},"
                            + " idempotencyKey: \"%1$s-key\"}) { task { id } } }");
            data(
                    part,
                    "mutation { submitTask(input: {type: \"%1$s-type\", payload: {secret: \"%1$s-payload\"}})"
                            + " { task { id } } }");
            data(
                    part,
                    "mutation { claimTasks(input: {types: [\"%1$s-type\"], worker: \"%1$s-worker\"}) { tasks { id } } }");
            data(part, "mutation { favorite(input: {user: \"%1$s-user\", restaurant: \"restaurant\"}) { isNew } }");
            data(
                    part,
                    "mutation { recordTransactions(input: {transactions: [{agency: \"%1$s-agency\", amount: \"10\","
                            + " commissionRate: \"0.1\", currency: \"EUR\", customer: \"%1$s-customer\", key: \"%1$s-key\","
                            + " occurredAt: \"" + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                            + "\", product: \"p\"}]}) { outcomes { transaction { id } } } }");
        }
    }

    private static void applied(String part, String more) {
        var set = draft(part, more);
        data(
                part,
                "mutation { applyChangeSet(input: {id: \"" + set.path("key").asText() + "\", token: \""
                        + set.path("token").asText()
                        + "\", acceptSuspicious: true}) { changeSet { status } errors { message } } }");
    }

    private static JsonNode draft(String part, String more) {
        return data(
                        part,
                        "mutation { createChangeSet(input: {name: \"%1$s-set\", reason: \"%1$s-reason\"" + more
                                + ", rules: [{stores: [\"%1$s-store\"], products: [\"%1$s-product\", \"shared\"], setTo: \"5.00\"}]})"
                                + " { changeSet { key token id } errors { message } } }")
                .at("/createChangeSet/changeSet");
    }

    private static JsonNode data(String part, String document) {
        var everything = Arrays.stream(Role.values()).map(role -> role + " ALL").toList();
        var data =
                execute(part + "-person", everything, document.formatted(part)).data();
        if (part.equals("foreign")) {
            data.findValuesAsText("id").forEach(FOREIGN_IDS::add);
        }
        return data;
    }

    static Stream<String> queries() {
        var query = server.bean(GraphQL.class).getGraphQLSchema().getQueryType();
        return query.getFieldDefinitions().stream().map(GraphQLFieldDefinition::getName);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void showsNothingForeign(String field) {
        for (var document : documents(field, LEVELS)) {
            showsNothingForeign(field, LIMITED, document);
        }
    }

    /** What several roles show together, one of them might not hide by itself. */
    @ParameterizedTest
    @MethodSource("queries")
    void noRoleByItselfShowsAnythingForeign(String field) {
        for (var role : LIMITED) {
            for (var document : documents(field, FEW_LEVELS)) {
                showsNothingForeign(field, List.of(role), document);
            }
        }
    }

    private static void showsNothingForeign(String field, List<String> grants, String document) {
        var answer = execute("u1", grants, document);

        assertThat(answer.status()).as("%s: %s", document, answer.text()).isLessThan(500);
        // What was asked for may be said again.
        var text = answer.text();
        for (var asked : List.of("foreign-store", "foreign-agency", "foreign-worker", "foreign-task")) {
            text = document.contains(asked)
                            && answer.body().path("data").path(field).isNull()
                    ? text.replace(asked, "")
                    : text;
        }
        // Every id of these has a node, whether anybody has used it or not.
        text = text.replaceAll("(User#|Product#)?foreign-(user|product)", document.contains("(id: ") ? "" : "$0");
        assertThat(text).as(document).doesNotContain("foreign");
    }

    @Test
    void showsWhatIsOwn() {
        var seen = queries()
                .flatMap(field -> documents(field, LEVELS).stream())
                .map(document -> execute("u1", LIMITED, document).text())
                .collect(Collectors.joining());

        assertThat(seen)
                .contains(
                        "own-store-name",
                        "own-set",
                        "own-reason",
                        "own-product",
                        "own-type",
                        "own-worker",
                        "own-user",
                        "own-customer");
    }

    @Test
    void findsNoForeignNode() {
        assertThat(FOREIGN_IDS).hasSizeGreaterThan(5);
        for (var id : FOREIGN_IDS) {
            var answer = execute("u1", LIMITED, "{ node(id: \"" + id + "\") { id } }");

            assertThat(answer.text()).as(id).isEqualTo("{\"data\":{\"node\":null}}");
        }
    }

    /** With what has to be said, and with each argument that need not, for the own part and the foreign one. */
    private static List<String> documents(String name, int levels) {
        var schema = server.bean(GraphQL.class).getGraphQLSchema();
        var field = schema.getQueryType().getFieldDefinition(name);
        var selection = selection(field.getType(), levels);
        return Stream.of("own", "foreign")
                .flatMap(part -> arguments(field, part))
                .map(arguments -> "{ " + name + arguments + selection + " }")
                .distinct()
                .toList();
    }

    private static Stream<String> arguments(GraphQLFieldDefinition field, String part) {
        var required = field.getArguments().stream()
                .filter(argument -> GraphQLTypeUtil.isNonNull(argument.getType()))
                .map(GraphQLArgument::getName)
                .toList();
        var isList = field.getArgument("first") != null;
        var usual = isList ? and(required, "first") : required;
        var others = field.getArguments().stream()
                .map(GraphQLArgument::getName)
                .filter(name -> !required.contains(name) && !PAGING.contains(name))
                .map(name -> and(usual, name));
        var backwards = isList ? Stream.of(and(required, "last")) : Stream.<List<String>>of();
        return Stream.of(Stream.of(usual), others, backwards)
                .flatMap(names -> names)
                .map(names -> names.stream()
                        .map(name -> name + ": " + value(field, name, part))
                        .collect(Collectors.joining(", ")))
                .map(all -> all.isEmpty() ? "" : "(" + all + ")");
    }

    private static List<String> and(List<String> names, String one) {
        return Stream.concat(names.stream(), Stream.of(one)).toList();
    }

    private static String value(GraphQLFieldDefinition field, String argument, String part) {
        return switch (argument) {
            case "first", "last" -> "3";
            case "at" -> "\"" + Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS) + "\"";
            case "on" -> "\"" + LocalDate.now(ZoneOffset.UTC).minusDays(1) + "\"";
            case "channel" -> "\"ALL\"";
            case "consistency" -> "STRONG";
            case "productPrefix", "search" -> "\"" + part + "\"";
            case "store", "agency", "worker", "user" -> "\"" + part + "-" + argument + "\"";
            case "id" ->
                field.getName().equals("restaurant") ? "\"restaurant\"" : "\"" + part + "-" + field.getName() + "\"";
            case "ids" ->
                "[\"" + part + "-store\", \"" + (FOREIGN_IDS.isEmpty() ? "x" : FOREIGN_IDS.getFirst()) + "\"]";
            case "product" -> "\"" + (part.equals("own") ? "shared" : "foreign-product") + "\"";
            case "products" -> "[\"shared\"]";
            case "combo", "option" -> "\"c\"";
            case "swaps" -> "[{combo: \"c\", option: \"o\"}]";
            case "window" -> "MONTH";
            case "action" -> "CANCEL";
            case "filter" ->
                switch (field.getName()) {
                    case "auditRecords" -> "{person: \"" + part + "-person\"}";
                    case "changeSets" -> "{createdBy: \"" + part + "-person\", name: \"" + part + "\"}";
                    case "stores" -> "{currencies: [\"EUR\"], statuses: [OPEN]}";
                    default -> "{type: \"" + part + "-type\"}";
                };
            case "from" ->
                field.getName().equals("agencyStatements")
                        ? "\"" + YearMonth.now(ZoneOffset.UTC).minusMonths(1) + "\""
                        : "\"" + Instant.now().minus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.HOURS) + "\"";
            case "to" ->
                field.getName().equals("agencyStatements")
                        ? "\"" + YearMonth.now(ZoneOffset.UTC).plusMonths(1) + "\""
                        : "\"" + Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.HOURS) + "\"";
            default ->
                throw new IllegalArgumentException(field.getName() + " has an argument that is new: " + argument);
        };
    }

    private static String selection(GraphQLType type, int levels) {
        var named = GraphQLTypeUtil.unwrapAll(type);
        if (!(named instanceof GraphQLObjectType object)) {
            return GraphQLTypeUtil.isScalar(named) || GraphQLTypeUtil.isEnum(named) ? "" : " { __typename }";
        }
        var fields = object.getFieldDefinitions().stream()
                .filter(field -> field.getArguments().stream()
                        .noneMatch(argument ->
                                argument.getType() instanceof GraphQLNonNull && !argument.hasSetDefaultValue()))
                .flatMap(field -> field(field, levels).stream())
                .collect(Collectors.joining(" "));
        return " { __typename " + fields + " }";
    }

    private static List<String> field(GraphQLFieldDefinition field, int levels) {
        var named = GraphQLTypeUtil.unwrapAll(field.getType());
        var isLeaf = GraphQLTypeUtil.isScalar(named) || GraphQLTypeUtil.isEnum(named);
        if (!isLeaf && levels == 0) {
            return List.of();
        }
        var page = field.getArgument("first") == null ? "" : "(first: 3)";
        return List.of(field.getName() + page + (isLeaf ? "" : selection(field.getType(), levels - 1)));
    }

    private static Answer execute(String id, List<String> grants, String document) {
        var request = HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.ID, id)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document))));
        grants.forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request);
    }
}
