package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.access.Access;
import io.micronaut.http.HttpRequest;
import io.micronaut.websocket.CloseReason;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.exceptions.WebSocketException;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket by graphql-transport-ws. Ids of operations belong to it alone. Messages arrive one after the other; everything
 * else is thread-safe.
 */
final class WebSocketConnection implements Stream {
    private static final byte[] ACKNOWLEDGED = "{\"type\":\"connection_ack\"}".getBytes(US_ASCII);
    private static final byte[] PONG = "{\"type\":\"pong\"}".getBytes(US_ASCII);

    private static final int GOING_AWAY = 1001;
    private static final int TOO_BIG = 1009;
    private static final int BAD_REQUEST = 4400;
    private static final int UNAUTHORIZED = 4401;
    private static final int FORBIDDEN = 4403;
    private static final int SUBPROTOCOL_NOT_ACCEPTABLE = 4406;
    private static final int INITIALISATION_TIMEOUT = 4408;
    private static final int SUBSCRIBER_EXISTS = 4409;
    private static final int TOO_MANY_INITIALISATIONS = 4429;

    /** Operations that are being executed, or whose answer is not written yet, at once; others wait. An answer may have 16 MB. */
    private static final int ANSWERS_AT_ONCE = 4;

    /** Of a close frame, in bytes of UTF-8 (RFC 6455, section 5.5). */
    private static final int MAX_REASON = 123;

    private final WebSocketSession session;
    private final HttpRequest<?> request;
    private final Access access;
    private final WebSockets shared;
    private final long opened;
    private final ConcurrentHashMap<String, WebSocketOperation> active = new ConcurrentHashMap<>();
    /** Also those that their client does not want any more, until they have come to their end. */
    private final AtomicInteger begun = new AtomicInteger();

    private final Queue<Supplier<CompletableFuture<?>>> toAnswer = new ConcurrentLinkedQueue<>();
    private final Semaphore answering = new Semaphore(ANSWERS_AT_ONCE);

    private Runnable leave = () -> {};
    private boolean isInitialised;
    private volatile boolean isAcknowledged;
    private volatile boolean isClosing;
    private volatile boolean isHeard = true;
    private final AtomicInteger unwritten = new AtomicInteger();
    private volatile boolean hasWritten;
    private volatile long pinged;
    private volatile long stuck;

    WebSocketConnection(WebSocketSession session, HttpRequest<?> request, Access access, WebSockets shared) {
        this.session = session;
        this.request = request;
        this.access = access;
        this.shared = shared;
        this.opened = shared.nanos().getAsLong();
        this.pinged = opened;
    }

    void open() {
        leave = shared.streams().enter(request, access.principal(), this);
        if (session.getSubprotocol().isEmpty()) {
            close(SUBPROTOCOL_NOT_ACCEPTABLE, "Subprotocol not acceptable");
        }
    }

    /** The client has sent something, whatever it is. */
    void heard() {
        isHeard = true;
    }

    void tooBig() {
        close(TOO_BIG, "a message may have at most " + shared.config().maxMessageBytes() + " bytes");
    }

    void notText() {
        close(BAD_REQUEST, "a message is text");
    }

    /** Takes a whole message. */
    void message(byte[] text) {
        if (isClosing) {
            return;
        }
        ClientMessage message;
        try {
            message = ClientMessage.of(text);
        } catch (ClientMessage.Malformed e) {
            close(BAD_REQUEST, String.valueOf(e.getMessage()));
            return;
        }
        switch (message.type()) {
            case CONNECTION_INIT -> initialise();
            case PING -> {
                var _ = send(PONG);
            }
            case PONG -> {}
            case SUBSCRIBE -> subscribe(String.valueOf(message.id()), message.payload());
            case COMPLETE -> complete(String.valueOf(message.id()));
        }
    }

    private void initialise() {
        if (isInitialised) {
            close(TOO_MANY_INITIALISATIONS, "Too many initialisation requests");
            return;
        }
        isInitialised = true;
        isAcknowledged = true;
        var _ = send(ACKNOWLEDGED);
    }

