package io.menuboard.querydb;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts items that this version cannot read, and logs each kind of them at most once a minute. Thread-safe. */
final class Unreadable {
    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
    private static final long LOG_INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder count = new LongAdder();
    private final Map<String, Long> loggedAt = new ConcurrentHashMap<>();

    /** Reads the item; counts it where that fails. */
    <T> T read(Item item, Function<Item, T> reader) {
        try {
            return reader.apply(item);
        } catch (QueryDbException | UnreadableItem e) {
            throw e;
        } catch (RuntimeException e) {
            // Any exception: what another version writes cannot be foreseen.
            count.increment();
            throw new UnreadableItem(item.key(), e);
        }
    }

    /** Reads the item; empty where that fails. */
    <T> Optional<T> readable(Item item, Function<Item, T> reader) {
        try {
            return Optional.of(read(item, reader));
        } catch (UnreadableItem e) {
            log(item, e);
            return Optional.empty();
        }
    }

    private void log(Item item, UnreadableItem why) {
        var now = System.nanoTime();
        var kind = item.findString(Item.TYPE)
                .orElseGet(() -> item.key().partition().split("#", 2)[0]);
        var logged = loggedAt.merge(kind, now, (before, _) -> now - before < LOG_INTERVAL ? before : now);
        if (logged == now) {
            log.warn("left alone what only another version can read: kind={} so far={}", kind, count, why);
        }
    }

    long sum() {
        return count.sum();
    }
}
