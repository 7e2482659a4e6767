package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.menuboard.graphql.streams.Operations.Failed;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Body of an answer that is a stream of events (graphql-sse, distinct connections mode): each response as {@code next}, then
 * {@code complete}; where this instance stops, the answer ends without it. Asks for the next response when what comes before it is taken, so that it holds one at most; where none comes for
 * a while, writes a comment. Subscribed to once. Thread-safe.
 */
final class EventStreamBody implements Publisher<byte[]>, Subscriber<byte[]>, Subscription, Stream {
    private static final byte[] NEXT = "event: next\ndata: ".getBytes(US_ASCII);
    private static final byte[] END_OF_EVENT = "\n\n".getBytes(US_ASCII);
    private static final byte[] COMPLETE = "event: complete\ndata:\n\n".getBytes(US_ASCII);
    /** The answer ends, without saying that the operation is complete: clients begin it again. */
    private static final byte[] CUT = {};

    private static final byte[] COMMENT = ":\n\n".getBytes(US_ASCII);

    private final StreamsConfig config;
    private final @Nullable Channel channel;
    private final Runnable left;

    private final AtomicReference<@Nullable Subscriber<? super byte[]>> client = new AtomicReference<>();
    private final AtomicReference<@Nullable Subscription> source = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> response = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> last = new AtomicReference<>();
    private final AtomicBoolean isCommentDue = new AtomicBoolean(true); // headers go out with what comes first
    private final AtomicLong demand = new AtomicLong();
    private final AtomicInteger signals = new AtomicInteger();
    private final long made;
    private volatile boolean isAwaiting;
    private volatile boolean isClosed;
    private volatile boolean hasWritten;
    private volatile long written;
    private volatile long stuck;

    /**
     * A body that nothing was written of yet.
     *
     * @param channel that it goes to; null where that is not known
     * @param now in nanoseconds, as {@link #tick} has it
     * @param left called once when it has ended, however
     */
    EventStreamBody(StreamsConfig config, @Nullable Channel channel, long now, Runnable left) {
        this.config = config;
        this.channel = channel;
        this.left = left;
        this.made = now;
        this.written = now;
    }

    /** The whole body of an answer that has one response. */
    static byte[] of(byte[] response) {
        return StreamErrors.joined(NEXT, response, END_OF_EVENT, COMPLETE);
    }

    @Override
    public void subscribe(Subscriber<? super byte[]> subscriber) {
        if (!client.compareAndSet(null, subscriber)) {
            throw new IllegalStateException("a body is written once");
        }
        subscriber.onSubscribe(this);
        drain();
    }

    @Override
    public void request(long n) {
        demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
        drain();
    }

    /** The client has gone. */
    @Override
    public void cancel() {
        close();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        source.set(subscription);
        if (isClosed) {
            subscription.cancel();
        } else {
            drain();
        }
    }

    @Override
    public void onNext(byte[] next) {
        // In this order: who drains meanwhile asks for the next one only when it has seen this one.
        response.set(StreamErrors.joined(NEXT, next, END_OF_EVENT));
        isAwaiting = false;
        if (last.get() != null) {
            // Ended meanwhile: whoever listens no more hears nothing of what came before either.
            response.set(null);
        }
        drain();
    }

    @Override
    public void onError(Throwable fault) {
        last.compareAndSet(
                null,
                fault instanceof Failed failed
                        ? of(StreamErrors.response(failed.errors()))
                        : of(StreamErrors.response(StreamErrors.of("INTERNAL", "Internal error"))));
        drain();
    }

    @Override
    public void onComplete() {
        last.compareAndSet(null, COMPLETE);
        drain();
    }

    @Override
    public void end(Ending ending) {
        var frame = ending == Ending.STOPPING ? CUT : of(StreamErrors.response(ending.errors()));
        if (last.compareAndSet(null, frame)) {
            stopSource();
            response.set(null);
            drain();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a connection that is given up is closed, whenever that is
    public void tick(long nanos) {
        if (channel != null && !channel.isWritable()) {
            if (stuck == 0 || hasWritten) {
                // It is as full as before, but of something else.
                hasWritten = false;
                written = nanos;
                stuck = nanos;
            } else if (nanos - stuck >= config.writeTimeout().toNanos()) {
                close();
                channel.close();
            }
            return;
        }
        stuck = 0;
        if (hasWritten) {
            hasWritten = false;
            written = nanos;
        } else if (client.get() == null && nanos - made >= config.writeTimeout().toNanos()) {
            // Nobody has come for it, and nobody will.
            close();
        }
        if (nanos - written >= config.keepAlive().toNanos()) {
            written = nanos;
            isCommentDue.set(true);
            drain();
        }
    }

    /** Whoever comes while somebody is at it leaves it to them. */
    private void drain() {
        var to = client.get();
        if (to == null || signals.getAndIncrement() != 0) {
            return;
        }
        var missed = 1;
        while (missed != 0) {
            write(to);
            missed = signals.addAndGet(-missed);
        }
    }

    private void write(Subscriber<? super byte[]> to) {
        if (!isClosed && last.get() == CUT) {
            close();
            to.onComplete();
        }
        while (!isClosed && demand.get() > 0) {
            // In this order: a response comes before the end.
            var end = last.get();
            var next = response.getAndSet(null);
            if (next == null && end == null) {
                if (isCommentDue.compareAndSet(true, false)) {
                    next = COMMENT;
                } else {
                    await();
                    if (response.get() == null && last.get() == null) {
                        return;
                    }
                    continue;
                }
            }
            demand.decrementAndGet();
            hasWritten = true;
            if (next != null) {
                to.onNext(next);
            } else if (end != null) {
                // First, so that its place is free when its client hears of the end.
                close();
                if (end != CUT) {
                    to.onNext(end);
                }
                to.onComplete();
            }
        }
    }

    private void await() {
        var from = source.get();
        if (from != null && !isAwaiting && last.get() == null) {
            isAwaiting = true;
            from.request(1);
        }
    }

    private void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        stopSource();
        response.set(null);
        left.run();
    }

    private void stopSource() {
        var from = source.get();
        if (from != null) {
            from.cancel();
        }
    }
}
