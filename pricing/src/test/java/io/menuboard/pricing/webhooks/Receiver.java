package io.menuboard.pricing.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A partner's server, which keeps what it is told. */
final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    final List<Message> messages = new CopyOnWriteArrayList<>();

    Receiver() {
        this(Receiver::plain);
    }

    Receiver(Kind kind) {
        try {
            server = kind.server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::receive);
        server.setExecutor(threads);
        server.start();
    }

    /** Makes a server that is not started. */
    interface Kind {
        HttpServer server(InetSocketAddress address) throws IOException;
    }

    private static HttpServer plain(InetSocketAddress address) throws IOException {
        return HttpServer.create(address, 0);
    }

    /** What it was told, with a header for each name that the specification has. */
    record Message(String path, String host, String id, String timestamp, String signature, String body) {}

    /** Answers one request. */
    interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    /** Answers the next requests so, and those after them with 200. */
    void answerNext(int... statuses) {
        for (var status : statuses) {
            answerNext(exchange -> exchange.sendResponseHeaders(status, -1));
        }
    }

    void answerNext(Answer answer) {
        answers.add(answer);
    }

    /** Answers so many with 200, but only then. */
    void answerNextAfter(CountDownLatch then, int requests) {
        for (var i = 0; i < requests; i++) {
            answerNext(exchange -> {
                try {
                    then.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
                exchange.sendResponseHeaders(200, -1);
            });
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://localhost:" + port() + path;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = exchange.getRequestHeaders();
            messages.add(new Message(
                    exchange.getRequestURI().toString(),
                    String.valueOf(headers.getFirst("Host")),
                    String.valueOf(headers.getFirst("webhook-id")),
                    String.valueOf(headers.getFirst("webhook-timestamp")),
                    String.valueOf(headers.getFirst("webhook-signature")),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            var answer = answers.poll();
            if (answer == null) {
                exchange.sendResponseHeaders(200, -1);
            } else {
                answer.write(exchange);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
