package io.menuboard.graphql;

import graphql.ErrorClassification;
import graphql.GraphQLError;
import graphql.execution.ResultPath;
import graphql.language.SourceLocation;
import io.menuboard.kernel.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error whose message and extensions go to the client as they are.
 *
 * @param extensions with {@code code}, always
 */
@SuppressWarnings("serial") // graphql-java makes every error serializable; nobody serializes ours
record GraphQlError(
        String message,
        Map<String, Object> extensions,
        @Nullable List<SourceLocation> locations,
        @Nullable List<Object> path)
        implements GraphQLError {
    private static final int MAX_EXCERPT = 300;
    private static final int EXCERPT_END = 100;

    static GraphQlError of(String code, String message) {
        return new GraphQlError(message, Map.of("code", code), null, null);
    }

    /** Extensions with a code and one thing more, in this order. */
    static Map<String, Object> extensions(String code, String name, Object value) {
        var extensions = new LinkedHashMap<String, Object>();
        extensions.put("code", code);
        extensions.put(name, value);
        return extensions;
    }

    /** An error of one field, at the place where the document asks for it. */
    static GraphQlError at(
            ResultPath path, @Nullable SourceLocation location, String message, Map<String, Object> extensions) {
        return new GraphQlError(message, extensions, location == null ? null : List.of(location), path.toList());
    }

    /** The text, without its middle where it is long: an error must not be larger than what is wrong. */
    static String excerpt(String text) {
        if (text.length() <= MAX_EXCERPT) {
            return text;
        }
        var end = text.length() - EXCERPT_END;
        return Texts.cut(text, MAX_EXCERPT - EXCERPT_END) + " … "
                + text.substring(Character.isLowSurrogate(text.charAt(end)) ? end + 1 : end);
    }

    String code() {
        return String.valueOf(extensions.get("code"));
    }

    @Override
    public String getMessage() {
        return message;
    }

    @Override
    public @Nullable List<SourceLocation> getLocations() {
        return locations;
    }

    @Override
    public @Nullable List<Object> getPath() {
        return path;
    }

    @Override
    public Map<String, Object> getExtensions() {
        return extensions;
    }

    @Override
    public ErrorClassification getErrorType() {
        return ErrorClassification.errorClassification(code());
    }
}
