package io.menuboard.accounts;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * What was read in the last two seconds, which count from before the read: however long that takes, nothing is known for longer
 * after it has changed. Thread-safe.
 */
final class RecentReads<K, V> {
    private static final Duration KEPT_FOR = Duration.ofSeconds(2);
    private static final int MOST = 10_000;

    private final Ticker ticker;
    private final AtomicLong forgotten = new AtomicLong();
    private final Cache<K, Kept<V>> values;

    RecentReads(Ticker ticker) {
        this.ticker = ticker;
        values = Caffeine.newBuilder()
                .expireAfterWrite(KEPT_FOR)
                .maximumSize(MOST)
                .ticker(ticker)
                .build();
    }

    private record Kept<V>(V value, long readAt) {}

    /** A read that is about to be made. */
    record Reading(long at, long forgotten) {}

    Optional<V> find(K key) {
        return Optional.ofNullable(values.getIfPresent(key))
                .filter(kept -> isRecent(kept.readAt()))
                .map(Kept::value);
    }

    /** Another number each time that something was forgotten. */
    long forgotten() {
        return forgotten.get();
    }

    /** To be called before a read whose result is to be kept. */
    Reading begin() {
        return new Reading(ticker.read(), forgotten.get());
    }

    /**
     * Keeps what was read, unless that took too long, or something was forgotten meanwhile.
     *
     * @return whether nothing recent was kept under that key before
     */
    boolean keep(K key, V value, Reading reading) {
        if (!isRecent(reading.at())) {
            return true;
        }
        var before = values.asMap().put(key, new Kept<>(value, reading.at()));
        if (forgotten.get() != reading.forgotten()) {
            values.invalidate(key);
        }
        return before == null || !isRecent(before.readAt());
    }

    /** Has them read again, also by reads that have begun. */
    void forget(Predicate<K> keys) {
        forgotten.incrementAndGet();
        values.asMap().keySet().removeIf(keys);
    }

    private boolean isRecent(long readAt) {
        return ticker.read() - readAt < KEPT_FOR.toNanos();
    }
}
