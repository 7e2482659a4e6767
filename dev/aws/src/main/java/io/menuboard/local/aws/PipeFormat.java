package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * The JSON in which EventBridge Pipes and Lambda pass a record of a DynamoDB stream on (EventBridge user guide,
 * "Amazon DynamoDB stream as a source").
 */
public final class PipeFormat {
    private static final JsonMapper JSON = new JsonMapper();

    private PipeFormat() {}

    /** The record as a message's body. */
    public static String of(Record record, String streamArn) {
        var change = record.dynamodb();
        var body = JSON.createObjectNode()
                .put("eventID", record.eventID())
                .put("eventName", record.eventNameAsString())
                .put("eventVersion", record.eventVersion())
                .put("eventSource", record.eventSource())
                .put("awsRegion", record.awsRegion())
                .put("eventSourceARN", streamArn);
        var dynamodb = body.putObject("dynamodb");
        if (change.approximateCreationDateTime() != null) {
            dynamodb.put(
                    "ApproximateCreationDateTime",
                    change.approximateCreationDateTime().getEpochSecond());
        }
        dynamodb.set("Keys", attributes(change.keys()));
        if (change.hasNewImage()) {
            dynamodb.set("NewImage", attributes(change.newImage()));
        }
        if (change.hasOldImage()) {
            dynamodb.set("OldImage", attributes(change.oldImage()));
        }
        dynamodb.put("SequenceNumber", change.sequenceNumber())
                .put("SizeBytes", change.sizeBytes())
                .put("StreamViewType", change.streamViewTypeAsString());
        return body.toString();
    }

    private static ObjectNode attributes(Map<String, AttributeValue> attributes) {
        var object = JSON.createObjectNode();
        attributes.forEach((name, value) -> object.set(name, value(value)));
        return object;
    }

    private static JsonNode value(AttributeValue value) {
        var typed = JSON.createObjectNode();
        return switch (value.type()) {
            case S -> typed.put("S", value.s());
            case N -> typed.put("N", value.n());
            case B -> typed.put("B", base64(value.b()));
            case BOOL -> typed.put("BOOL", value.bool());
            case NUL -> typed.put("NULL", value.nul());
            case SS -> typed.set("SS", list(value.ss(), JSON.getNodeFactory()::textNode));
            case NS -> typed.set("NS", list(value.ns(), JSON.getNodeFactory()::textNode));
            case BS ->
                typed.set("BS", list(value.bs(), bytes -> JSON.getNodeFactory().textNode(base64(bytes))));
            case L -> typed.set("L", list(value.l(), PipeFormat::value));
            case M -> typed.set("M", attributes(value.m()));
            case UNKNOWN_TO_SDK_VERSION -> throw new IllegalArgumentException(value.toString());
        };
    }

    private static <T> ArrayNode list(List<T> values, Function<T, JsonNode> write) {
        var list = JSON.createArrayNode();
        values.forEach(value -> list.add(write.apply(value)));
        return list;
    }

    private static String base64(SdkBytes bytes) {
        return Base64.getEncoder().encodeToString(bytes.asByteArrayUnsafe());
    }
}
