package io.menuboard.graphql.bad;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as they are written in documents and in JSON, also those that no library would write. */
final class Text {
    private Text() {}

    /** In JSON. A lone surrogate is escaped, as it cannot be sent. */
    static String json(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> quoted(entry.getKey().toString()) + ":" + json(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(Text::json).collect(Collectors.joining(",", "[", "]"));
            case Values.Literal literal ->
                literal.text().matches("-?[0-9].*") ? literal.text() : quoted(literal.text());
            case String text -> quoted(text);
            case null -> "null";
            default -> value.toString();
        };
    }

    /** In a document. */
    static String graphQl(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + graphQl(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(Text::graphQl).collect(Collectors.joining(",", "[", "]"));
            case Values.Literal literal -> literal.text();
            case String text -> quoted(text);
            case null -> "null";
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ' || Character.isSurrogate((char) c)) {
                out.append("\\u%04x".formatted(c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
