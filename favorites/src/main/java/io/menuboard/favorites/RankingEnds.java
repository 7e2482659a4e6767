package io.menuboard.favorites;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ends of rankings: the number of restaurants in all, and of those before the last ones, for requests for the last ones
 * first. Computed on request, once a minute at the most. Thread-safe.
 */
final class RankingEnds {
    private static final Duration HOLDS = Duration.ofMinutes(1);
    private static final Duration KNOWN = Duration.ofMinutes(10);

    /** Number of different counts that are kept, the smallest ones: those which most restaurants share. */
    private static final int COUNTS = 100;

    private final DynamoRankSnapshots snapshots;
    private final DynamoRanks ranks;
    private final InstanceLeases leases;
    private final Clock clock;

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

    /** Half a read unit; once a minute, half a unit for each 4 KB of the ranking, some twenty restaurants. */
    End of(Span span) {
        var now = clock.instant();
        var known = snapshots.findEnd(span);
        var holds = known.filter(end -> now.isBefore(end.at().plus(HOLDS)));
        if (holds.isPresent()) {
            return holds.get();
        }
        var isMine = leases.acquire("favorite-end-" + span.window(), HOLDS);
        // Whoever has the lease may be at another ranking of the window.
        var isRead = isMine
                || known.filter(end -> now.isBefore(end.at().plus(HOLDS.multipliedBy(2))))
                        .isEmpty();
        return isRead ? read(span, now) : known.orElseThrow();
    }

    /** Ends for a page that was reached from the end; empty where that is long ago. Half a read unit. */
    Optional<End> known(Span span) {
        return snapshots.findEnd(span).filter(end -> clock.instant()
                .isBefore(end.at().plus(KNOWN)));
    }

    private End read(Span span, Instant now) {
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
