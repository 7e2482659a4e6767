package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.language.Document;
import graphql.schema.GraphQLSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code docs/schema.graphql} is the schema, and what clients would notice of a change is announced.
 *
 * <p>With {@code -Dmenuboard.schema=write} the file is written anew.
 */
class SchemaFileTest {
    private static final Path FILE = ProjectFiles.ROOT.resolve("docs/schema.graphql");
    private static final Path ANNOUNCED = ProjectFiles.ROOT.resolve("docs/schema-changes.md");

    private static final String COMMAND = "mvn -pl dev/system -am test -Dtest=SchemaFileTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dmenuboard.schema=write";

    @Test
    void isTheSchema() throws IOException {
        var current = SchemaText.print(ApplicationServer.shared().bean(GraphQLSchema.class));
        var file = Files.exists(FILE) ? Files.readString(FILE) : current;
        var changes = SchemaChanges.between(SchemaText.parse(file), SchemaText.parse(current));

        assertThat(unannounced(changes, Files.readString(ANNOUNCED)))
                .as(
                        "changes that break clients. Deprecate for two releases, and announce each in %s:%n- `…`",
                        ANNOUNCED)
                .isEmpty();
        if ("write".equals(System.getProperty("menuboard.schema"))) {
            Files.writeString(FILE, current);
        }
        assertThat(FILE)
                .as("the schema; write it with%n%s%nDangerous: %s", COMMAND, changes.dangerous())
                .content()
                .isEqualTo(current);
    }

    /** Changes without a line in the file: {@code - 2026-11-30: `Task.key is gone`, ask for id}. */
    private static List<String> unannounced(SchemaChanges changes, String announced) {
        return changes.breaking().stream()
                .filter(change -> !announced.contains("`" + change + "`"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type T { a: Int b: Int }               | type T { a: Int }                     | T.b is gone
            type T { a: Int } type U { b: Int }    | type T { a: Int }                     | U is gone
            type T { a: Int }                      | interface T { a: Int }                | T was type and is interface
            type T { a: Int }                      | type T { a: String }                  | T.a was Int and is String
            type T { a: Int! }                     | type T { a: Int }                     | T.a was Int! and is Int
            type T { a: [Int!]! }                  | type T { a: [Int]! }                  | T.a was [Int!]! and is [Int]!
            type T { a: Int }                      | type T { a: [Int] }                   | T.a was Int and is [Int]
            type T { a(x: Int, y: Int): Int }      | type T { a(x: Int, z: Int): Int }     | T.a(y:) is gone
            type T { a(x: Int): Int }              | type T { a(x: Int!): Int }            | T.a(x:) was Int and is Int!
            type T { a: Int }                      | type T { a(x: Int!): Int }            | T.a(x:) is new and has to be given
            input T { a: Int }                     | input T { a: Int b: Int! }            | T.b is new and has to be given
            input T { a: Int b: Int }              | input T { a: Int }                    | T.b is gone
            enum T { A B }                         | enum T { A }                          | T.B is gone
            type T { a: Int b: Int @deprecated }   | type T { a: Int }                     | T.b is gone
            type T { a(x: Int @deprecated): Int }  | type T { a: Int }                     | T.a(x:) is gone
            enum T { A B @deprecated }             | enum T { A }                          | T.B is gone
            interface N { a: Int } type T implements N { a: Int } | interface N { a: Int } type T { a: Int } | T as N is gone
            'type A { a: Int } type B { a: Int } union T = A | B' | type A { a: Int } type B { a: Int } union T = A | B as T is gone
            """)
    void namesWhatBreaksClients(String before, String after, String change) {
        var changes = SchemaChanges.between(parse(before), parse(after));

        assertThat(changes.breaking()).containsExactly(change);
        assertThat(unannounced(changes, "- 2026-11-30: `" + change + "`, as nobody asked for it\n"))
                .isEmpty();
        assertThat(unannounced(changes, "- 2026-11-30: `X.y is gone`\n")).containsExactly(change);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            enum T { A }                           | enum T { A B }                        | T.B is new
            type T { a(x: Int = 1): Int }          | type T { a(x: Int = 2): Int }         | T.a(x:) had the default 1 and has the default 2
            input T { a: Int }                     | input T { a: Int = 1 }                | T.a had no default and has the default 1
            interface N { a: Int } type T { a: Int } | interface N { a: Int } type T implements N { a: Int } | T as N is new
            """)
    void namesWhatIsDangerous(String before, String after, String change) {
        var changes = SchemaChanges.between(parse(before), parse(after));

        assertThat(changes.breaking()).isEmpty();
        assertThat(changes.dangerous()).containsExactly(change);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type T { a: Int b: Int }               | type T { a: Int b: Int @deprecated }
            type T { a: Int }                      | type T { a: Int! b: Int }
            type T { a: Int }                      | type T { a(x: Int, y: Int! = 1): Int }
            input T { a: Int! }                    | input T { a: Int b: Int }
            type T { a: Int }                      | type T { "described" a: Int } type U { b: Int }
            """)
    void letsPassWhatClientsDoNotNotice(String before, String after) {
        var changes = SchemaChanges.between(parse(before), parse(after));

        assertThat(changes.breaking()).isEmpty();
        assertThat(changes.dangerous()).isEmpty();
    }

    private static Document parse(String text) {
        return SchemaText.parse(text);
    }
}
