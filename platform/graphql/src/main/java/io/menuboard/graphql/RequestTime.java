package io.menuboard.graphql;

import graphql.GraphQLContext;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time that a request has: until its deadline, and no longer than its client stays. Waiting for something to happen does not
 * count, and ends when the client goes. Thread-safe.
 */
final class RequestTime {
    private static final Duration LONGER_THAN_ANY_WAIT = Duration.ofDays(1);

    private final Duration atMost;
    private final DataAccess.Deadline data;
    private final LongSupplier nanos;
    private final AtomicLong deadline;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile boolean gone;

    /** Starts now. */
    RequestTime(Duration atMost, DataAccess data) {
        this(atMost, data, System::nanoTime);
    }

    /** @param nanos time that passes, in nanoseconds since whenever */
    RequestTime(Duration atMost, DataAccess data, LongSupplier nanos) {
        this.atMost = atMost;
        this.data = data.deadline(atMost);
        this.nanos = nanos;
        this.deadline = new AtomicLong(nanos.getAsLong() + atMost.toNanos());
    }

    /** The time of the request that a field belongs to; null where nothing limits it. */
    static @Nullable RequestTime of(GraphQLContext context) {
        return context.get(RequestTime.class);
    }

    /** There is no time left. */
    static final class Over extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Over() {
            super("the request has no time left", null, false, false);
        }
    }

    /** Does some work on the calling thread, with this limit for the data that it reads and writes. */
    <T> T call(Supplier<T> work) {
        return data.call(work);
    }

    /** What the request has read and written so far, by name. */
    Map<String, Number> usage() {
        return data.usage();
    }

    boolean isOver() {
        return gone || nanos.getAsLong() - deadline.get() >= 0;
    }

    /** Throws {@link Over} where the request that a field belongs to has no time left. */
    static void check(GraphQLContext context) {
        var time = of(context);
        if (time != null && time.isOver()) {
            throw new Over();
        }
    }

    /** True once, for the first who tells that there is no time left, unless nobody is there to hear it. */
    boolean isNews() {
        return !gone && reported.compareAndSet(false, true);
    }

    /** Why there is no time left, as part of a sentence. */
    String reason() {
        return "the request had taken longer than " + atMost.toMillis() / 1_000.0 + " s";
    }

    /**
     * The client has gone: no further field is fetched for it, and what waits is interrupted. A field that is being worked on
     * comes to its end, so that it leaves nothing half done.
     */
    void end() {
        gone = true;
        waiting.forEach(Thread::interrupt);
    }

    /** Does work that may wait on a virtual thread, which is interrupted when the client goes. */
    <T> CompletableFuture<T> await(Supplier<T> work) {
        var result = new CompletableFuture<T>();
        var begin = nanos.getAsLong();
        var thread = Thread.ofVirtual().unstarted(() -> complete(result, work, begin));
        waiting.add(thread);
        if (gone) {
            thread.interrupt();
        }
        thread.start();
        return result;
    }

    private <T> void complete(CompletableFuture<T> result, Supplier<T> work, long begin) {
        T value;
        try {
            value = data.goingOn(LONGER_THAN_ANY_WAIT).call(work);
        } catch (Throwable e) {
            left(begin);
            goOn(() -> result.completeExceptionally(e));
            return;
        }
        left(begin);
        goOn(() -> result.complete(value));
    }

    /** Whatever follows the field runs on this thread, with the time that is left. */
    private void goOn(Supplier<Boolean> completion) {
        data.goingOn(Duration.ofNanos(deadline.get() - nanos.getAsLong())).call(completion);
    }

    private void left(long begin) {
        waiting.remove(Thread.currentThread());
        deadline.addAndGet(nanos.getAsLong() - begin);
    }
}
