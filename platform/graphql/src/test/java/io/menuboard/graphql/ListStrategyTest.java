package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.execution.AsyncExecutionStrategy;
import graphql.execution.ExecutionStrategy;
import graphql.execution.SimpleDataFetcherExceptionHandler;
import graphql.schema.DataFetcher;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.FieldWiringEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.WiringFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Whatever is asked of whatever list, the answer is the one that graphql-java's own strategy gives. */
@SuppressWarnings("NullAway") // jqwik's injectNull says nothing of nulls
class ListStrategyTest {
    private static final GraphQLSchema SCHEMA = schema();

    enum Colour {
        RED,
        GREEN
    }

    /** A node of a tree; the nulls are where the schema allows them, and where it does not. */
    record Thing(
            String id,
            @Nullable String note,
            @Nullable Object count,
            @Nullable Object colour,
            List<@Nullable Object> tags,
            @Nullable Thing owner,
            List<Thing> parts) {

        public Optional<String> box() {
            return Optional.ofNullable(note);
        }

        public String failing() {
            if (note == null) {
                throw new UnsupportedOperationException("no note");
            }
            return note;
        }

        public List<List<String>> table() {
            return List.of(List.of(id, id), List.of());
        }

        public Thing shape() {
            return this;
        }
    }

    @Property(tries = 400)
    void answersAsGraphQlJavaDoes(
            @ForAll("things") List<Thing> things, @ForAll("selections") String selection, @ForAll boolean on) {
        var document = "query($on: Boolean!) { things { ...All } } fragment All on Thing { %s }".formatted(selection);

        var straight = execute(new ListStrategy(new SimpleDataFetcherExceptionHandler()), document, on, things);

        assertThat(straight)
                .isEqualTo(execute(
                        new AsyncExecutionStrategy(new SimpleDataFetcherExceptionHandler()), document, on, things));
    }

    @Example
    void fieldsThatModulesReadFromAnObjectAloneCanBePartsOfSuchLists() {
        var schema = SampleServer.shared().bean(GraphQLSchema.class);

        assertThat(fetcher(schema, "divisors")).isInstanceOf(PlainFetcher.class);
        assertThat(fetcher(schema, "following")).isNotInstanceOf(PlainFetcher.class);
    }

    private static DataFetcher<?> fetcher(GraphQLSchema schema, String field) {
        var type = schema.getObjectType("SampleNumber");
        return schema.getCodeRegistry().getDataFetcher(type, type.getFieldDefinition(field));
    }

    @Example
    void readsAnOrdinaryListItself() {
        var found = list("{ things { __typename id again: id colour tags owner { id } parts { id } table box } }");

        assertThat(found).hasSize(1).first().isInstanceOf(ResponseObject.class);
        assertThat(found.getFirst())
                .isEqualTo(Map.of(
                        "__typename",
                        "Thing",
                        "id",
                        "a",
                        "again",
                        "a",
                        "colour",
                        "RED",
                        "tags",
                        List.of("x"),
                        "owner",
                        Map.of("id", "b"),
                        "parts",
                        List.of(Map.of("id", "b")),
                        "table",
                        List.of(List.of("a", "a"), List.of()),
                        "box",
                        "n"));
    }

    @Example
    void leavesToGraphQlJavaWhatIsMoreThanReading() {
        assertThat(list("{ things { id own } }")).first().isNotInstanceOf(ResponseObject.class);
        assertThat(list("{ things { id shape { id } } }")).first().isNotInstanceOf(ResponseObject.class);
    }

    private static List<?> list(String document) {
        var leaf = new Thing("b", null, 1, Colour.GREEN, List.of(), null, List.of());
        var thing = new Thing("a", "n", 1, Colour.RED, List.of("x"), leaf, List.of(leaf));
        var result = run(new ListStrategy(new SimpleDataFetcherExceptionHandler()), document, true, List.of(thing));

        assertThat(result.getErrors()).isEmpty();
        return (List<?>) result.<Map<String, Object>>getData().get("things");
    }

