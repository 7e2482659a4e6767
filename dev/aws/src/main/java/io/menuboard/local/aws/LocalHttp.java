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

/** Common part of the small stand-ins for AWS: a service on a free port of the loopback interface. */
final class LocalHttp implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    private static final int INTERNAL = 500;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger failing = new AtomicInteger();

    /** A service that is asked and answers in JSON. */
    LocalHttp(Function<Request, JsonNode> service) {
        this(new JsonProtocol(service));
    }

    private LocalHttp(Protocol protocol) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, protocol));
        server.start();
    }

    /** A service of AWS's query protocol: it is asked by the parameters of a form, and answers with an element of XML. */
    static LocalHttp ofQueries(Function<Map<String, String>, String> service) {
        return new LocalHttp(new QueryProtocol(service));
    }

    /** How requests are read and answers are written. */
    private interface Protocol {
        String contentType();

        byte[] serve(HttpExchange exchange) throws IOException;

        byte[] refusal(HttpExchange exchange, Refusal refusal) throws IOException;
    }

    private record JsonProtocol(Function<Request, JsonNode> service) implements Protocol {
        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public byte[] serve(HttpExchange exchange) throws IOException {
            return JSON.writeValueAsBytes(service.apply(request(exchange)));
        }

        @Override
        public byte[] refusal(HttpExchange exchange, Refusal refusal) throws IOException {
            exchange.getResponseHeaders().set("x-amzn-ErrorType", refusal.type);
            return JSON.writeValueAsBytes(
                    JSON.createObjectNode().put("__type", refusal.type).put("Message", refusal.getMessage()));
        }
    }

    private record QueryProtocol(Function<Map<String, String>, String> service) implements Protocol {
        @Override
        public String contentType() {
            return "text/xml";
        }

        @Override
        public byte[] serve(HttpExchange exchange) throws IOException {
            return service.apply(parameters(new String(exchange.getRequestBody().readAllBytes(), UTF_8)))
                    .getBytes(UTF_8);
        }

        @Override
        public byte[] refusal(HttpExchange exchange, Refusal refusal) {
            return ("<ErrorResponse><Error><Type>" + (refusal.status < INTERNAL ? "Sender" : "Receiver")
                            + "</Type><Code>" + escaped(refusal.type)
                            + "</Code><Message>" + escaped(String.valueOf(refusal.getMessage()))
                            + "</Message></Error></ErrorResponse>")
                    .getBytes(UTF_8);
        }
    }

    /** Text as the content of an element of XML. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
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

    private void answer(HttpExchange exchange, Protocol protocol) throws IOException {
        try (exchange) {
            try {
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new Refusal(INTERNAL, "InternalServerException", "told to fail");
                }
                send(exchange, 200, protocol.contentType(), protocol.serve(exchange));
            } catch (Refusal e) {
                send(exchange, e.status, protocol.contentType(), protocol.refusal(exchange, e));
            }
        }
    }

    private static Request request(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                parameters(exchange.getRequestURI().getRawQuery()),
                exchange.getRequestHeaders().getFirst("X-Amz-Target"),
                body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body));
    }

    private static Map<String, String> parameters(@Nullable String raw) {
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

    private static void send(HttpExchange exchange, int status, String contentType, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }
}
