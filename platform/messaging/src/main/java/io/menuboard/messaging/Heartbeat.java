package io.menuboard.messaging;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Repeats something at an interval, on a thread of its own, from when it is made until it is closed. */
final class Heartbeat implements AutoCloseable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    /** @param work first done when the interval has passed once */
    Heartbeat(String name, Duration interval, Runnable work) {
        thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                while (!ended.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                    work.run();
                }
            } catch (InterruptedException _) {
                // This thread is never interrupted.
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Returns when the work is not in progress any more, even if interrupted. */
    @Override
    public void close() {
        ended.countDown();
        var interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