    private static Map<String, Object> execute(
            ExecutionStrategy strategy, String document, boolean on, List<Thing> things) {
        return run(strategy, document, on, things).toSpecification();
    }

    private static ExecutionResult run(ExecutionStrategy strategy, String document, boolean on, List<Thing> things) {
        return GraphQL.newGraphQL(SCHEMA)
                .queryExecutionStrategy(strategy)
                .build()
                .execute(ExecutionInput.newExecutionInput(document).root(things).variables(Map.of("on", on)));
    }

    private static GraphQLSchema schema() {
        var types = new SchemaParser().parse("""
                type Query { things: [Thing] }
                interface Shape { id: ID! }
                enum Colour { RED GREEN }
                type Thing implements Shape {
                  id: ID!
                  note: String
                  needed(unread: Int): String!
                  count: Int
                  colour: Colour!
                  tags: [String!]
                  table: [[String!]!]!
                  box: String
                  failing: String
                  owner: Thing
                  parts: [Thing!]!
                  own: String!
                  shape: Shape!
                }
                """);
        var wiring = RuntimeWiring.newRuntimeWiring()
                .wiringFactory(new WiringFactory() {
                    @Override
                    public DataFetcher<?> getDefaultDataFetcher(FieldWiringEnvironment field) {
                        var name = field.getFieldDefinition().getName();
                        return new AccessorFetcher(name.equals("needed") ? "note" : name);
                    }
                })
                .type("Query", type -> type.dataFetcher("things", environment -> environment.getRoot()))
                .type(
                        "Thing",
                        type -> type.dataFetcher(
                                "own",
                                environment -> environment.<Thing>getSource().id() + " of its own"))
                .type(
                        "Shape",
                        type -> type.typeResolver(
                                environment -> environment.getSchema().getObjectType("Thing")));
        return new SchemaGenerator().makeExecutableSchema(types, wiring.build());
    }

    @Provide
    Arbitrary<List<Thing>> things() {
        return tree(2).injectNull(0.05).list().ofMaxSize(4);
    }

    private static Arbitrary<Thing> tree(int depth) {
        var leaf = Arbitraries.of("a", "b", "ü\"");
        var owner = depth == 0 ? Arbitraries.<Thing>just(null) : tree(depth - 1).injectNull(0.3);
        var parts = depth == 0
                ? Arbitraries.just(List.<Thing>of())
                : tree(depth - 1).injectNull(0.03).list().ofMaxSize(3);
        return Combinators.combine(
                        leaf,
                        leaf.injectNull(0.1),
                        Arbitraries.<Object>of(1, 2, "3", "many").injectNull(0.2),
                        Arbitraries.<Object>of(Colour.RED, Colour.GREEN, "RED", "BLUE"),
                        Arbitraries.<Object>of("x", 1).injectNull(0.05).list().ofMaxSize(3),
                        owner,
                        parts)
                .as(Thing::new);
    }

    @Provide
    Arbitrary<String> selections() {
        return selection(3);
    }

    private static Arbitrary<String> selection(int depth) {
        var fields = new ArrayList<>(
                Stream.of("__typename", "id", "note", "count", "colour", "tags", "table", "box", "failing", "own")
                        .map(Arbitraries::just)
                        .toList());
        fields.add(Arbitraries.just("needed"));
        fields.add(Arbitraries.just("needed(unread: 1)"));
        fields.add(Arbitraries.just("id @include(if: $on)"));
        fields.add(Arbitraries.just("other: note @skip(if: $on)"));
        fields.add(Arbitraries.just("shape { id ... on Thing { note } }"));
        if (depth > 0) {
            fields.add(selection(depth - 1).map("owner { %s }"::formatted));
            fields.add(selection(depth - 1).map("parts { %s }"::formatted));
            fields.add(selection(depth - 1).map("... on Shape { id ... on Thing { %s } }"::formatted));
        }
        return Arbitraries.oneOf(fields).list().ofMinSize(1).ofMaxSize(5).map(list -> String.join(" ", list));
    }
}
