package io.menuboard.messaging;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something every so often, on a thread of its own, from when it is made until it is closed. */
final class Upkeep implements AutoCloseable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    /** @param work not at once, but each time that so long has passed */
    Upkeep(String name, Duration every, Runnable work) {
        thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                while (!ended.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                    work.run();
                }
            } catch (InterruptedException _) {
                // Nobody interrupts this thread.
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Returns when the work is not under way any more, whoever interrupts. */
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
