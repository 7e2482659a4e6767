package io.menuboard.app.graphql;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The application on a free port, with an empty table and the clock of the machine, as DynamoDB Local has it. */
public final class GraphQlServer implements AutoCloseable {
    public static final String ENVIRONMENT = "graphql";

    /** Makes it {@link PriceSample#NOW} for ever. */
    static final String STANDING_CLOCK = "standing-clock";

    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedServer server;

    private GraphQlServer(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Starts one on a table of its own.
     *
     * @param properties beside the port and the table
     * @param environments beside {@link #ENVIRONMENT}
     */
    public static GraphQlServer start(Map<String, Object> properties, String... environments) {
        var table = "graphql-" + TABLES.incrementAndGet();
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        var all = new HashMap<>(properties);
        all.put("micronaut.server.port", -1);
        all.put("menuboard.table-name", table);
        return new GraphQlServer(ApplicationContext.run(EmbeddedServer.class, all, environmentAnd(environments)));
    }

    private static String[] environmentAnd(String... others) {
        return Stream.concat(Stream.of(ENVIRONMENT), Stream.of(others)).toArray(String[]::new);
    }

    /** Starts one with everything that it has on AWS. */
    public static GraphQlServer start(LocalAws aws) {
        var all = new HashMap<>(aws.properties());
        all.put("micronaut.server.port", -1);
        all.put("menuboard.queues.long-poll", "1s");
        return new GraphQlServer(ApplicationContext.run(EmbeddedServer.class, all));
    }

    public URI graphQl() {
        return server.getURI().resolve("/graphql");
    }

    public <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    public Answer execute(String document) {
        return execute(document, Map.of());
    }

    public Answer execute(String document, Map<String, Object> variables) {
        return later(document, variables).join();
    }

    /** Data of an answer that must not have errors. */
    public JsonNode data(String document) {
        return data(document, Map.of());
    }

    public JsonNode data(String document, Map<String, Object> variables) {
        return execute(document, variables).data();
    }

    /** Sends the request and does not wait for the answer. */
    public CompletableFuture<Answer> later(String document, Map<String, Object> variables) {
        return post(json(Map.of("query", document, "variables", variables)));
    }

    public CompletableFuture<Answer> post(String body) {
        return http.sendAsync(
                        HttpRequest.newBuilder(graphQl())
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .thenApply(Answer::new);
    }

    /** Sends any request, and waits for the answer. */
    public Answer send(HttpRequest.Builder request) {
        return new Answer(
                http.sendAsync(request.build(), BodyHandlers.ofString()).join());
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What came back. */
    public record Answer(HttpResponse<String> http) {
        public int status() {
            return http.statusCode();
        }

        public String text() {
            return http.body();
        }

        public JsonNode body() {
            try {
                return JSON.readTree(http.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public JsonNode data() {
            if (body().has("errors")) {
                throw new AssertionError(http.body());
            }
            return body().path("data");
        }

        /** Code of the only error of the response. */
        public String code() {
            if (body().path("errors").size() != 1) {
                throw new AssertionError(http.body());
            }
            return body().at("/errors/0/extensions/code").asText();
        }
    }
}
