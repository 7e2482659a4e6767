package io.menuboard.graphql.streams;

import io.menuboard.access.http.RequestAccess;
import io.menuboard.access.http.SignedIn;
import io.menuboard.kernel.Actor;
import io.micronaut.http.HttpRequest;
import io.micronaut.websocket.WebSocketPongMessage;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnClose;
import io.micronaut.websocket.annotation.OnError;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.OnOpen;
import io.micronaut.websocket.annotation.ServerWebSocket;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL by graphql-transport-ws. Who asks is found out by the request that opens the WebSocket, as for any other: by its token
 * or session, in a browser by the session alone, from pages of ours. What {@code connection_init} has is not looked at.
 */
@SignedIn // each operation says what it requires
@ServerWebSocket(value = WebSocketController.PATH, subprotocols = "graphql-transport-ws")
final class WebSocketController {
    static final String PATH = "/graphql/ws";

    private static final String OPEN = Open.class.getName();

    private final WebSockets shared;

    WebSocketController(WebSockets shared) {
        this.shared = shared;
    }

    /** A connection, and the beginning of a message that came in parts. The thread of the connection alone uses it. */
    private static final class Open {
        private final WebSocketConnection connection;
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

        Open(WebSocketConnection connection) {
            this.connection = connection;
        }
    }

    @OnOpen
    void open(WebSocketSession session, HttpRequest<?> request) {
        var access = RequestAccess.of(request, Actor.Source.GRAPHQL);
        var connection = new WebSocketConnection(session, request, access, shared);
        session.put(OPEN, new Open(connection));
        connection.open();
    }

    @OnMessage(maxPayloadLength = StreamsConfig.MAX_FRAME_BYTES)
    void message(WebSocketFrame frame, WebSocketSession session) {
        var open = find(session);
        try {
            if (open == null) {
                return;
            }
            open.connection.heard();
            if (frame instanceof BinaryWebSocketFrame) {
                open.connection.notText();
            } else if (open.begun.size() + frame.content().readableBytes()
                    > shared.config().maxMessageBytes()) {
                open.begun.reset();
                open.connection.tooBig();
            } else {
                open.begun.writeBytes(ByteBufUtil.getBytes(frame.content()));
                if (frame.isFinalFragment()) {
                    var message = open.begun.toByteArray();
                    open.begun.reset();
                    open.connection.message(message);
                }
            }
        } finally {
            frame.release();
        }
    }

    @OnMessage
    void pong(WebSocketPongMessage message, WebSocketSession session) {
        var open = find(session);
        if (open != null) {
            open.connection.heard();
        }
    }

    @OnClose
    void close(WebSocketSession session) {
        var open = find(session);
        if (open != null) {
            open.connection.closed();
        }
    }

    /** A connection that broke, or a frame that is none. */
    @OnError
    void fail(Throwable fault, WebSocketSession session) {
        var open = find(session);
        if (open != null) {
            open.connection.failed();
        }
    }

    private static @Nullable Open find(WebSocketSession session) {
        return session.get(OPEN, Open.class).orElse(null);
    }
}
