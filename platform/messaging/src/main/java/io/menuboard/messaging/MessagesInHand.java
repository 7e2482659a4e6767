package io.menuboard.messaging;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many messages a consumer has received and not yet left, of those it may have, and who is at them. Thread-safe. */
final class MessagesInHand {
    private static final Logger log = LoggerFactory.getLogger(MessagesInHand.class);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final String queue;
    private final int most;
    private final Semaphore places;
    private final Set<Thread> handling = ConcurrentHashMap.newKeySet();

    MessagesInHand(String queue, int most) {
        this.queue = queue;
        this.most = most;
        this.places = new Semaphore(most, true);
    }

    /** Waits for places, and takes so many more as there are now and are asked for; answers how many it took. */
    int take(int least, int mostNow) throws InterruptedException {
        places.acquire(least);
        var taken = least;
        while (taken < mostNow && places.tryAcquire()) {
            taken++;
        }
        return taken;
    }

    void letGo(int messages) {
        places.release(messages);
    }

    /** On a thread of its own, which {@link #finish} knows. */
    void handle(Runnable handler) {
        Thread.ofVirtual().name(queue + "-handler").start(() -> {
            handling.add(Thread.currentThread());
            try {
                handler.run();
            } finally {
                handling.remove(Thread.currentThread());
            }
        });
    }

    /** Returns when every message has been let go; interrupts handlers that take longer than that. */
    void finish(Duration time) {
        try {
            if (!isEmptyWithin(time)) {
                handling.forEach(Thread::interrupt);
                if (!isEmptyWithin(TIME_TO_STOP)) {
                    log.warn("message handlers did not stop: queue={} running={}", queue, handling.size());
                }
            }
        } catch (InterruptedException e) {
            handling.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private boolean isEmptyWithin(Duration time) throws InterruptedException {
        var empty = places.tryAcquire(most, time.toNanos(), TimeUnit.NANOSECONDS);
        if (empty) {
            places.release(most);
        }
        return empty;
    }
}
