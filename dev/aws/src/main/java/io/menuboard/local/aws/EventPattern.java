package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * An event pattern of EventBridge Pipes, which is a filter policy of SNS for the body of a message, as far as templates of
 * {@code app/deploy} use them: fields that have one of some texts, and {@code $or}.
 */
public record EventPattern(JsonNode pattern) {
    private static final String OR = "$or";

    /** Throws {@link IllegalArgumentException} for what it does not know, so that nothing is let through by mistake. */
    public EventPattern {
        check(pattern);
    }

    private static void check(JsonNode node) {
        require(node.isObject() && !node.isEmpty(), node);
        for (var field : node.properties()) {
            var value = field.getValue();
            if (field.getKey().equals(OR)) {
                require(value.isArray() && value.size() > 1, node);
                value.forEach(EventPattern::check);
            } else if (value.isArray()) {
                require(!value.isEmpty() && elements(value).stream().allMatch(JsonNode::isTextual), node);
            } else {
                check(value);
            }
        }
    }

    private static void require(boolean known, JsonNode node) {
        if (!known) {
            throw new IllegalArgumentException("no pattern that this understands: " + node);
        }
    }

    /** True if every field of the pattern is in the event, with one of the pattern's texts. */
    public boolean matches(JsonNode event) {
        return matches(pattern, event);
    }

    private static boolean matches(JsonNode pattern, JsonNode event) {
        return pattern.properties().stream()
                .allMatch(field -> field.getKey().equals(OR)
                        ? elements(field.getValue()).stream().anyMatch(either -> matches(either, event))
                        : matchesValue(field.getValue(), event.path(field.getKey())));
    }

    private static boolean matchesValue(JsonNode pattern, JsonNode value) {
        return pattern.isArray() ? elements(pattern).contains(value) : matches(pattern, value);
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
