package io.menuboard.graphql;

import io.menuboard.kernel.InvalidInput;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code id} of a node: unique over all types, and the same for as long as the node exists (GraphQL Global Object
 * Identification). It is written as the name of the type, {@code #}, and the key of the node in it, which no id of a
 * business can be mistaken for, as none has a {@code #}: {@code Store#DE-0001}. Clients take it as it is.
 *
 * @param type name of an object type
 * @param key what identifies the node in its type; parts of it have {@code #} between them
 */
public record GlobalId(String type, String key) {
    private static final char SEPARATOR = '#';

    /** Empty for what is not written as a global id, such as the id of a business. */
    public static Optional<GlobalId> parse(String text) {
        var separator = text.indexOf(SEPARATOR);
        return separator < 1
                ? Optional.empty()
                : Optional.of(new GlobalId(text.substring(0, separator), text.substring(separator + 1)));
    }

    /**
     * Key of what an argument of type {@code ID} names: clients may pass a node's global id or its key alone.
     *
     * @param type name of the object type that the argument is about
     * @param argument which {@link InvalidInput} {@code INVALID_ID} blames for the global id of another type
     */
    public static String keyOf(String type, String argument, String text) {
        return parse(text)
                .map(id -> {
                    if (!id.type.equals(type)) {
                        throw new InvalidInput("INVALID_ID", argument, "must be the id of a " + type);
                    }
                    return id.key;
                })
                .orElse(text);
    }

    /** As {@link #keyOf}; null for null. */
    public static @Nullable String keyOrNull(String type, String argument, @Nullable String text) {
        return text == null ? null : keyOf(type, argument, text);
    }

    /** As clients see it. */
    @Override
    public String toString() {
        return type + SEPARATOR + key;
    }
}
