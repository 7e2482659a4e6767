package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLEnumValueDefinition;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.MockedWiringFactory;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import io.menuboard.access.Permission;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the schema to the conventions of ADR 26, and shows that each of them is noticed. */
class SchemaConventionsTest {
    @Test
    void everyPartOfTheSchemaFollowsTheConventions() {
        assertThat(SchemaConventions.violations(shipped())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type Query { a: Int! }                                             | Query.a must be nullable
            type Query { a: T } type T { b: Int! @cost(weight: 20) }           | T.b must be nullable
            type Query { a: T } type T { b(first: Int): Int! }                 | T.b must be nullable
            type Query { a: T } type T { storeId: ID }                         | T.storeId must lead to an object
            type Query { a: T } type T { id: ID! }                             | T must implement Node
            type Query { a: [T!] } type T { x: Int }                           | Query.a must be a connection
            type Query { a(b: Int! = 1): Int }                                 | Query.a(b) must be nullable
            type Query { a(b: I): Int } input I { c: Int! = 1 }                | I.c must be nullable
            type Query { a: T } type T { created: DateTime }                   | T.created must be named as an instant
            type Query { a: T } type T { at: DateTime }                        | T.at must be named as an instant
            type Query { a: T } type T { currency: CurrencyCode n: Decimal }   | T must have Money
            type Query { a: T } type T { by: String }                          | T.by must be an Actor
            type Query { a: T } type T { actor: Actor }                        | T.actor must end in By
            type Query { a: T } type T implements Node { id: ID! madeBy: Actor } | T.madeBy must have madeAt beside it
            type Query { a: T } type T { timeZone: String }                    | T.timeZone must be a TimeZone
            type Query { a: Int @deprecated(reason: "Use b.") b: Int }         | Query.a must say since when
            type Query { a: Int @deprecated(reason: "Since 2026-11-30: use `Query.c`.") } | Query.a must say since when
            type Query { a(b: Int @deprecated): Int }                          | Query.a(b:) must say since when
            type Query { a(b: I): Int } input I { c: Int @deprecated d: Int }  | I.c must say since when
            type Query { a: E } enum E { A B @deprecated }                     | E.B must say since when
            type Query { a: Int }                                              | Query.a must say with @requires
            type Mutation { go(x: Int): Int }                                  | Mutation.go must say with @requires
            type Subscription { a: Int }                                       | Subscription.a must say with @requires
            type Query { a: T } type T implements Node { id: ID! }             | T must say with @requires
            type Query { a: T @requires(permission: PRICES_READ) } type T { b: U } type U @requires(permission: TASKS_READ) { c: Int } \
                                                                               | T.b must say in its description that its fields take TASKS_READ
            type Query { a: [U!] } type U implements Node @requires(permission: TASKS_READ) { id: ID! } \
                                                                               | Query.a must say in its description that its fields take TASKS_READ
            type Query { a: XConnection } type XConnection { nodes: [Int!]! }  | XConnection must have edges
            type Mutation { go(x: Int): GoPayload } type GoPayload { errors: [GoError!]! } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
            enum GoErrorCode { INVALID }                                       | Mutation.go must have one argument
            type Mutation { go(input: GoInput!): Int } input GoInput { x: Int } | Mutation.go must answer GoPayload
            type Mutation { go(input: GoInput!): GoPayload } input GoInput { x: Int } \
            type GoPayload { n: Int! errors: [GoError!]! } enum GoErrorCode { INVALID } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
                                                                               | GoPayload.n must be nullable
            type Mutation { go(input: GoInput!): GoPayload } input GoInput { x: Int } \
            type GoPayload { errors: [GoError!]! } enum GoErrorCode { NOT_ALLOWED } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
                                                                               | GoErrorCode must have INVALID
            type Mutation { go(input: GoInput!): GoPayload } input GoInput { p: [Part!] } \
            input Part { xs: [Int!] @length(max: 2) } enum GoErrorCode { INVALID } \
            type GoPayload { errors: [GoError!]! } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
                                                                   | GoErrorCode must have [LIST_TOO_LONG]
            type Mutation { go(input: GoInput!): GoPayload } input GoInput { idempotencyKey: String } \
            type GoPayload { existingGo: Int errors: [GoError!]! } enum GoErrorCode { INVALID IDEMPOTENCY_KEY_REUSED } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
                                                                               | GoPayload must have isNew
            type Mutation { go(input: GoInput!): GoPayload } input GoInput { idempotencyKey: String } \
            type GoPayload { isNew: Boolean errors: [GoError!]! } enum GoErrorCode { INVALID IDEMPOTENCY_KEY_REUSED } \
            type GoError implements UserError { code: GoErrorCode! message: String! path: [String!]! } \
                                                                               | GoPayload must lead to what the key belongs to
            """)
    void noticesWhatIsPlanted(String planted, String violation) {
        assertThat(SchemaConventions.violations(schema(BASE + planted))).anyMatch(found -> found.startsWith(violation));
    }

    @Test
    void letsPassWhatNamesItsSuccessor() {
        assertThat(SchemaConventions.violations(schema(BASE + """
                type Query {
                  a: Int @deprecated(reason: "Since 2026-11-30: use `Query.b`. It is the same.")
                  b(c: Int @deprecated(reason: "Since 2026-11-30: use `Query.b(d:)`."), d: E): Int
                }
                enum E { A B @deprecated(reason: "Since 2026-11-30: use `E.A`.") }
                """))).noneMatch(found -> found.contains("since when"));
    }

    @Test
    void letsPassWhatSaysWhatItsFieldsTakeOrTakesItItself() {
        assertThat(SchemaConventions.violations(schema(BASE + """
                type Query { a: T @requires(permission: TASKS_READ) b: T @requires(permission: TASKS_READ) c: V }
                type T { u: U }
                type U @requires(permission: TASKS_READ) { v: V }
                type V { "One. Its fields take TASKS_READ." u: U w: UConnection @requires(permission: TASKS_READ) }
                type UConnection { nodes: [U!]! }
                """)))
                .noneMatch(found -> found.contains("its fields take"));
    }

    @Test
    void permissionsAreThoseOfTheApplication() {
        assertThat(((GraphQLEnumType) Objects.requireNonNull(shipped().getType("Permission"))).getValues())
                .extracting(GraphQLEnumValueDefinition::getName)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Permission.values()).map(Enum::name).toList());
    }

    private static final String BASE = """
            scalar DateTime scalar Decimal scalar CurrencyCode scalar TimeZone directive @bounded on FIELD_DEFINITION
            directive @cost(weight: Int!) on FIELD_DEFINITION
            directive @length(max: Int!, code: String! = "LIST_TOO_LONG") on INPUT_FIELD_DEFINITION
            directive @requires(permission: Permission!) repeatable on OBJECT | FIELD_DEFINITION
            enum Permission { PRICES_READ TASKS_READ }
            interface Node { id: ID! } interface UserError { message: String! path: [String!]! } type Actor { n: Int }
            """;

    private static GraphQLSchema schema(String definitions) {
        var complete = definitions
                + (definitions.contains("type Query") ? "" : " type Query { q: Int }")
                + (definitions.contains("type Mutation") ? "" : " type Mutation { m: Int }");
        return new SchemaGenerator()
                .makeExecutableSchema(
                        new SchemaParser().parse(complete),
                        RuntimeWiring.newRuntimeWiring()
                                .wiringFactory(new MockedWiringFactory())
                                .build());
    }

    private static GraphQLSchema shipped() {
        return ApplicationServer.shared().bean(GraphQLSchema.class);
    }
}
