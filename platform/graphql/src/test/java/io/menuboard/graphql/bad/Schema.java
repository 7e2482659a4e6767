package io.menuboard.graphql.bad;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Types of a schema, from the answer to an introspection query. */
final class Schema {
    private final Map<String, JsonNode> types = new HashMap<>();
    private final JsonNode root;

    /** @param data of the answer */
    Schema(JsonNode data) {
        root = data.path("__schema");
        root.path("types").forEach(type -> types.put(type.path("name").asText(), type));
    }

    /** Name of the root type of {@code queryType} or {@code mutationType}. */
    String root(String kind) {
        return root.path(kind).path("name").asText();
    }

    /** A type by its name. */
    JsonNode type(String name) {
        return types.getOrDefault(name, root.path("missing"));
    }

    /** Fields of an object or interface. */
    List<JsonNode> fields(String type) {
        return list(type(type).path("fields"));
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    /** The type without its lists and exclamation marks. */
    static String named(JsonNode type) {
        var inner = type;
        while (inner.hasNonNull("ofType")) {
            inner = inner.path("ofType");
        }
        return inner.path("name").asText();
    }

    static boolean isRequired(JsonNode type) {
        return kind(type).equals("NON_NULL");
    }

    static String kind(JsonNode type) {
        return type.path("kind").asText();
    }

    boolean isComposite(String type) {
        return switch (kind(type(type))) {
            case "OBJECT", "INTERFACE", "UNION" -> true;
            default -> false;
        };
    }

    /** As it is written in a document. */
    static String written(JsonNode type) {
        return switch (kind(type)) {
            case "NON_NULL" -> written(type.path("ofType")) + "!";
            case "LIST" -> "[" + written(type.path("ofType")) + "]";
            default -> type.path("name").asText();
        };
    }

    /** A field by its name; null where the type has none. */
    @Nullable
    JsonNode field(String type, String name) {
        return fields(type).stream()
                .filter(field -> field.path("name").asText().equals(name))
                .findFirst()
                .orElse(null);
    }
}
