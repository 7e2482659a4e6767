package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Errors that are about a stream and not about what it executes. */
final class StreamErrors {
    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] BEFORE = "{\"errors\":".getBytes(US_ASCII);
    private static final byte[] AFTER = "}".getBytes(US_ASCII);

    private StreamErrors() {}

    /** Array with one GraphQL error, as its clients get it. */
    static byte[] of(String code, String message) {
        return write(json -> {
            json.writeStartArray();
            json.writeStartObject();
            json.writeStringField("message", message);
            json.writeObjectFieldStart("extensions");
            json.writeStringField("code", code);
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    /** A GraphQL response that has nothing but errors. */
    static byte[] response(byte[] errors) {
        return joined(BEFORE, errors, AFTER);
    }

    static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    static byte[] write(Content content) {
        var bytes = new ByteArrayOutputStream();
        try (var json = JSON.createGenerator(bytes)) {
            content.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
