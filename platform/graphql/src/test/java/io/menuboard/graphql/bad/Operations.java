package io.menuboard.graphql.bad;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Operations on a schema: most of them well formed with something wrong in it, some broken altogether. */
final class Operations {
    private static final List<String> TOKENS = List.of(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "!",
            "$",
            "...",
            "@",
            ":",
            "|",
            "&",
            "#",
            "\"",
            "\"\"\"",
            "\\",
            "\0",
            ",",
            "\uFEFF",
            "\u202E",
            "query",
            "mutation",
            "subscription",
            "fragment x on Query",
            "on",
            "null",
            "@skip(if: true)",
            "@include",
            "@defer",
            "@nonsense(a: 1)",
            "@cost(weight: 0)",
            "__typename",
            "__schema{types{name}}",
            "\"\\uD800\"",
            "\"\\u{110000}\"",
            "-",
            "1.",
            "01",
            "1e",
            "$v: Int = \"x\"",
            "type Query { a: Int }",
            "extend type Query { a: Int }");

    private final Schema schema;
    private final Values values;
    private final Map<String, @Nullable Object> variables = new LinkedHashMap<>();
    private final List<String> declared = new ArrayList<>();
    private final List<String> fragments = new ArrayList<>();
    private final int badness;

    Operations(Schema schema, Values values) {
        this.schema = schema;
        this.values = values;
        badness = values.any(List.of(2, 10, 10, 25, 60));
    }

    /**
     * An operation.
     *
     * @param changes whether it is a mutation
     */
    record Operation(String document, Map<String, @Nullable Object> variables, boolean changes) {

        /** The body of a request, in JSON. */
        String json() {
            var body = new LinkedHashMap<String, @Nullable Object>();
            body.put("query", document);
            body.put("variables", variables);
            return Text.json(body);
        }
    }

    /** The next one. */
    Operation next() {
        if (values.chance(6)) {
            return new Operation(shape(), Map.of(), false);
        }
        var changes = values.chance(40);
        var root = schema.root(changes ? "mutationType" : "queryType");
        var fields = new StringBuilder();
        for (var i = values.chance(80) ? 1 : 1 + values.number(6); i > 0; i--) {
            fields.append(" f").append(i).append(": ").append(field(values.any(schema.fields(root)), 0));
        }
        var document = (changes ? "mutation M" : "query Q")
                + (declared.isEmpty() ? "" : declared.stream().collect(Collectors.joining(", ", "(", ")")))
                + " {" + fields + " } " + String.join(" ", fragments);
        if (values.chance(badness / 4)) {
            variables.put(values.any(List.of("nonsense", "", "v0", "$v0")), values.text());
        }
        return new Operation(values.chance(12) ? broken(document) : document, variables, changes);
    }

    private String field(JsonNode field, int depth) {
        var name = field.path("name").asText();
        var arguments = new ArrayList<String>();
        for (var argument : Schema.list(field.path("args"))) {
            var type = argument.path("type");
            if (Schema.isRequired(type) ? !values.chance(badness / 4) : values.chance(35)) {
                arguments.add(argument.path("name").asText() + ": " + given(type));
            }
        }
        if (values.chance(badness / 8)) {
            arguments.add("nonsense: " + Text.graphQl(values.text()));
        }
        return name
                + (arguments.isEmpty() ? "" : "(" + String.join(", ", arguments) + ")")
                + (values.chance(3) ? " " + values.any(List.of("@skip(if: false)", "@include(if: null)", "@x")) : "")
                + selection(Schema.named(field.path("type")), depth + 1);
    }

    /** The value in place, or a variable. */
    private String given(JsonNode type) {
        var value = values.of(type, badness, 0);
        if (values.chance(50)) {
            return Text.graphQl(value);
        }
        var name = "v" + declared.size();
        var written = values.chance(badness / 6)
                ? values.any(List.of("Int", "[String]", "Query", "Nonsense!", "[[ID!]!]!"))
                : Schema.written(type);
        declared.add("$" + name + ": " + written + (values.chance(badness / 6) ? " = " + Text.graphQl(value) : ""));
        if (!values.chance(badness / 6)) {
            variables.put(name, value);
        }
        return "$" + name;
    }

    private String selection(String type, int depth) {
        if (!schema.isComposite(type)) {
            return values.chance(badness / 10) ? " { a }" : "";
        }
        if (values.chance(badness / 12)) {
            return "";
        }
        var chosen = new ArrayList<String>();
        chosen.add("__typename");
        var errors = schema.field(type, "errors");
        if (errors != null) {
            chosen.add("errors { __typename ... on UserError { message path } }");
        }
        for (var field : schema.fields(type)) {
            var composite = schema.isComposite(Schema.named(field.path("type")));
            if (!field.path("name").asText().equals("errors") && values.chance(composite ? 40 - 9 * depth : 50)) {
                chosen.add(values.chance(40) ? "c" + chosen.size() + ": " + field(field, depth) : plain(field, depth));
            }
        }
        if (values.chance(badness / 8)) {
            chosen.add(values.any(
                    List.of("nonsense", "__schema", "... on Nonsense { a }", "...nowhere", "... on Query { a }")));
        }
        if (values.chance(8)) {
            var fragment = "F" + fragments.size();
            fragments.add("fragment " + fragment + " on " + type + " { " + String.join(" ", chosen) + " }");
            return " { ..." + fragment + " ..." + fragment + " }";
        }
        return " { " + String.join(" ", chosen) + " }";
    }

    private String plain(JsonNode field, int depth) {
        return field.path("args").isEmpty() || depth > 2
                ? field.path("name").asText() + selection(Schema.named(field.path("type")), depth + 1)
                : field(field, depth);
    }

    private String broken(String document) {
        var out = new StringBuilder(document);
        for (var i = 1 + values.number(3); i > 0; i--) {
            var at = values.number(out.length() + 1);
            switch (values.number(4)) {
                case 0 -> out.setLength(at);
                case 1 -> out.delete(at, Math.min(out.length(), at + 1 + values.number(8)));
                default -> out.insert(at, values.any(TOKENS));
            }
        }
        return out.toString();
    }

    /** Documents whose form is the trouble. */
    private String shape() {
        var n = 1 << values.number(13);
        return switch (values.number(11)) {
            case 0 -> "{ a ".repeat(n) + "}".repeat(n);
            case 1 -> "{ __typename ".repeat(Math.min(n, 300)) + "}".repeat(Math.min(n, 300));
            case 2 ->
                "{"
                        + IntStream.range(0, n)
                                .mapToObj(i -> " a" + i + ": __typename")
                                .collect(Collectors.joining()) + "}";
            case 3 ->
                IntStream.range(0, Math.min(n, 2_000))
                        .mapToObj(i -> "fragment f" + i + " on Query { ...f" + (i + 1) + " ...f" + (i + 1) + " }")
                        .collect(Collectors.joining(" ", "{ ...f0 } ", ""));
            case 4 -> "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }";
            case 5 -> "query A { __typename } ".repeat(Math.min(n, 2_000));
            case 6 -> "{ node(id: " + "[".repeat(n) + "]".repeat(n) + ") { id } }";
            case 7 ->
                "{ node(id: \""
                        + values.any(List.of("x", "\\uD800", "é", "\\\\")).repeat(n) + "\") { id } }";
            case 8 -> "{ __typename " + "@include(if: true) ".repeat(n) + "}";
            case 9 ->
                values.any(List.of(
                        "", " ", "#", ",", "{}", "{", "\"\"\"", "subscription { a }", "query", "null", "\uFEFF"));
            default -> "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }";
        };
    }
}
