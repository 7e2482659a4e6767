package io.menuboard.favorites;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Batches that are being handled here. A beat is handled at once, and what came before it may take longer: it tells something
 * when every batch that began before its own has ended, and none of them failed. Thread-safe.
 */
final class UnderWay {
    private final TreeSet<Long> batches = new TreeSet<>();
    private final NavigableMap<Long, Instant> beats = new TreeMap<>();
    private long last;

    /** A batch begins; its number. */
    synchronized long begin() {
        last++;
        batches.add(last);
        return last;
    }

    /** The batch has failed, in part at least: what comes again later was before the beats that wait. */
    synchronized void failed(long batch) {
        batches.remove(batch);
        beats.tailMap(batch, true).clear();
    }

    /**
     * The batch has been handled.
     *
     * @param beat that came with it; null for none
     * @return the latest beat that tells something from now on
     */
    synchronized Optional<Instant> handled(long batch, @Nullable Instant beat) {
        batches.remove(batch);
        if (beat != null) {
            beats.put(batch, beat);
        }
        var telling = batches.isEmpty() ? beats : beats.headMap(batches.first(), false);
        var latest = telling.isEmpty() ? Optional.<Instant>empty() : Optional.of(Collections.max(telling.values()));
        telling.clear();
        return latest;
    }
}
