package io.menuboard.favorites;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/**
 * Ends of rankings: the number of restaurants in all, and of those before the last ones, for requests for the last ones
 * first. Computed on request, once a minute at the most. Thread-safe.
 */
final class RankingEnds {
    private static final Duration HOLDS = Duration.ofMinutes(1);
    private static final Duration KNOWN = Duration.ofMinutes(10);

    /** Time in which a hundred thousand restaurants are read. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** Number of different counts that are kept, the smallest ones: those which most restaurants share. */
    private static final int COUNTS = 100;

    private final DynamoRankSnapshots snapshots;
    private final DynamoRanks ranks;
    private final InstanceLeases leases;
    private final Clock clock;

    /** Those that are being read here. */
    private final Map<Span, FutureTask<End>> underWay = new ConcurrentHashMap<>();

    RankingEnds(DynamoRankSnapshots snapshots, DynamoRanks ranks, InstanceLeases leases, Clock clock) {
        this.snapshots = snapshots;
        this.ranks = ranks;
        this.leases = leases;
        this.clock = clock;
    }

    /**
     * The end of a ranking as it was two minutes ago or later, mostly one.
     *
     * @param size restaurants in all
     * @param better number of those with more marks, by count
     */
    record End(long size, SortedMap<Long, Long> better, Instant at) {
        /** Rank of those who have that count; empty for counts that are not at the end. */
        Optional<Long> rank(long count) {
            return Optional.ofNullable(better.get(count)).map(known -> known + 1);
        }
    }

    /**
     * Half a read unit; once a minute, half a unit for each 4 KB of the ranking, some twenty restaurants. Whoever asks meanwhile waits
     * for it, where none is known that is younger than two minutes.
     */
    End of(Span span) {
        var holds = youngerThan(HOLDS, span);
        if (holds.isPresent()) {
            return holds.get();
        }
        var mine = new FutureTask<>(() -> readOnce(span));
        var others = underWay.putIfAbsent(span, mine);
        if (others != null) {
            return youngerThan(HOLDS.multipliedBy(2), span)
                    .or(() -> readByOthers(others))
                    .orElseGet(() -> readOnce(span));
        }
        try {
            mine.run();
            return ended(mine);
        } finally {
            underWay.remove(span);
        }
    }

    /** Empty where it fails for them: their request may have had no time left. */
    private static Optional<End> readByOthers(Future<End> reading) {
        try {
            return Optional.of(reading.get());
        } catch (ExecutionException _) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static End ended(Future<End> reading) {
        try {
            return reading.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while the end of a ranking is read", e);
    }

    private End readOnce(Span span) {
        if (leases.acquire("favorite-end-" + span.key(), HOLDS)) {
            return read(span);
        }
        return youngerThan(HOLDS.multipliedBy(2), span)
                .or(() -> readElsewhere(span))
                .orElseGet(() -> read(span));
    }

    /** What the instance that has the lease reads now; empty where that takes long, or it died. */
    private Optional<End> readElsewhere(Span span) {
        var giveUp = System.nanoTime() + PATIENCE.toNanos();
        var found = Optional.<End>empty();
        while (found.isEmpty() && System.nanoTime() - giveUp < 0) {
            try {
                Thread.sleep(BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            found = youngerThan(HOLDS, span);
        }
        return found;
    }

    private Optional<End> youngerThan(Duration age, Span span) {
        return snapshots.findEnd(span).filter(end -> clock.instant()
                .isBefore(end.at().plus(age)));
    }

    /** Ends for a page that was reached from the end; empty where that is long ago. Half a read unit. */
    Optional<End> known(Span span) {
        return youngerThan(KNOWN, span);
    }

    private End read(Span span) {
        var now = clock.instant();
        SortedMap<Long, Long> byCount;
        try (var counts = ranks.counts(span)) {
            byCount = counts.collect(Collectors.groupingBy(count -> count, TreeMap::new, Collectors.counting()));
        }
        var size = byCount.values().stream().mapToLong(Long::longValue).sum();
        var better = new TreeMap<Long, Long>();
        var left = size;
        for (var one : byCount.entrySet()) {
            left -= one.getValue();
            if (better.size() < COUNTS) {
                better.put(one.getKey(), left);
            }
        }
        var end = new End(size, better, now);
        snapshots.save(span, end);
        return end;
    }
}
