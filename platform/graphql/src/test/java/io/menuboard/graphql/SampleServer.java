package io.menuboard.graphql;

import io.menuboard.graphql.GraphQlServer.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;

/** A server with the sample schema, asked as modern clients ask: they take GraphQL's own media type. */
final class SampleServer implements AutoCloseable {
    private final GraphQlServer server;

    private SampleServer(GraphQlServer server) {
        this.server = server;
    }

    /** The one for tests that set nothing up. Started at the first call, never stopped. */
    static SampleServer shared() {
        return Shared.INSTANCE;
    }

    static SampleServer start() {
        return start(Map.of());
    }

    static SampleServer start(Map<String, Object> properties) {
        return new SampleServer(GraphQlServer.start(properties, List.of(SampleGraphQl.ENVIRONMENT)));
    }

    URI graphQl() {
        return server.graphQl();
    }

    <T> T bean(Class<T> type) {
        return server.bean(type);
    }

    Answer execute(String document) {
        return execute(document, Map.of());
    }

    Answer execute(String document, Map<String, Object> variables) {
        return post(GraphQlServer.json(Map.of("query", document, "variables", variables)));
    }

    Answer post(String body) {
        return send(HttpRequest.newBuilder(graphQl())
                .header("Content-Type", "application/json")
                .header("Accept", "application/graphql-response+json")
                .POST(BodyPublishers.ofString(body)));
    }

    Answer get(String document) {
        return server.get(document);
    }

    Answer send(HttpRequest.Builder request) {
        return server.send(request);
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class Shared {
        static final SampleServer INSTANCE = start();
    }
}
