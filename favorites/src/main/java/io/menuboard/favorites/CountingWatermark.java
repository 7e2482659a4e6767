package io.menuboard.favorites;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Low watermark of counted favorites, driven by heartbeats that take the same stream, pipe and queue: every so often the time
 * is written, and when that change has come to where marks are counted, and all batches that started before have completed,
 * the watermark advances to that time, less a margin. Events that failed, or were with an instance that died, and are
 * delivered again may still be missing then. Thread-safe.
 */
final class CountingWatermark {
    /** A heartbeat may overtake marks that were made before it: those which others are just about to count. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private final DynamoWatermarks watermarks;
    private final Clock clock;
    private final InFlightBatches inFlight = new InFlightBatches();

    /** @param clock one that instances agree on */
    CountingWatermark(DynamoWatermarks watermarks, Clock clock) {
        this.watermarks = watermarks;
        this.clock = clock;
    }

    /** Sends a heartbeat, which has the time. One write unit. */
    void writeHeartbeat() {
        watermarks.writeHeartbeat(clock.instant());
    }

    /** Starts a batch; its number. */
    long begin() {
        return inFlight.begin();
    }

    /** Ends a batch that failed, in part at least. */
    void failed(long batch) {
        inFlight.failed(batch);
    }

    /**
     * Ends a batch that was counted, and advances as far as that allows: one write unit where it does.
     *
     * @param heartbeat of the batch; null for none
     */
    void completed(long batch, @Nullable Instant heartbeat) {
        inFlight.completed(batch, heartbeat).ifPresent(latest -> watermarks.counted(latest.minus(MARGIN)));
    }

    /**
     * Tracks batches in flight. A heartbeat may advance the watermark only when every batch that was started before its own
     * has completed, and none of them failed. Thread-safe.
     */
    static final class InFlightBatches {
        private final TreeSet<Long> batches = new TreeSet<>();
        private final NavigableMap<Long, Instant> heartbeats = new TreeMap<>();
        private long last;

        /** Starts a batch; its number. */
        synchronized long begin() {
            last++;
            batches.add(last);
            return last;
        }

        /** Ends a batch that failed: its events are delivered again later, and were before the heartbeats that wait. */
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
}
