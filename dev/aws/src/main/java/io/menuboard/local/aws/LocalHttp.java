package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Common part of the small stand-ins for AWS: a JSON service on a free port of the loopback interface. */
final class LocalHttp implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    private static final int INTERNAL = 500;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger failing = new AtomicInteger();

    LocalHttp(Function<Request, JsonNode> service) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, service));
        server.start();
    }

    /** @param query decoded, the last value of each name */
    record Request(
            String method,
            String path,
            Map<String, String> query,
            @Nullable String target,
            JsonNode body) {}

    /** An answer that clients see as the exception of that name. */
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int status;
        private final String type;

        Refusal(int status, String type, String message) {
            super(message);
            this.status = status;
            this.type = type;
        }
    }

    URI endpoint() {
        var address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** The next requests get an internal error, and do nothing. */
    void failNext(int requests) {
        failing.set(requests);
    }

    /** Timestamps of AWS's JSON protocols: seconds with decimals. */
    static double seconds(Instant instant) {
        return instant.toEpochMilli() / 1000.0;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void answer(HttpExchange exchange, Function<Request, JsonNode> service) throws IOException {
        try (exchange) {
            try {
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new Refusal(INTERNAL, "InternalServerException", "told to fail");
                }
                send(exchange, 200, service.apply(request(exchange)));
            } catch (Refusal e) {
                exchange.getResponseHeaders().set("x-amzn-ErrorType", e.type);
                send(
                        exchange,
                        e.status,
                        JSON.createObjectNode().put("__type", e.type).put("Message", e.getMessage()));
            }
        }
    }

    private static Request request(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                query(exchange.getRequestURI().getRawQuery()),
                exchange.getRequestHeaders().getFirst("X-Amz-Target"),
                body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body));
    }

    private static Map<String, String> query(@Nullable String raw) {
        var query = new HashMap<String, String>();
        if (raw != null) {
            for (var parameter : raw.split("&", -1)) {
                var parts = parameter.split("=", 2);
                query.put(
                        URLDecoder.decode(parts[0], UTF_8),
                        parts.length == 1 ? "" : URLDecoder.decode(parts[1], UTF_8));
            }
        }
        return query;
    }

    private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
        var bytes = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }
}
