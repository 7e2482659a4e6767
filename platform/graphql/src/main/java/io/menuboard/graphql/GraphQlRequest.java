package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A well-formed GraphQL-over-HTTP request: its parameters have the right types, its document may still be wrong.
 * Of {@code extensions}, {@code persistedQuery} and {@code cost} are read; other parameters are ignored.
 * {@link PersistedDocuments} finds the document where there is none.
 *
 * @param document source text, the parameter called {@code query}; null only where there is one of the next two
 * @param documentId names a document instead
 * @param sha256Hash of the document, in lower-case hexadecimal digits; beside it or instead
 * @param operationName absent where the client sent none, null or the empty string
 * @param variables raw values as JSON has them; numbers with a fraction are exact decimals
 * @param wantsCost whether the answer is to say what it cost: {@code extensions} has {@code "cost": true}
 */
record GraphQlRequest(
        @Nullable String document,
        @Nullable String documentId,
        @Nullable String sha256Hash,
        @Nullable String operationName,
        Map<String, Object> variables,
        boolean wantsCost) {

    private static final int MAX_NESTING = 100;
    private static final Set<String> PARAMETERS =
            Set.of("query", "documentId", "operationName", "variables", "extensions");
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxNumberLength(2 * Numbers.MAX_DIGITS)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();
    private static final ObjectMapper MAPPER =
            new ObjectMapper(JSON).enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Reads the body of a POST. Throws {@link RefusedRequest} with status 400. */
    static GraphQlRequest fromJson(byte[] body) {
        if (body.length == 0) {
            throw malformed("the body is missing: send a JSON object with the member query");
        }
        try (var parser = MAPPER.createParser(body)) {
            var first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                throw malformed("a batch of requests is not supported: send each as a request of its own");
            }
            if (first != JsonToken.START_OBJECT) {
                throw malformed("the body must be a JSON object");
            }
            String document = null;
            String documentId = null;
            String operationName = null;
            Map<String, Object> variables = Map.of();
            Map<String, Object> extensions = Map.of();
            for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                switch (name) {
                    case "query" -> document = string(parser, name);
                    case "documentId" -> documentId = string(parser, name);
                    case "operationName" -> operationName = string(parser, name);
                    case "variables" -> variables = object(parser, name);
                    case "extensions" -> extensions = object(parser, name);
                    default -> parser.skipChildren();
                }
            }
            if (parser.nextToken() != null) {
                throw malformed("the body must be one JSON object and nothing after it");
            }
            return of(document, documentId, extensions, operationName, variables);
        } catch (JsonProcessingException e) {
            throw unreadable("the body", e);
        } catch (CharConversionException _) {
            throw malformed("the body is not JSON: it must be UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the query string of a GET, which is {@code application/x-www-form-urlencoded} in UTF-8. Throws
     * {@link RefusedRequest} with status 400.
     *
     * @param query the part of the URL after the question mark, still encoded; null if there is none
     */
    static GraphQlRequest fromUrl(@Nullable String query) {
        var parameters = new HashMap<String, String>();
        if (query != null) {
            for (var pair : query.split("&", -1)) {
                var equals = pair.indexOf('=');
                var name = decode(equals < 0 ? pair : pair.substring(0, equals));
                var value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                if (PARAMETERS.contains(name) && parameters.put(name, value) != null) {
                    throw malformed("the parameter " + name + " is given more than once");
                }
            }
        }
        return of(
                parameters.get("query"),
                parameters.get("documentId"),
                objectOf(parameters.get("extensions"), "extensions"),
                parameters.get("operationName"),
                objectOf(parameters.get("variables"), "variables"));
    }

    private static GraphQlRequest of(
            @Nullable String document,
            @Nullable String documentId,
            Map<String, Object> extensions,
            @Nullable String operationName,
            Map<String, Object> variables) {
        var sha256Hash = sha256Hash(extensions.get("persistedQuery"));
        if (document == null && documentId == null && sha256Hash == null) {
            throw malformed("the parameter query is missing");
        }
        if (documentId != null && (document != null || sha256Hash != null)) {
            throw malformed("documentId stands instead of query and extensions.persistedQuery, not beside them");
        }
        var named = operationName != null && !operationName.isEmpty();
        return new GraphQlRequest(
                document,
                documentId,
                sha256Hash,
                named ? operationName : null,
                variables,
                Boolean.TRUE.equals(extensions.get("cost")));
    }

    /** As Apollo's clients send it for an automatic persisted query. */
    private static @Nullable String sha256Hash(@Nullable Object persistedQuery) {
        if (persistedQuery == null) {
            return null;
        }
        if (!(persistedQuery instanceof Map<?, ?> members)
                || !(members.get("version") instanceof Integer version)
                || version != 1) {
            throw malformed("extensions.persistedQuery must be an object with the version 1");
        }
        if (!(members.get("sha256Hash") instanceof String hash)
                || !SHA_256.matcher(hash).matches()) {
            throw malformed("extensions.persistedQuery.sha256Hash must be 64 hexadecimal digits");
        }
        return hash.toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> objectOf(@Nullable String json, String name) {
        if (json == null || json.isEmpty()) {
            return Map.of();
        }
        try (var parser = MAPPER.createParser(json)) {
            parser.nextToken();
            var object = object(parser, name);
            if (parser.nextToken() != null) {
                throw malformed("the parameter " + name + " must be one JSON object and nothing after it");
            }
            return object;
        } catch (JsonProcessingException e) {
            throw unreadable("the parameter " + name, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String string(JsonParser parser, String name) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> null;
            default -> throw malformed("the parameter " + name + " must be a string");
        };
    }

    private static Map<String, Object> object(JsonParser parser, String name) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> read = parser.readValueAs(MAP);
                Numbers.requireShort(name, read);
                yield read;
            }
            case VALUE_NULL -> Map.of();
            case null, default -> throw malformed("the parameter " + name + " must be a JSON object");
        };
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("the query string has a broken percent-encoding");
        }
    }

    private static RefusedRequest unreadable(String what, JsonProcessingException e) {
        return e instanceof StreamConstraintsException && e.getOriginalMessage().startsWith("Number")
                ? Numbers.refused("a number of " + what)
                : malformed(what + " is not JSON: " + problem(e));
    }

    /** Jackson's message without the excerpt of the source. */
    private static String problem(JsonProcessingException e) {
        var location = e.getLocation();
        return location == null
                ? e.getOriginalMessage()
                : e.getOriginalMessage() + " (line " + location.getLineNr() + ", column " + location.getColumnNr()
                        + ")";
    }

    private static RefusedRequest malformed(String message) {
        return new RefusedRequest(400, "BAD_REQUEST", message);
    }
}
