package io.menuboard.graphql;

import io.micronaut.http.MediaType;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two media types of a GraphQL response (GraphQL over HTTP, Media Types). */
enum ResponseType {
    /** The status says whether the request was executed. */
    GRAPHQL_RESPONSE("application/graphql-response+json", 400),
    /** The status is 200 for every well-formed request, as older clients expect. */
    JSON("application/json", 200);

    private final String name;
    private final int notExecutedStatus;

    @SuppressWarnings("ImmutableEnumChecker") // never changed once made
    private final MediaType contentType;

    ResponseType(String name, int notExecutedStatus) {
        this.name = name;
        this.notExecutedStatus = notExecutedStatus;
        this.contentType = MediaType.of(name + "; charset=utf-8");
    }

    MediaType contentType() {
        return contentType;
    }

    /** HTTP status of a well-formed request of which nothing was executed: the document or its variables are wrong. */
    int notExecutedStatus() {
        return notExecutedStatus;
    }

    /**
     * The type that the client likes best; empty if it takes neither (406). Of equal weights the more specific range
     * wins, then the earlier. A client that says nothing, or that takes anything, gets {@code application/json}:
     * the specification prefers the other type for the first of these since 2025, its audit suite (80D8) does not, and
     * old clients know only this one.
     *
     * @param accept value of the Accept header (RFC 9110, 12.5.1)
     */
    static Optional<ResponseType> negotiate(@Nullable String accept) {
        if (accept == null || accept.isBlank() || accept.equals("*/*") || accept.equals(JSON.name)) {
            return Optional.of(JSON);
        }
        if (accept.equals(GRAPHQL_RESPONSE.name)) {
            return Optional.of(GRAPHQL_RESPONSE);
        }
        var ranges = accept.split(",", -1);
        var json = Preference.of(JSON, ranges);
        var graphQl = Preference.of(GRAPHQL_RESPONSE, ranges);
        if (json.weight <= 0 && graphQl.weight <= 0) {
            return Optional.empty();
        }
        return Optional.of(graphQl.beats(json) ? GRAPHQL_RESPONSE : JSON);
    }

    /** Preference of a client for a type: the weight of the most specific range that matches it. */
    private record Preference(double weight, int specificity, int position) {
        static Preference of(ResponseType type, String[] ranges) {
            var best = new Preference(0, -1, 0);
            for (var position = 0; position < ranges.length; position++) {
                var parts = ranges[position].split(";", -1);
                var specificity = specificity(parts[0].strip().toLowerCase(Locale.ROOT), type);
                if (specificity > best.specificity && utf8(parts)) {
                    best = new Preference(weight(parts), specificity, position);
                }
            }
            return best;
        }

        boolean beats(Preference other) {
            if (weight != other.weight) {
                return weight > other.weight;
            }
            if (specificity != other.specificity) {
                return specificity > other.specificity;
            }
            return position < other.position;
        }

        private static int specificity(String range, ResponseType type) {
            if (range.equals(type.name)) {
                return 2;
            }
            return switch (range) {
                case "application/*" -> 1;
                case "*/*" -> 0;
                default -> -1;
            };
        }

        private static boolean utf8(String[] parts) {
            var charset = parameter(parts, "charset");
            return charset == null || charset.replace("\"", "").equals("utf-8");
        }

        private static double weight(String[] parts) {
            var q = parameter(parts, "q");
            if (q == null) {
                return 1;
            }
            try {
                return Double.parseDouble(q);
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        private static @Nullable String parameter(String[] parts, String name) {
            for (var i = 1; i < parts.length; i++) {
                var part = parts[i].strip().toLowerCase(Locale.ROOT);
                if (part.startsWith(name + "=")) {
                    return part.substring(name.length() + 1).strip();
                }
            }
            return null;
        }
    }
}
