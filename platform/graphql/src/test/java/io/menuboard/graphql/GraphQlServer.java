package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * GraphQL over HTTP on a free port, with whatever modules are on the class path, and a client that says nothing that a test
 * did not say.
 */
public final class GraphQlServer implements AutoCloseable {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Of {@code application.yml}, as far as it is about GraphQL. */
    private static final Map<String, Object> SHIPPED = Map.of(
            "graphql.graphql-ws.enabled",
            false,
            "graphql.graphql-apollo-ws.enabled",
            false,
            "micronaut.server.max-request-buffer-size",
            "${menuboard.graphql.max-body-bytes:1MB}",
            "micronaut.server.netty.max-initial-line-length",
            "16KB");

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedServer server;

    private GraphQlServer(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Starts one.
     *
     * @param properties beside the port, and those with which the application is shipped
     * @param environments which choose among the beans of the class path
     * @param beans beside those of the class path
     */
    public static GraphQlServer start(Map<String, Object> properties, List<String> environments, Object... beans) {
        return start(properties, Map.of(), environments, beans);
    }

    /** The same with variables of the environment, as of a process that has them. */
    public static GraphQlServer start(
            Map<String, Object> properties, Map<String, Object> variables, List<String> environments, Object... beans) {
        var all = new HashMap<String, Object>(SHIPPED);
        all.put("menuboard.sign-in", false);
        all.put("menuboard.graphql.introspection", true);
        all.putAll(properties);
        all.put("micronaut.server.port", -1);
        var context = ApplicationContext.builder()
                .properties(all)
                .propertySources(PropertySource.of(
                        "variables",
                        variables,
                        PropertyConvention.ENVIRONMENT_VARIABLE,
                        PropertySource.Origin.of("variables")))
                .environments(environments.toArray(String[]::new))
                .singletons(beans)
                .start();
        return new GraphQlServer(context.getBean(EmbeddedServer.class).start());
    }

    public URI graphQl() {
        return server.getURI().resolve("/graphql");
    }

    public <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    public <T> Collection<T> beans(Class<T> type) {
        return server.getApplicationContext().getBeansOfType(type);
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

    /** Sends the document in the address of a GET request, and waits for the answer. */
    public Answer get(String document) {
        return send(HttpRequest.newBuilder(URI.create(graphQl() + "?query=" + URLEncoder.encode(document, UTF_8)))
                .header("Accept", "application/graphql-response+json"));
    }

    /** Sends any request, and waits for the answer. */
    public Answer send(HttpRequest.Builder request) {
        return new Answer(
                http.sendAsync(request.build(), BodyHandlers.ofString()).join());
    }

    @Override
    public void close() {
        http.close();
        server.getApplicationContext().close();
    }

    /** As clients write it. */
    public static String json(Object value) {
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

        /** Empty where there is none. */
        public String header(String name) {
            return http.headers().firstValue(name).orElse("");
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

        /** The first of the response. */
        public JsonNode error() {
            return body().at("/errors/0");
        }

        /** Path of the argument that the first error of the response is about, with points between its parts. */
        public String argument() {
            var path = new ArrayList<String>();
            error().at("/extensions/path").forEach(part -> path.add(part.asText()));
            return String.join(".", path);
        }

        /** Code of the only error of the response. */
        public String code() {
            if (body().path("errors").size() != 1) {
                throw new AssertionError(http.body());
            }
            return error().at("/extensions/code").asText();
        }
    }
}
