package io.menuboard.graphql;

import io.menuboard.kernel.WeightedValue;
import io.micronaut.http.MediaType;
import java.util.List;
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
        var ranges = WeightedValue.listed(accept);
        var json = Preference.of(JSON, ranges);
        var graphQl = Preference.of(GRAPHQL_RESPONSE, ranges);
        if (json.weight <= 0 && graphQl.weight <= 0) {
            return Optional.empty();
        }
        return Optional.of(graphQl.beats(json) ? GRAPHQL_RESPONSE : JSON);
    }

    /** Preference of a client for a type: the weight of the most specific range that matches it. */
    private record Preference(double weight, int specificity, int position) {
        static Preference of(ResponseType type, List<WeightedValue> ranges) {
            var best = new Preference(0, -1, 0);
            for (var position = 0; position < ranges.size(); position++) {
                var range = ranges.get(position);
                var specificity = specificity(range.value(), type);
                if (specificity > best.specificity && utf8(range)) {
                    best = new Preference(range.weight(), specificity, position);
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

        private static boolean utf8(WeightedValue range) {
            return range.parameters().getOrDefault("charset", "utf-8").equals("utf-8");
        }
    }
}
