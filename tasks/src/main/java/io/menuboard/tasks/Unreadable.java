package io.menuboard.tasks;

import io.menuboard.querydb.Key;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what this version cannot read and leaves alone, and says so now and then. Thread-safe. */
final class Unreadable {
    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
    private static final long BETWEEN_WORDS = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder count = new LongAdder();
    private final AtomicLong saidAt = new AtomicLong(System.nanoTime() - BETWEEN_WORDS);

    void add(Key key, RuntimeException why) {
        count.increment();
        var before = saidAt.get();
        var now = System.nanoTime();
        if (now - before >= BETWEEN_WORDS && saidAt.compareAndSet(before, now)) {
            log.warn("left alone what only another version can read: key={} so far={}", key, count, why);
        }
    }

    long count() {
        return count.sum();
    }
}
