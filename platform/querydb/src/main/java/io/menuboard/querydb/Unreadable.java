package io.menuboard.querydb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what this version cannot read, and says of each kind of items now and then that it was left out. Thread-safe. */
final class Unreadable {
    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
    private static final long BETWEEN_WORDS = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder count = new LongAdder();
    private final Map<String, Long> saidAt = new ConcurrentHashMap<>();

    void count() {
        count.increment();
    }

    void say(Item item, UnreadableItem why) {
        var now = System.nanoTime();
        var kind = item.findString(Item.TYPE)
                .orElseGet(() -> item.key().partition().split("#", 2)[0]);
        var said = saidAt.merge(kind, now, (before, _) -> now - before < BETWEEN_WORDS ? before : now);
        if (said == now) {
            log.warn("left alone what only another version can read: kind={} so far={}", kind, count, why);
        }
    }

    long sum() {
        return count.sum();
    }
}
