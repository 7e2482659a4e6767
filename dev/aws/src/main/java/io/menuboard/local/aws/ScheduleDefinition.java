package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.menuboard.local.aws.LocalHttp.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;

/** Checks what a request says of a schedule, in the words of the service. */
final class ScheduleDefinition {
    private static final Pattern AT = Pattern.compile("at\\((\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2})\\)");
    private static final Pattern ROLE = Pattern.compile("arn:aws:iam::\\d{12}:role/.+");
    private static final int MAX_EVENT_AGE_SECONDS = 86_400;
    private static final int MIN_EVENT_AGE_SECONDS = 60;
    private static final int MAX_RETRIES = 185;
    private static final int MAX_WINDOW_MINUTES = 1440;

    private ScheduleDefinition() {}

    /** Definition in a request, with the defaults of what it leaves out. */
    static ObjectNode of(JsonNode body) {
        var definition = LocalHttp.object();
        definition.put("ScheduleExpression", required(body, "ScheduleExpression"));
        definition.put(
                "ScheduleExpressionTimezone",
                body.path("ScheduleExpressionTimezone").asText("UTC"));
        definition.put("State", oneOf(body, "State", List.of("ENABLED", "DISABLED")));
        definition.put("ActionAfterCompletion", oneOf(body, "ActionAfterCompletion", List.of("NONE", "DELETE")));
        for (var optional : List.of("Description", "StartDate", "EndDate", "KmsKeyArn")) {
            if (body.hasNonNull(optional)) {
                definition.set(optional, body.get(optional));
            }
        }
        definition.set("FlexibleTimeWindow", window(body.path("FlexibleTimeWindow")));
        definition.set("Target", target(body.path("Target")));
        return definition;
    }

    private static JsonNode window(JsonNode window) {
        var mode = required(window, "Mode");
        var minutes = window.path("MaximumWindowInMinutes").asInt(0);
        if (!List.of("OFF", "FLEXIBLE").contains(mode)
                || mode.equals("FLEXIBLE") != (minutes >= 1 && minutes <= MAX_WINDOW_MINUTES)) {
            throw invalid("flexibleTimeWindow", window.toString(), "Member must be OFF, or FLEXIBLE with its minutes");
        }
        return window;
    }

    private static JsonNode target(JsonNode target) {
        requirePattern("target.arn", required(target, "Arn"), ScheduleDelivery.QUEUE, "an SQS queue");
        requirePattern("target.roleArn", required(target, "RoleArn"), ROLE, "an IAM role");
        if (target.path("DeadLetterConfig").hasNonNull("Arn")) {
            requirePattern(
                    "target.deadLetterConfig.arn",
                    target.path("DeadLetterConfig").path("Arn").asText(),
                    ScheduleDelivery.QUEUE,
                    "an SQS queue");
        }
        var checked = ((ObjectNode) target).deepCopy();
        var policy = LocalHttp.object();
        policy.put(
                "MaximumEventAgeInSeconds",
                number(
                        target.path("RetryPolicy"),
                        "MaximumEventAgeInSeconds",
                        MIN_EVENT_AGE_SECONDS,
                        MAX_EVENT_AGE_SECONDS));
        policy.put("MaximumRetryAttempts", number(target.path("RetryPolicy"), "MaximumRetryAttempts", 0, MAX_RETRIES));
        checked.set("RetryPolicy", policy);
        return checked;
    }

    private static int number(JsonNode parent, String field, int min, int max) {
        var number = parent.path(field).asInt(max);
        if (number < min || number > max) {
            throw invalid(field, "" + number, "Member must be between " + min + " and " + max);
        }
        return number;
    }

    private static String required(JsonNode parent, String field) {
        if (!parent.path(field).isTextual()) {
            throw invalid(field, "null", "Member must not be null");
        }
        return parent.path(field).textValue();
    }

    private static String oneOf(JsonNode body, String field, List<String> values) {
        var value = body.path(field).asText(values.getFirst());
        if (!values.contains(value)) {
            throw invalid(field, value, "Member must satisfy enum value set: " + values);
        }
        return value;
    }

    /** The time that an expression means. */
    static Instant at(JsonNode definition) {
        var expression = definition.path("ScheduleExpression").asText();
        var matcher = AT.matcher(expression);
        try {
            if (matcher.matches()) {
                return LocalDateTime.parse(matcher.group(1))
                        .atZone(ZoneId.of(
                                definition.path("ScheduleExpressionTimezone").asText()))
                        .toInstant();
            }
        } catch (DateTimeException _) {
            // A date or a zone that does not exist.
        }
        throw new Refusal(400, "ValidationException", "Invalid Schedule Expression " + expression + ".");
    }

    static void requirePattern(String field, String value, Pattern pattern, String rule) {
        if (!pattern.matcher(value).matches()) {
            throw invalid(field, value, "Member must satisfy regular expression pattern: " + rule);
        }
    }

    static Refusal invalid(String field, String value, String rule) {
        return new Refusal(
                400,
                "ValidationException",
                "1 validation error detected: Value '" + value + "' at '" + field + "' failed to satisfy constraint: "
                        + rule);
    }
}
