package io.menuboard.webadmin.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Relay of a server's answers that passes documents on in pieces, with pauses in which a browser can paint. */
final class SlowNetwork implements AutoCloseable {
    private static final int PIECES = 16;

    /** How long one piece comes after the other, at least. */
    static final Duration PAUSE = Duration.ofMillis(50);

    private final URI server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer relay;

    /** @param server any address of it */
    SlowNetwork(URI server) {
        this.server = server;
        try {
            relay = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        relay.setExecutor(threads);
        relay.createContext("/", this::pass);
        relay.start();
    }

    /** The same address of the server, through this. */
    URI address(URI of) {
        return URI.create("http://127.0.0.1:" + relay.getAddress().getPort())
                .resolve(of.getRawPath() + (of.getRawQuery() == null ? "" : "?" + of.getRawQuery()));
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
                    .header("Accept", exchange.getRequestHeaders().getFirst("Accept"));
            var answer = http.send(request.build(), BodyHandlers.ofByteArray());
            var type = answer.headers().firstValue("Content-Type").orElse("");
            exchange.getResponseHeaders().set("Content-Type", type);
            // With its length, the browser knows the end when the last piece is there.
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            write(exchange, answer.body(), type.startsWith("text/html") ? PIECES : 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(HttpExchange exchange, byte[] body, int pieces) throws IOException, InterruptedException {
        for (var piece = 0; piece < pieces; piece++) {
            if (piece > 0) {
                Thread.sleep(PAUSE);
            }
            var from = body.length * piece / pieces;
            exchange.getResponseBody().write(body, from, body.length * (piece + 1) / pieces - from);
            exchange.getResponseBody().flush();
        }
    }

    @Override
    public void close() {
        relay.stop(0);
        threads.shutdownNow();
        http.close();
    }
}
