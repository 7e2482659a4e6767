package io.menuboard.querydb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One change of one item, as the table's stream tells it.
 *
 * @param eventId the same however often the change is delivered
 * @param at when it happened, by DynamoDB's clock, in whole seconds; the same however often it is delivered
 * @param type of the item, which no change of it alters
 * @param before the item as it was; null exactly where it was {@code CREATED}
 * @param after the item as it became; null exactly where it was {@code REMOVED}, by somebody or by its TTL
 */
public record ChangeRecord(
        String eventId,
        Instant at,
        Kind kind,
        Key key,
        String type,
        @Nullable Item before,
        @Nullable Item after) {

    /** Kind of change. */
    public enum Kind {
        CREATED,
        CHANGED,
        REMOVED
    }

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Throws {@link IllegalArgumentException} when kind and items contradict each other. */
    public ChangeRecord {
        if ((before == null) != (kind == Kind.CREATED) || (after == null) != (kind == Kind.REMOVED)) {
            throw new IllegalArgumentException(
                    "change " + eventId + " of " + key + " is " + kind + " but has the wrong items");
        }
    }

    /**
     * Reads a record of a stream with new and old images, in the JSON in which EventBridge Pipes and Lambda pass it on, or in that
     * of the AWS CLI, which writes times in ISO 8601: people send such a record again.
     *
     * @throws IllegalArgumentException for anything else, naming what is wrong but no content of the item
     */
    public static ChangeRecord parse(String json) {
        var record = tree(json);
        var source = text(record, "eventSource");
        if (!source.equals("aws:dynamodb")) {
            throw new IllegalArgumentException("a change comes from aws:dynamodb, not " + source);
        }
        var kind =
                switch (text(record, "eventName")) {
                    case "INSERT" -> Kind.CREATED;
                    case "MODIFY" -> Kind.CHANGED;
                    case "REMOVE" -> Kind.REMOVED;
                    default -> throw new IllegalArgumentException("a change is no " + text(record, "eventName"));
                };
        var change = object(record, "dynamodb");
        var keys = attributes(object(change, "Keys"));
        var before = image(change, "OldImage");
        var after = image(change, "NewImage");
        var image = after == null ? before : after;
        return new ChangeRecord(
                text(record, "eventID"),
                instant(change),
                kind,
                new Key(string(keys, Item.PARTITION), string(keys, Item.SORT)),
                string(image == null ? Map.of() : image.attributes(), "type"),
                before,
                after);
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            // Without its excerpt of the text.
            e.clearLocation();
            throw new IllegalArgumentException("a change must be JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static Instant instant(JsonNode change) {
        var time = change.path("ApproximateCreationDateTime");
        if (time.isTextual()) {
            return instant(time.textValue());
        }
        var isInstant = time.isNumber() && Math.abs(time.doubleValue()) <= Instant.MAX.getEpochSecond();
        return Instant.ofEpochSecond(
                required(time, isInstant, "a time ApproximateCreationDateTime").longValue());
    }

    private static Instant instant(String iso) {
        try {
            return Instant.parse(iso).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a change needs a time in ISO 8601, or in seconds", e);
        }
    }

    private static @Nullable Item image(JsonNode change, String name) {
        return change.path(name).isMissingNode() ? null : new Item(attributes(object(change, name)));
    }

    private static Map<String, AttributeValue> attributes(JsonNode object) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        object.properties().forEach(entry -> attributes.put(entry.getKey(), value(entry.getValue())));
        return attributes;
    }

    private static AttributeValue value(JsonNode typed) {
        if (!typed.isObject() || typed.size() != 1) {
            throw new IllegalArgumentException("an attribute's value must be an object with its type only");
        }
        var entry = typed.properties().iterator().next();
        var value = entry.getValue();
        return switch (entry.getKey()) {
            case "S" -> AttributeValue.fromS(text(value));
            case "N" -> AttributeValue.fromN(text(value));
            case "B" -> AttributeValue.fromB(bytes(value));
            case "BOOL" -> AttributeValue.fromBool(flag(value));
            case "NULL" -> AttributeValue.fromNul(flag(value));
            case "SS" -> AttributeValue.fromSs(all(value, ChangeRecord::text));
            case "NS" -> AttributeValue.fromNs(all(value, ChangeRecord::text));
            case "BS" -> AttributeValue.fromBs(all(value, ChangeRecord::bytes));
            case "L" -> AttributeValue.fromL(all(value, ChangeRecord::value));
            case "M" -> AttributeValue.fromM(attributes(required(value, value.isObject(), "an object")));
            default -> throw new IllegalArgumentException("there is no type of attribute " + entry.getKey());
        };
    }

    private static String string(Map<String, AttributeValue> attributes, String name) {
        var value = attributes.get(name);
        if (value == null || value.s() == null) {
            throw new IllegalArgumentException("a change needs the string " + name);
        }
        return value.s();
    }

    private static JsonNode object(JsonNode parent, String name) {
        var child = parent.path(name);
        return required(child, child.isObject(), "an object " + name);
    }

    private static String text(JsonNode parent, String name) {
        var child = parent.path(name);
        return required(child, child.isTextual(), "a text " + name).textValue();
    }

    private static String text(JsonNode value) {
        return required(value, value.isTextual(), "a text").textValue();
    }

    private static boolean flag(JsonNode value) {
        return required(value, value.isBoolean(), "true or false").booleanValue();
    }

    private static SdkBytes bytes(JsonNode value) {
        return SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(text(value)));
    }

    private static <T> List<T> all(JsonNode value, Function<JsonNode, T> read) {
        return required(value, value.isArray(), "a list")
                .valueStream()
                .map(read)
                .toList();
    }

    private static JsonNode required(JsonNode value, boolean ok, String what) {
        if (!ok) {
            throw new IllegalArgumentException("a change needs " + what + ", not " + value.getNodeType());
        }
        return value;
    }
}
