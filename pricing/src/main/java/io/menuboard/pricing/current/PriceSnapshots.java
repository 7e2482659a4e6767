package io.menuboard.pricing.current;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.pricing.revisions.Revisions;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Workload;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots of the stores that are asked for, as many as there is memory for. What is given out was the state of the table at
 * some moment that is not longer ago than asked: a snapshot belongs to a revision, is given out while the store's revision is
 * known to be that, and what was known at a moment is taken to hold for as long as {@link SnapshotsConfig#maxAge()}. The table may
 * show the revision of a transaction before the prices that it has written: until a revision has been known for {@link
 * SnapshotsConfig#settleAfter()}, a snapshot of it is as good as the read that it was made by, and no better. Thread-safe. ADR 34
 * has the proof. Where prices are not remembered, or not known to be fresh,
 *
 * <ul>
 *   <li>{@link #fresh} is empty: it reads nothing, and never blocks;
 *   <li>{@link #remembered} reads the revision alone, and is empty where that does not help;
 *   <li>{@link #of} reads them, or waits for who does, and is empty where they cannot be remembered;
 *   <li>{@link #orRead} reads them once more then, and is never empty.
 * </ul>
 */
public final class PriceSnapshots {
    private static final int LOCKS = 256;
    private static final int ATTEMPTS = 3;
    private static final int ASKED = 100_000;
    private static final int READ_AT_ONCE = 8;

    /** How long prices are missing at most that no revision tells of: first ones that were written after all (ADR 34). */
    static final Duration KEPT_FOR = Duration.ofHours(6);

    /** How long one waits at most for others who read the same prices. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(PriceSnapshots.class);

    private final PriceRevisions revisions;
    private final DynamoPriceVersions versions;
    private final SnapshotsConfig config;
    private final Ticker ticker;
    private final Cache<Place, Kept> kept;
    /** What was asked for lately without being remembered. */
    private final Cache<Place, Place> asked = Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofMinutes(1))
            .maximumSize(ASKED)
            .build();

    private final Semaphore reading = new Semaphore(READ_AT_ONCE);
    private final ReentrantLock[] filling =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

    PriceSnapshots(
            PriceRevisions revisions,
            DynamoPriceVersions versions,
            SnapshotsConfig config,
            MeterRegistry registry,
            Ticker ticker) {
        this.revisions = revisions;
        this.versions = versions;
        this.config = config;
        this.ticker = ticker;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(config.enabled() ? config.bytes() : 0)
                .expireAfterWrite(KEPT_FOR)
                .ticker(ticker)
                .<Place, Kept>weigher((_, one) -> one.bytes())
                .recordStats()
                .build();
        CaffeineCacheMetrics.monitor(registry, kept, "menuboard.pricing.snapshots");
    }

    /** Whether there are any. */
    public boolean areEnabled() {
        return config.enabled();
    }

    /** How long prices may lack what a transaction has written whose revision they have. */
    public Duration settleAfter() {
        return config.settleAfter();
    }

    private record Place(StoreId store, Channel channel) {}

    /**
     * What there is of a revision.
     *
     * @param snapshot null where this version of the application cannot read one of its prices
     * @param seenAt when this instance first read prices of that revision, by the ticker
     * @param isSettled whether that was long enough before it read these: nothing of the revision is missing
     * @param readAt {@link System#nanoTime()} just before they were read
     */
    private record Kept(long revision, @Nullable PriceSnapshot snapshot, long seenAt, boolean isSettled, long readAt) {

        boolean isReadSince(long moment) {
            return isSettled || readAt - moment >= 0;
        }

        int bytes() {
            return snapshot == null ? PriceSnapshot.BYTES : snapshot.bytes();
        }
    }

    /**
     * The prices of a store and channel. Costs nothing where they are remembered and known to be fresh; one read unit where they
     * are remembered; else two read units, and one for every 4 KB of versions. Of many who ask at once, one reads.
     *
     * @return empty where they are not to be remembered: while first prices are loaded, while others change them again and
     *     again, while another one takes long to read them, where one of them cannot be read, or where snapshots are off
     */
    public Optional<PriceSnapshot> of(StoreId store, Channel channel, ReadConsistency consistency) {
        if (!config.enabled()) {
            return Optional.empty();
        }
        var place = new Place(store, channel);
        var moment = oldest(consistency);
        var known = revisions.since(store, moment);
        var found = find(place, known, moment);
        return found == null ? fill(place, known, moment) : Optional.ofNullable(found.snapshot());
    }

    /** Whether nothing is missing in a snapshot of what the transaction has written that made its revision, as far as is known. */
    public boolean isSettled(StoreId store, Channel channel, PriceSnapshot snapshot) {
        var found = kept.getIfPresent(new Place(store, channel));
        return found != null && found.snapshot() == snapshot && found.isSettled();
    }

    /**
     * The same, but that what is not remembered is not read while somebody waits: it is read later, if this is not the first time
     * within a minute that it is asked for. Costs one read unit at most until then.
     *
     * @return empty where it is not remembered, too
     */
    Optional<PriceSnapshot> remembered(StoreId store, Channel channel) {
        if (!config.enabled()) {
            return Optional.empty();
        }
        var place = new Place(store, channel);
        if (kept.getIfPresent(place) == null) {
            if (asked.asMap().putIfAbsent(place, place) != null) {
                readLater(place);
            }
            return Optional.empty();
        }
        var moment = oldest(ReadConsistency.BOUNDED);
        var found = find(place, revisions.since(store, moment), moment);
        if (found == null) {
            readLater(place);
            return Optional.empty();
        }
        return Optional.ofNullable(found.snapshot());
    }

    /** The same where it is remembered and known to be fresh; empty otherwise. Costs nothing and never blocks. */
    Optional<PriceSnapshot> fresh(StoreId store, Channel channel) {
        if (!config.enabled()) {
            return Optional.empty();
        }
        var moment = oldest(ReadConsistency.BOUNDED);
        var known = revisions.remembered(store, moment);
        var found = known == null ? null : find(new Place(store, channel), known, moment);
        return found == null ? Optional.empty() : Optional.ofNullable(found.snapshot());
    }

    /** Whether the store has, or had, a price for exactly this channel. Costs nothing where that is remembered, else one read unit. */
    boolean isUsed(StoreId store, Channel channel) {
        return revisions
                .since(store, oldest(ReadConsistency.BOUNDED))
                .of(channel)
                .isUsed();
    }

    private void readLater(Place place) {
        if (reading.tryAcquire()) {
            Thread.startVirtualThread(() -> {
                try {
                    of(place.store(), place.channel(), ReadConsistency.BOUNDED);
                } catch (QueryDbException e) {
                    QueryDbException.warn(
                            log, e, "prices not remembered: store={} channel={}", place.store(), place.channel());
                } finally {
                    reading.release();
                }
            });
        }
    }

    private long oldest(ReadConsistency consistency) {
        var now = System.nanoTime();
        return switch (consistency) {
            case STRONG -> now;
            case BOUNDED -> now - config.maxAge().toNanos();
        };
    }

    private Optional<PriceSnapshot> fill(Place place, Revisions known, long moment) {
        var lock = filling[Math.floorMod(place.hashCode(), LOCKS)];
        if (!isLockedInTime(lock)) {
            return Optional.empty();
        }
        try {
            var before = known;
            for (var attempt = 0;
                    attempt < ATTEMPTS && !before.of(place.channel()).isLoading();
                    attempt++) {
                var found = find(place, before, moment);
                if (found != null) {
                    return Optional.ofNullable(found.snapshot());
                }
                var read = read(place, before);
                // Several requests, between which somebody may have changed prices.
                var after = revisions.since(place.store(), System.nanoTime());
                if (after.of(place.channel()).isSame(before.of(place.channel()))) {
                    kept.put(place, read);
                    return Optional.ofNullable(read.snapshot());
                }
                before = after;
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** False where somebody else, who may have more time, holds it for too long. */
    private static boolean isLockedInTime(ReentrantLock lock) {
        try {
            return lock.tryLock(Workload.current().patience(MOST_PATIENCE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What is remembered of the revision that is known, and is as good as a read at that moment; null for nothing. */
    private @Nullable Kept find(Place place, Revisions known, long moment) {
        var revision = known.of(place.channel());
        var found = kept.getIfPresent(place);
        return found != null
                        && !revision.isLoading()
                        && found.revision() == revision.number()
                        && found.isReadSince(moment)
                ? found
                : null;
    }

    private Kept read(Place place, Revisions known) {
        var revision = known.of(place.channel()).number();
        var last = kept.getIfPresent(place);
        var now = ticker.read();
        var seenAt = last != null && last.revision() == revision ? last.seenAt() : now;
        var isSettled = now - seenAt >= config.settleAfter().toNanos();
        var readAt = System.nanoTime();
        return new Kept(revision, readOrNull(place, revision), seenAt, isSettled, readAt);
    }

    private @Nullable PriceSnapshot readOrNull(Place place, long revision) {
        try {
            return PriceSnapshot.of(revision, versions.all(place.store(), place.channel(), Consistency.STRONG));
        } catch (UnreadableItem _) {
            return null;
        }
    }

    /**
     * Reads the prices of a store and channel to learn whether this version of the application can, as dear as a snapshot of them.
     *
     * @throws UnreadableItem where it cannot
     */
    public void requireReadable(StoreId store, Channel channel) {
        var _ = PriceSnapshot.of(-1, versions.all(store, channel, Consistency.STRONG));
    }

    /** As {@link #of}, or, where that is empty, by strongly consistent reads of the table, for this one answer. */
    PriceSnapshot orRead(StoreId store, Channel channel, ReadConsistency consistency) {
        return of(store, channel, consistency)
                .orElseGet(() -> PriceSnapshot.of(-1, versions.all(store, channel, Consistency.STRONG)));
    }
}
