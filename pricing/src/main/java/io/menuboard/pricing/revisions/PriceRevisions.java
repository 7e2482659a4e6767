package io.menuboard.pricing.revisions;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.requests.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Revisions as this instance last read them, each with the moment of the read. Who asks says how old that may be. Thread-safe.
 */
public final class PriceRevisions {
    private static final int STORES_REMEMBERED = 20_000;

    /** How long one waits at most for the read of another before it reads itself. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    /** A read that takes so long is replaced by that of the first who gives up waiting for it. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final DynamoPriceRevisions table;
    private final LoadingCache<StoreId, Remembered> remembered =
            Caffeine.newBuilder().maximumSize(STORES_REMEMBERED).build(_ -> new Remembered());

    private final List<Consumer<StoreId>> listeners = new CopyOnWriteArrayList<>();

    PriceRevisions(DynamoPriceRevisions table) {
        this.table = table;
    }

    /** Tells the listener of each store whose revisions are forgotten, from then on; it must be quick. */
    public void onForget(Consumer<StoreId> listener) {
        listeners.add(listener);
    }

    /**
     * Revisions of a store that were read at that moment or later. One read unit, or none where they are remembered; of
     * many who ask at once, one reads. Somebody who is waited for never waits for a read of the background.
     *
     * @param moment of {@link System#nanoTime()}, not a future one
     * @throws io.menuboard.querydb.NotLoaded if they could not be read
     */
    public Revisions since(StoreId store, long moment) {
        var known = remembered.get(store);
        var last = known.last;
        return last != null && last.isReadSince(moment) ? last : known.readFor(store, moment);
    }

    /** The same as far as they are remembered; null otherwise. Costs nothing. */
    public @Nullable Revisions remembered(StoreId store, long moment) {
        var known = remembered.getIfPresent(store);
        var last = known == null ? null : known.last;
        return last != null && last.isReadSince(moment) ? last : null;
    }

    /** Reads them again before they are given to anybody: somebody has changed prices of the store, or may have. */
    public void forget(StoreId store) {
        // Who is about to read puts what it finds where nobody looks any more.
        remembered.invalidate(store);
        listeners.forEach(listener -> listener.accept(store));
    }

    /**
     * Takes an instant for past, as {@link Revision#passed} has it. One write unit.
     *
     * @param instant a whole second, which the table's clock has reached
     * @return false where that or a later instant had passed already
     */
    public boolean pass(StoreId store, Channel channel, Instant instant) {
        return table.pass(store, channel, instant);
    }

    /** What is known of one store. */
    private final class Remembered {
        private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();
        private volatile @Nullable Revisions last;

        Revisions readFor(StoreId store, long moment) {
            while (true) {
                var others = reading.get();
                if (others != null && others.begunAt - moment >= 0 && others.mayBeAwaited()) {
                    var found = others.await();
                    if (found != null) {
                        return found;
                    }
                    if (!others.isGivenUp()) {
                        // It is the caller who has no time to wait: others have.
                        return read(store, new Reading());
                    }
                    // It failed, perhaps because its time had passed, or takes too long: ours may not.
                    reading.compareAndSet(others, null);
                } else {
                    var own = new Reading();
                    if (reading.compareAndSet(others, own)) {
                        return read(store, own);
                    }
                }
            }
        }

        private synchronized void remember(Revisions found) {
            if (last == null || found.isReadSince(last.readAt())) {
                last = found;
            }
        }

        private Revisions read(StoreId store, Reading own) {
            Revisions found = null;
            try {
                found = new Revisions(table.of(store), own.begunAt);
                remember(found);
                return found;
            } finally {
                own.result.complete(found);
            }
        }
    }

    /** A read that has begun; null is its result where it failed. */
    private static final class Reading {
        private final long begunAt = System.nanoTime();
        private final boolean isBackground = Workload.current().isBackground();
        private final CompletableFuture<@Nullable Revisions> result = new CompletableFuture<>();

        /** False for a read of the background, which may take long, where somebody waits for what the caller does. */
        boolean mayBeAwaited() {
            return !isBackground || Workload.current().isBackground();
        }

        /** True where nobody else needs to wait for it: it is done, or slow. */
        boolean isGivenUp() {
            return result.isDone() || System.nanoTime() - begunAt > SLOW.toNanos();
        }

        /** Its result; null, too, where it has none in the time that the caller has. */
        @Nullable
        Revisions await() {
            var time = Workload.current().patience(MOST_PATIENCE);
            return result.copy()
                    .completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }
    }
}
