package io.menuboard.graphql.streams;

import io.menuboard.graphql.GraphQlServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of graphql-transport-ws that says nothing that a test did not say. */
final class WebSocketClient implements WebSocket.Listener, AutoCloseable {
    private static final int SECONDS_TO_ANSWER = 30;

    final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder begun = new StringBuilder();
    private final boolean reads;
    private volatile String reason = "";
    private @Nullable WebSocket socket;
    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);

    private WebSocketClient(boolean reads) {
        this.reads = reads;
    }

    static WebSocketClient open(HttpClient http, GraphQlServer server) {
        return open(http, server, true, "graphql-transport-ws");
    }

    /** One that takes nothing from its connection, which ends with a slash: routes ignore it, and what bounds the one bounds the other. */
    static WebSocketClient openDeaf(HttpClient http, GraphQlServer server) {
        return open(http, server, "/graphql/ws/", false, "graphql-transport-ws");
    }

    static WebSocketClient open(HttpClient http, GraphQlServer server, boolean reads, String... protocols) {
        return open(http, server, "/graphql/ws", reads, protocols);
    }

    private static WebSocketClient open(
            HttpClient http, GraphQlServer server, String path, boolean reads, String... protocols) {
        var client = new WebSocketClient(reads);
        var uri = URI.create("ws://127.0.0.1:" + server.graphQl().getPort() + path);
        var builder = http.newWebSocketBuilder();
        if (protocols.length > 0) {
            builder.subprotocols(protocols[0]);
        }
        client.socket = builder.buildAsync(uri, client).join();
        return client;
    }

    WebSocketClient initialised() throws InterruptedException {
        send("{\"type\":\"connection_init\",\"payload\":{\"anything\":[1]}}");
        if (!next().equals("{\"type\":\"connection_ack\"}")) {
            throw new AssertionError("not acknowledged");
        }
        return this;
    }

    void subscribe(String id, String document) {
        send(GraphQlServer.json(Map.of("type", "subscribe", "id", id, "payload", Map.of("query", document))));
    }

    /** Each as soon as the one before is written; does not wait until it is. */
    void ask(String id, String document) {
        var message = Map.of("type", "subscribe", "id", id, "payload", Map.of("query", document));
        asked = asked.thenCompose(_ -> socket().sendText(GraphQlServer.json(message), true));
    }

    void complete(String id) {
        send(GraphQlServer.json(Map.of("type", "complete", "id", id)));
    }

    WebSocket socket() {
        if (socket == null) {
            throw new IllegalStateException("not open");
        }
        return socket;
    }

    void send(String text) {
        socket().sendText(text, true).join();
    }

    /** Waits for the next message; fails where none comes. */
    String next() throws InterruptedException {
        var message = messages.poll(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message in " + SECONDS_TO_ANSWER + " s; closed: " + closed);
        }
        return message;
    }

    /** Waits until it is closed; fails where it is not. */
    int closeCode() {
        return closed.orTimeout(SECONDS_TO_ANSWER, TimeUnit.SECONDS).join();
    }

    /** Of one that is closed. */
    String closeReason() {
        return reason;
    }

    @Override
    public void onOpen(WebSocket opened) {
        if (reads) {
            opened.request(Long.MAX_VALUE);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        begun.append(data);
        if (isLast) {
            messages.add(begun.toString());
            begun.setLength(0);
        }
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        this.reason = reason;
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable fault) {
        closed.completeExceptionally(fault);
    }

    @Override
    public void close() {
        socket().abort();
    }
}
