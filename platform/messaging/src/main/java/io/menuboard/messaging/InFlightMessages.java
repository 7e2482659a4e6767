package io.menuboard.messaging;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the messages that a consumer has received and not yet settled, and knows the threads of handlers. Thread-safe. */
final class InFlightMessages {
    private static final Logger log = LoggerFactory.getLogger(InFlightMessages.class);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final String queue;
    private final int max;
    private final Semaphore permits;
    private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();

    InFlightMessages(String queue, int max) {
        this.queue = queue;
        this.max = max;
        this.permits = new Semaphore(max, true);
    }

    /** Waits for permits, and takes as many more as there are now, up to a number; returns how many it took. */
    int acquire(int least, int most) throws InterruptedException {
        permits.acquire(least);
        var acquired = least;
        while (acquired < most && permits.tryAcquire()) {
            acquired++;
        }
        return acquired;
    }

    void release(int messages) {
        permits.release(messages);
    }

    /** Runs a handler on a thread of its own, which {@link #awaitNone} can interrupt. */
    void handle(Runnable handler) {
        Thread.ofVirtual().name(queue + "-handler").start(() -> {
            handlers.add(Thread.currentThread());
            try {
                handler.run();
            } finally {
                handlers.remove(Thread.currentThread());
            }
        });
    }

    /** Returns when every message has been released; interrupts handlers that take longer than that. */
    void awaitNone(Duration time) {
        try {
            if (!isNoneWithin(time)) {
                handlers.forEach(Thread::interrupt);
                if (!isNoneWithin(TIME_TO_STOP)) {
                    log.warn("message handlers did not stop: queue={} running={}", queue, handlers.size());
                }
            }
        } catch (InterruptedException e) {
            handlers.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private boolean isNoneWithin(Duration time) throws InterruptedException {
        var none = permits.tryAcquire(max, time.toNanos(), TimeUnit.NANOSECONDS);
        if (none) {
            permits.release(max);
        }
        return none;
    }
}
