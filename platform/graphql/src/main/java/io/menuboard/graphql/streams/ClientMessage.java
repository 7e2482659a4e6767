package io.menuboard.graphql.streams;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Message of a client by graphql-transport-ws.
 *
 * @param id of the operation that it is about; null for messages about none
 * @param payload JSON object, as it was sent; null where there is none
 */
record ClientMessage(
        Type type, @Nullable String id, @Nullable Json payload) {
    /** A message arrives in UTF-8, whatever its first bytes look like. */
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    private static final int MAX_ID = 256;

    /** What clients may send. */
    enum Type {
        CONNECTION_INIT,
        PING,
        PONG,
        SUBSCRIBE,
        COMPLETE;

        private static @Nullable Type of(@Nullable String name) {
            return switch (name) {
                case "connection_init" -> CONNECTION_INIT;
                case "ping" -> PING;
                case "pong" -> PONG;
                case "subscribe" -> SUBSCRIBE;
                case "complete" -> COMPLETE;
                case null, default -> null;
            };
        }

        private boolean isAboutOperation() {
            return this == SUBSCRIBE || this == COMPLETE;
        }
    }

    /** It is no such message; says why, in few words. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Malformed(String rule) {
            super(rule, null, false, false);
        }
    }

    /** Reads one; throws {@link Malformed}. */
    static ClientMessage of(byte[] text) {
        try (var json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new Malformed("a message is a JSON object");
            }
            Type type = null;
            String id = null;
            Json payload = null;
            for (var name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                var value = json.nextToken();
                switch (name) {
                    case "type" -> type = value == JsonToken.VALUE_STRING ? Type.of(json.getText()) : null;
                    case "id" -> id = value == JsonToken.VALUE_STRING ? json.getText() : null;
                    case "payload" -> payload = payload(json, text);
                    default -> json.skipChildren();
                }
            }
            return checked(type, id, payload);
        } catch (IOException e) {
            throw new Malformed("the message is not JSON");
        }
    }

    private static ClientMessage checked(@Nullable Type type, @Nullable String id, @Nullable Json payload) {
        if (type == null) {
            throw new Malformed("the type of the message is unknown");
        }
        if (type.isAboutOperation() && (id == null || id.isEmpty() || id.length() > MAX_ID)) {
            throw new Malformed("id must be a string of 1 to " + MAX_ID + " characters");
        }
        if (type == Type.SUBSCRIBE && payload == null) {
            throw new Malformed("payload must be an object with query");
        }
        return new ClientMessage(type, id, payload);
    }

    private static @Nullable Json payload(JsonParser json, byte[] text) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return null;
        }
        var begin = (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        return Json.of(
                Arrays.copyOfRange(text, begin, (int) json.currentLocation().getByteOffset()));
    }
}
