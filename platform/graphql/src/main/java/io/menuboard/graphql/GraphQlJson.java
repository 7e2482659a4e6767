package io.menuboard.graphql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes GraphQL responses as JSON in UTF-8, straight from graphql-java's maps and lists. */
final class GraphQlJson {
    /** Buffers for all threads together: virtual threads live for one request, thread-local ones would not be reused. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private static final int FIRST_BLOCK = 8_000;

    /** Longest answer: twice a page of 2,048 edges with 120 fields. Its document says how long the names in it are, and its lists how often they come. */
    static final int MOST_BYTES = 16 << 20;

    private static final GraphQlError TOO_LARGE = GraphQlError.of(
            "ANSWER_TOO_LARGE",
            "an answer may have at most %d MB: ask for shorter lists, or for less of each node"
                    .formatted(MOST_BYTES >> 20));

    private GraphQlJson() {}

    /** A response with data; null, and an error that says so, where it would be longer than answers may be. */
    static byte[] response(@Nullable Object data, List<GraphQlError> errors, Map<String, Object> extensions) {
        return whole(data, errors, extensions).orElseGet(GraphQlJson::tooLarge);
    }

    /** A response with data; empty where it would be longer than answers may be. */
    static Optional<byte[]> whole(@Nullable Object data, List<GraphQlError> errors, Map<String, Object> extensions) {
        try {
            return Optional.of(written(data, errors, extensions));
        } catch (TooLarge _) {
            return Optional.empty();
        }
    }

    /** Says instead that it would be longer. */
    static byte[] tooLarge() {
        return written(null, List.of(TOO_LARGE), Map.of());
    }

    private static byte[] written(@Nullable Object data, List<GraphQlError> errors, Map<String, Object> extensions) {
        return write(json -> {
            json.writeStartObject();
            if (!errors.isEmpty()) {
                writeErrors(json, errors);
            }
            json.writeFieldName("data");
            writeValue(json, data);
            writeExtensions(json, extensions);
            json.writeEndObject();
        });
    }

    /** A response to a request that was not executed: without data. */
    static byte[] response(List<GraphQlError> errors) {
        return response(errors, Map.of());
    }

    /** A response to a request that was not executed, with something to say about that. */
    static byte[] response(List<GraphQlError> errors, Map<String, Object> extensions) {
        return write(json -> {
            json.writeStartObject();
            writeErrors(json, errors);
            writeExtensions(json, extensions);
            json.writeEndObject();
        });
    }

    private static void writeExtensions(JsonGenerator json, Map<String, Object> extensions) throws IOException {
        if (!extensions.isEmpty()) {
            json.writeFieldName("extensions");
            writeValue(json, extensions);
        }
    }

    private interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private static byte[] write(Content content) {
        try (var bytes = new ByteArrayBuilder(FIRST_BLOCK)) {
            try (var json = JSON.createGenerator(new Bounded(bytes))) {
                content.writeTo(json);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class TooLarge extends UncheckedIOException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super(new IOException("longer than an answer may be"));
        }
    }

    /** Keeps what is written, up to the length that answers may have. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayBuilder bytes;

        Bounded(ByteArrayBuilder bytes) {
            this.bytes = bytes;
        }

        @Override
        public void write(int one) {
            require(1);
            bytes.write(one);
        }

        @Override
        public void write(byte[] some, int from, int count) {
            require(count);
            bytes.write(some, from, count);
        }

        private void require(int count) {
            if (bytes.size() + count > MOST_BYTES) {
                throw new TooLarge();
            }
        }
    }

    /** The errors alone, as an array. */
    static byte[] errors(List<GraphQlError> errors) {
        return write(json -> writeErrorArray(json, errors));
    }

    private static void writeErrors(JsonGenerator json, List<GraphQlError> errors) throws IOException {
        json.writeFieldName("errors");
        writeErrorArray(json, errors);
    }

    private static void writeErrorArray(JsonGenerator json, List<GraphQlError> errors) throws IOException {
        json.writeStartArray();
        for (var error : errors) {
            json.writeStartObject();
            json.writeStringField("message", error.message());
            if (error.locations() != null && !error.locations().isEmpty()) {
                json.writeArrayFieldStart("locations");
                for (var location : error.locations()) {
                    json.writeStartObject();
                    json.writeNumberField("line", location.getLine());
                    json.writeNumberField("column", location.getColumn());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            if (error.path() != null && !error.path().isEmpty()) {
                json.writeFieldName("path");
                writeValue(json, error.path());
            }
            json.writeFieldName("extensions");
            writeValue(json, error.extensions());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeValue(JsonGenerator json, @Nullable Object value) throws IOException {
        // A chain of instanceof, most frequent first: on this path a pattern switch was measurably slower.
        if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof ResponseObject object) {
            json.writeStartObject();
            for (var i = 0; i < object.size(); i++) {
                json.writeFieldName(object.name(i));
                writeValue(json, object.value(i));
            }
            json.writeEndObject();
        } else if (value instanceof Map<?, ?> object) {
            json.writeStartObject();
            for (var member : object.entrySet()) {
                json.writeFieldName((String) member.getKey());
                writeValue(json, member.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> array) {
            json.writeStartArray();
            for (var element : array) {
                writeValue(json, element);
            }
            json.writeEndArray();
        } else if (value == null) {
            json.writeNull();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof BigDecimal number) {
            json.writeNumber(number);
        } else if (value instanceof BigInteger number) {
            json.writeNumber(number);
        } else {
            throw new IllegalArgumentException("not a value of a GraphQL response: " + value.getClass());
        }
    }
}
