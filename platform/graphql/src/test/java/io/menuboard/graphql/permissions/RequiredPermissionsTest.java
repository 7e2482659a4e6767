package io.menuboard.graphql.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.language.OperationDefinition;
import graphql.parser.Parser;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.MockedWiringFactory;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.graphql.permissions.RequiredPermissions.Missing;
import io.menuboard.kernel.Actor;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequiredPermissionsTest {
    private static final GraphQLSchema SCHEMA = schema("""
            directive @requires(permission: Permission!) repeatable on FIELD_DEFINITION | OBJECT
            enum Permission { PRICES_READ PRICES_APPLY TASKS_READ BILLING_READ MARKS_READ }
            interface Node { id: ID! }
            type Query {
              shop: Shop @requires(permission: PRICES_READ)
              sum: Sum @requires(permission: PRICES_READ) @requires(permission: BILLING_READ)
              node(id: ID!): Node
              any: Any @requires(permission: PRICES_READ)
            }
            type Mutation { apply: Shop @requires(permission: PRICES_APPLY) }
            type Shop implements Node @requires(permission: PRICES_READ) {
              id: ID!
              name: String
              jobs: JobConnection
              fans: Int @requires(permission: MARKS_READ)
            }
            type JobConnection { nodes: [Job!] }
            type Job implements Node @requires(permission: TASKS_READ) { id: ID! shop: Shop }
            type Sum { total: Int }
            union Any = Shop | Job
            """);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { __typename }                                            |
            { __schema { types { name } } }                           |
            { shop { name } }                                         | PRICES_READ
            { s: shop { n: name } }                                   | PRICES_READ
            { sum { total } }                                         | PRICES_READ BILLING_READ
            { shop { fans } }                                         | PRICES_READ MARKS_READ
            { shop { jobs { nodes { id } } } }                        | PRICES_READ TASKS_READ
            { shop @skip(if: true) { name } }                         | PRICES_READ
            { node(id: "a") { id } }                                  |
            { node(id: "a") { id ... on Job { id } } }                | TASKS_READ
            { node(id: "a") { ...F } } fragment F on Job { shop { id } } | TASKS_READ PRICES_READ
            { any { ... on Job { id } } }                             | PRICES_READ TASKS_READ
            { any { ... { ... on Job { id } } } }                     | PRICES_READ TASKS_READ
            { ...A } fragment A on Query { ...B } fragment B on Query { ...A sum { total } } | PRICES_READ BILLING_READ
            mutation { apply { id } }                                 | PRICES_APPLY PRICES_READ
            { unknown { id } ...Unknown ... on Unknown { id } }       |
            """)
    void areThoseOfEveryFieldAndTypeThatIsSelected(String source, String permissions) {
        var required = permissions == null
                ? Set.<Permission>of()
                : Arrays.stream(permissions.split(" ", -1))
                        .map(Permission::valueOf)
                        .collect(Collectors.toUnmodifiableSet());

        for (var role : Role.values()) {
            var access = access(role);
            var missing = required(source).missing(access);
            assertThat(missing.map(Missing::permission))
                    .as("%s, %s", role, source)
                    .matches(one -> one.isPresent()
                            ? required.contains(one.get()) && !access.may(one.get())
                            : required.stream().allMatch(access::may));
        }
        assertThat(required(source).missing(access(Role.values()))).isEmpty();
        for (var each : required) {
            assertThat(required(source).missing(accessWithout(each)))
                    .as("without %s, %s", each, source)
                    .isPresent();
        }
    }

    @Test
    void namesThePlaceThatAsksForIt() {
        assertThat(required("{ shop { jobs { nodes { id } } } }").missing(access(Role.PRICING_EDITOR)))
                .contains(new Missing(Permission.TASKS_READ, "Job"));
        assertThat(required("{ s: shop { fans } }").missing(access(Role.VIEWER)))
                .contains(new Missing(Permission.MARKS_READ, "Shop.fans"));
    }

    @Test
    void areAllMissingForARequestOfNobodyKnown() {
        assertThat(required("{ shop { name } }").missing(null)).isPresent();
        assertThat(required("{ __typename }").missing(null)).isEmpty();
    }

    private static RequiredPermissions required(String source) {
        var document = Parser.parse(source);
        return RequiredPermissions.of(
                document.getDefinitionsOfType(OperationDefinition.class).getFirst(), document, SCHEMA);
    }

    private static Access access(Role... roles) {
        var grants = Arrays.stream(roles).map(Grant::of).collect(Collectors.toUnmodifiableSet());
        return new Access(new Principal("01", Actor.Kind.USER, "Grace", grants), Actor.Source.GRAPHQL);
    }

    private static Access accessWithout(Permission permission) {
        return access(Arrays.stream(Role.values())
                .filter(role -> !role.permissions().contains(permission))
                .toArray(Role[]::new));
    }

    private static GraphQLSchema schema(String definitions) {
        return new SchemaGenerator()
                .makeExecutableSchema(
                        new SchemaParser().parse(definitions),
                        RuntimeWiring.newRuntimeWiring()
                                .wiringFactory(new MockedWiringFactory())
                                .build());
    }
}
