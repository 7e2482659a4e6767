package io.menuboard.favorites;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tracks batches in flight. A heartbeat may advance the watermark only when every batch that was started before its own has
 * completed, and none of them failed. Thread-safe.
 */
final class InFlightBatches {
    private final TreeSet<Long> batches = new TreeSet<>();
    private final NavigableMap<Long, Instant> heartbeats = new TreeMap<>();
    private long last;

    /** Starts a batch; its number. */
    synchronized long begin() {
        last++;
        batches.add(last);
        return last;
    }

    /** Ends a batch that failed, in part at least: its events come again later, and were before the heartbeats that wait. */
    synchronized void failed(long batch) {
        batches.remove(batch);
        heartbeats.tailMap(batch, true).clear();
    }

    /**
     * Ends a batch that was counted.
     *
     * @param heartbeat of the batch; null for none
     * @return the latest heartbeat to which the watermark may advance now
     */
    synchronized Optional<Instant> completed(long batch, @Nullable Instant heartbeat) {
        batches.remove(batch);
        if (heartbeat != null) {
            heartbeats.put(batch, heartbeat);
        }
        var passed = batches.isEmpty() ? heartbeats : heartbeats.headMap(batches.first(), false);
        var latest = passed.isEmpty() ? Optional.<Instant>empty() : Optional.of(Collections.max(passed.values()));
        passed.clear();
        return latest;
    }
}
