package io.menuboard.local.aws;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccessJob;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * Keys and indexes of tables, as DynamoDB Local parses them from JSON once or twice for each item that it reads or writes:
 * nearly half of what its one thread did. Remembered by that JSON. Only jobs that read them use this mapper; those that change
 * them have another.
 */
final class RememberedSchemas extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;
    /** A few: comparing is cheaper here than hashing. */
    private static final List<Known> KNOWN = new CopyOnWriteArrayList<>();

    private RememberedSchemas(JsonDeserializer<?> parsing) {
        super(parsing);
    }

    /** To be called before the first item is read. */
    static void remember() {
        mapper().enable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
                .registerModule(new SimpleModule("remembered").setDeserializerModifier(new BeanDeserializerModifier() {
                    @Override
                    public JsonDeserializer<?> modifyDeserializer(
                            DeserializationConfig config, BeanDescription type, JsonDeserializer<?> parsing) {
                        return type.getBeanClass() == TableSchemaInfo.class ? new RememberedSchemas(parsing) : parsing;
                    }
                }));
    }

    static ObjectMapper mapper() {
        try {
            var field = SQLiteDBAccessJob.class.getDeclaredField("MAPPER");
            field.setAccessible(true);
            return (ObjectMapper) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another version of DynamoDB Local parses its tables elsewhere", e);
        }
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> parsing) {
        return new RememberedSchemas(parsing);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        var json = (byte[]) parser.currentLocation().contentReference().getRawContent();
        for (var known : KNOWN) {
            if (Arrays.equals(known.json, json)) {
                return known.schema;
            }
        }
        var schema = super.deserialize(parser, context);
        KNOWN.add(new Known(json, schema));
        return schema;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    private record Known(byte[] json, Object schema) {}
}
