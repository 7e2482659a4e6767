package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/** The application on a free port, with the sample schema, and a client that says nothing that a test did not say. */
final class SampleServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedServer server;

    private SampleServer(EmbeddedServer server) {
        this.server = server;
    }

    static SampleServer start() {
        return start(Map.of());
    }

    static SampleServer start(Map<String, Object> properties) {
        var all = new HashMap<>(properties);
        all.put("micronaut.server.port", -1);
        // As the application has them.
        all.put("graphql.graphql-ws.enabled", false);
        all.put("graphql.graphql-apollo-ws.enabled", false);
        all.put("micronaut.server.max-request-buffer-size", "${menuboard.graphql.max-body-bytes:1MB}");
        return new SampleServer(ApplicationContext.run(EmbeddedServer.class, all, SampleGraphQl.ENVIRONMENT));
    }

    URI graphQl() {
        return server.getURI().resolve("/graphql");
    }

    <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    /** Executes a document as a modern client would. */
    Answer execute(String document) {
        return execute(document, Map.of());
    }

    Answer execute(String document, Map<String, Object> variables) {
        return post(json(Map.of("query", document, "variables", variables)));
    }

    Answer post(String body) {
        return send(HttpRequest.newBuilder(graphQl())
                .header("Content-Type", "application/json")
                .header("Accept", "application/graphql-response+json")
                .POST(BodyPublishers.ofString(body)));
    }

    Answer get(String document) {
        return send(HttpRequest.newBuilder(URI.create(graphQl() + "?query=" + URLEncoder.encode(document, UTF_8)))
                .header("Accept", "application/graphql-response+json"));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }

    record Answer(HttpResponse<String> http) {
        int status() {
            return http.statusCode();
        }

        String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        JsonNode body() {
            try {
                return JSON.readTree(http.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Data of an answer that must not have errors. */
        JsonNode data() {
            if (body().has("errors")) {
                throw new AssertionError(http.body());
            }
            return body().path("data");
        }

        JsonNode error() {
            return body().path("errors").path(0);
        }

        /** Code of the only error. */
        String code() {
            if (body().path("errors").size() != 1) {
                throw new AssertionError(http.body());
            }
            return error().path("extensions").path("code").asText();
        }
    }
}