    private void subscribe(String id, @Nullable Json payload) {
        if (!isAcknowledged || payload == null) {
            close(UNAUTHORIZED, "Unauthorized");
            return;
        }
        var operation = new WebSocketOperation(id, this);
        if (active.containsKey(id)) {
            close(SUBSCRIBER_EXISTS, "Subscriber for " + id + " already exists");
        } else if (begun.get() >= shared.config().mostPerConnection()) {
            var _ = operation.refuse(StreamErrors.of(
                    "TOO_MANY_OPERATIONS",
                    "at most " + shared.config().mostPerConnection() + " operations at once over one connection"));
        } else {
            begun.incrementAndGet();
            active.put(id, operation);
            toAnswer.add(() -> answer(operation, payload));
            answerNext();
        }
    }

    /** Begins to answer what waits, as far as there is room: who ends makes room, and then looks for what was added meanwhile. */
    @SuppressWarnings("FutureReturnValueIgnored") // goes on with the next one
    private void answerNext() {
        while (!toAnswer.isEmpty() && answering.tryAcquire()) {
            var next = toAnswer.poll();
            if (next == null) {
                answering.release();
            } else {
                next.get().whenComplete((_, _) -> {
                    answering.release();
                    answerNext();
                });
            }
        }
    }

    private CompletableFuture<?> answer(WebSocketOperation operation, Json payload) {
        if (isClosing) {
            operation.cancel();
        }
        return operation.start(() -> shared.operations().start(request, access, new Operations.Asked.Body(payload)));
    }

    private void complete(String id) {
        var operation = active.get(id);
        if (operation != null) {
            operation.cancel();
        }
    }

    /** The operation is over, and its id free again. */
    void forget(String id, WebSocketOperation operation) {
        active.remove(id, operation);
    }

    /** Nothing is done for an operation that was over any more. */
    void ended() {
        begun.decrementAndGet();
    }

    Runnable takePlace() {
        return shared.places().take(access.principal());
    }

    /** Sends what was asked for, one message for each that was; done when it was written. */
    CompletableFuture<?> send(byte[]... parts) {
        try {
            unwritten.incrementAndGet();
            return session.sendAsync(new TextWebSocketFrame(Unpooled.wrappedBuffer(parts)))
                    .whenComplete((_, _) -> {
                        unwritten.decrementAndGet();
                        hasWritten = true;
                    });
        } catch (WebSocketException e) {
            unwritten.decrementAndGet();
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void tick(long nanos) {
        if (unwritten.get() > 0 && !hasWritten) {
            if (stuck == 0) {
                stuck = nanos;
            } else if (nanos - stuck >= shared.config().writeTimeout().toNanos()) {
                cut();
            }
            return;
        }
        hasWritten = false;
        stuck = 0;
        if (!isAcknowledged && nanos - opened >= shared.config().initTimeout().toNanos()) {
            close(INITIALISATION_TIMEOUT, "Connection initialisation timeout");
        } else if (!session.isWritable()) {
            // What it answers to pings is not read either, until it has read on.
            isHeard = true;
            pinged = nanos;
        } else if (nanos - pinged >= shared.config().keepAlive().toNanos()) {
            pinged = nanos;
            ping();
        }
    }

    private void ping() {
        if (!isHeard) {
            cut();
            return;
        }
        isHeard = false;
        try {
            var _ = session.sendPingAsync(new byte[0]);
        } catch (WebSocketException _) {
            // It was closed at this moment, and will be told so.
        }
    }

    @Override
    public void end(Ending ending) {
        if (ending == Ending.STOPPING) {
            close(GOING_AWAY, ending.message());
        } else {
            for (var operation : active.values()) {
                var _ = operation.fail(ending.errors());
            }
            close(FORBIDDEN, ending.message());
        }
    }

    /** The connection is closed. */
    void closed() {
        isClosing = true;
        active.values().forEach(WebSocketOperation::cancel);
        leave.run();
    }

    void failed() {
        close(CloseReason.INTERNAL_ERROR.getCode(), CloseReason.INTERNAL_ERROR.getReason());
    }

    private void close(int code, String reason) {
        if (isClosing) {
            return;
        }
        isClosing = true;
        active.values().forEach(WebSocketOperation::cancel);
        session.close(new CloseReason(code, fitting(reason)));
    }

    /** As many characters as fit, and none of them in part. */
    private static String fitting(String reason) {
        var into = CharBuffer.wrap(reason);
        UTF_8.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(into, ByteBuffer.allocate(MAX_REASON), true);
        return reason.substring(0, into.position());
    }

    /** Without a word, which would not be read. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is closed, whenever that is
    private void cut() {
        isClosing = true;
        ClientConnection.channel(request).ifPresent(Channel::close);
    }
}
