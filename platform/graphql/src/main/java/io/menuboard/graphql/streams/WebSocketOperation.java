package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.menuboard.graphql.streams.Operations.Failed;
import io.menuboard.graphql.streams.Operations.Outcome;
import io.menuboard.graphql.streams.Operations.Started;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** One operation over a {@link WebSocketConnection}. Asks for a response when the one before it was written. Thread-safe. */
final class WebSocketOperation implements Subscriber<byte[]> {
    private static final byte[] ID = "{\"id\":".getBytes(US_ASCII);
    private static final byte[] NEXT = ",\"type\":\"next\",\"payload\":".getBytes(US_ASCII);
    private static final byte[] ERROR = ",\"type\":\"error\",\"payload\":".getBytes(US_ASCII);
    private static final byte[] COMPLETE = ",\"type\":\"complete\"}".getBytes(US_ASCII);
    private static final byte[] END = "}".getBytes(US_ASCII);
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(true);

    private final String id;
    private final byte[] idText;
    private final WebSocketConnection connection;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final AtomicInteger unsettled = new AtomicInteger(2);
    private boolean isOver;
    private @Nullable Runnable place;
    private @Nullable Subscription source;

    WebSocketOperation(String id, WebSocketConnection connection) {
        this.id = id;
        this.idText = StreamErrors.write(json -> json.writeString(id));
        this.connection = connection;
    }

    /**
     * Begins it, unless it is over. Done when its answer is written, or when its events are subscribed to.
     *
     * @param start executes it
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it goes on when it is told to end
    CompletableFuture<?> start(Supplier<Started> start) {
        if (isOver()) {
            settle();
            return DONE;
        }
        var started = start.get();
        over.thenRun(started.end());
        return started.outcome()
                .handle((outcome, fault) -> {
                    settle();
                    return fault == null ? answer(outcome) : fail(StreamErrors.of("INTERNAL", "Internal error"));
                })
                .thenCompose(written -> written);
    }

    /** Its outcome is there, or it is over; with both, nothing is done for it any more. */
    private void settle() {
        if (unsettled.decrementAndGet() == 0) {
            connection.ended();
        }
    }

    private CompletableFuture<?> answer(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Refused refused -> fail(refused.errors().utf8());
            case Outcome.Answer(var response) -> {
                if (!finish()) {
                    yield DONE;
                }
                var written = connection.send(ID, idText, NEXT, response.utf8(), END);
                var _ = connection.send(ID, idText, COMPLETE);
                yield written;
            }
            case Outcome.Events(var responses) -> {
                try {
                    if (hold(connection.takePlace())) {
                        responses.subscribe(this);
                    }
                    yield DONE;
                } catch (Places.Taken e) {
                    yield fail(e.errors());
                }
            }
        };
    }

    /** False, and the place is given back, where the operation is over. */
    private boolean hold(Runnable taken) {
        synchronized (this) {
            if (!isOver) {
                place = taken;
                return true;
            }
        }
        taken.run();
        return false;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        synchronized (this) {
            if (!isOver) {
                source = subscription;
            }
        }
        if (source == null) {
            subscription.cancel();
        } else {
            subscription.request(1);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // what follows is done in it
    public void onNext(byte[] response) {
        if (isOver()) {
            return;
        }
        connection.send(ID, idText, NEXT, response, END).whenComplete((_, fault) -> {
            var from = source();
            if (fault != null) {
                cancel();
            } else if (from != null) {
                from.request(1);
            }
        });
    }

    @Override
    public void onError(Throwable fault) {
        var _ = fail(fault instanceof Failed failed ? failed.errors() : StreamErrors.of("INTERNAL", "Internal error"));
    }

    @Override
    public void onComplete() {
        if (finish()) {
            var _ = connection.send(ID, idText, COMPLETE);
        }
    }

    /** Ends it for the client, who is told why; done when that is written, or at once where it is over. */
    CompletableFuture<?> fail(byte[] errors) {
        return finish() ? refuse(errors) : DONE;
    }

    /** Tells the client that it was not begun; done when that is written. */
    CompletableFuture<?> refuse(byte[] errors) {
        return connection.send(ID, idText, ERROR, errors, END);
    }

    /** Nobody wants it any more. */
    void cancel() {
        finish();
    }

    /** True once; then its id is free again, and its place if its outcome is there, before its client can learn that it is over. */
    private boolean finish() {
        Runnable taken;
        Subscription from;
        synchronized (this) {
            if (isOver) {
                return false;
            }
            isOver = true;
            taken = place;
            from = source;
            place = null;
            source = null;
        }
        connection.forget(id, this);
        if (from != null) {
            from.cancel();
        }
        if (taken != null) {
            taken.run();
        }
        over.complete(true);
        settle();
        return true;
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    private synchronized @Nullable Subscription source() {
        return source;
    }
}
