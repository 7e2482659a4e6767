package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/** Threads that receive messages of a queue once they may be in flight, and give them to a receiver that does not block. */
final class SqsPollers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SqsPollers.class);
    private static final Duration AFTER_A_FAULT = Duration.ofSeconds(1);

    private final SqsQueue queue;
    private final InFlightMessages inFlight;
    private final int least;
    private final Consumer<List<SqsMessage>> receiver;
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Thread> receiving = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopping = new CountDownLatch(1);

    /**
     * @param least how many permits a request waits for, 1 to 10, before it asks for as many messages
     * @param receiver gets every message, and has to release its permit
     */
    SqsPollers(SqsQueue queue, InFlightMessages inFlight, int least, Consumer<List<SqsMessage>> receiver) {
        this.queue = queue;
        this.inFlight = inFlight;
        this.least = least;
        this.receiver = receiver;
    }

    /** Begins, once. */
    synchronized void start(int count) {
        if (!threads.isEmpty() || isStopping()) {
            throw new IllegalStateException("the pollers of " + queue.name() + " can be started once");
        }
        for (var i = 0; i < count; i++) {
            threads.add(Thread.ofVirtual().name(queue.name() + "-poller-" + i).start(this::poll));
        }
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Breaks requests off, and returns when the last message that was received is with the receiver. */
    @Override
    public void close() {
        synchronized (this) {
            stopping.countDown();
            receiving.forEach(Thread::interrupt);
        }
        try {
            for (var thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void poll() {
        while (!isStopping()) {
            try {
                receiver.accept(receive());
            } catch (InterruptedException _) {
                // Only close() interrupts.
                return;
            } catch (SdkException e) {
                if (!isStopping()) {
                    QueryDbException.warn(log, e, "receiving postponed: queue={}", queue.name());
                    pause();
                }
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("receiving failed: queue={}", queue.name(), e);
                pause();
            }
        }
    }

    private void pause() {
        try {
            stopping.await(AFTER_A_FAULT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Only close() interrupts, which the loop sees.
        }
    }

    /** Waits for permits and for messages; each message has a permit of its own then. */
    private List<SqsMessage> receive() throws InterruptedException {
        beginReceiving();
        var taken = 0;
        List<SqsMessage> messages = List.of();
        try {
            taken = inFlight.acquire(least, SqsQueue.MOST_MESSAGES);
            messages = queue.receive(taken);
            return messages;
        } finally {
            inFlight.release(taken - messages.size());
            endReceiving();
        }
    }

    private synchronized void beginReceiving() throws InterruptedException {
        if (isStopping()) {
            throw new InterruptedException();
        }
        receiving.add(Thread.currentThread());
    }

    private synchronized void endReceiving() {
        receiving.remove(Thread.currentThread());
        // An interrupt was for the request, which is over: what came of it is still handled.
        Thread.interrupted();
    }
}
