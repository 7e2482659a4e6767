package io.menuboard.favorites;

import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many restaurants a ranking has, and how many of them come before those of its end, for who asks for the last ones
 * first: items {@code FAVEND#{ranking}}/{@code META}. Made by whoever asks, once a minute at the most. Thread-safe.
 */
final class RankingEnds {
    private static final Duration HOLDS = Duration.ofMinutes(1);
    private static final Duration KNOWN = Duration.ofMinutes(10);
    private static final Duration KEPT = Duration.ofDays(1);

    /** So many different counts, the smallest ones: those which most restaurants share. */
    private static final int COUNTS = 100;

    private final QueryDb db;
    private final DynamoRanks ranks;
    private final InstanceLeases turns;
    private final Clock clock;

    RankingEnds(QueryDb db, DynamoRanks ranks, Clock clock) {
        this.db = db;
        this.ranks = ranks;
        this.turns = new InstanceLeases(db, clock);
        this.clock = clock;
    }

    /**
     * The end of a ranking as it was a minute ago or later.
     *
     * @param size restaurants in all
     * @param better how many have more marks, by count
     */
    record End(long size, SortedMap<Long, Long> better, Instant at) {
        /** The rank of those who have that count; empty for counts that are not at the end. */
        Optional<Long> rank(long count) {
            return Optional.ofNullable(better.get(count)).map(known -> known + 1);
        }
    }

    /** Half a read unit; once a minute, half a unit for each 4 KB of the ranking, some twenty restaurants. */
    End of(Span span) {
        var now = clock.instant();
        var known = find(span);
        var holds = known.filter(end -> now.isBefore(end.at().plus(HOLDS)));
        if (holds.isPresent()) {
            return holds.get();
        }
        var isMine = turns.acquire("favorite-end-" + span.window(), HOLDS);
        return known.isPresent() && !isMine ? known.get() : read(span, now);
    }

    /** For who has come from the end; empty where that is long ago. Half a read unit. */
    Optional<End> known(Span span) {
        return find(span).filter(end -> clock.instant().isBefore(end.at().plus(KNOWN)));
    }

    private Optional<End> find(Span span) {
        return db.get(key(span)).map(item -> {
            var better = new TreeMap<Long, Long>();
            item.strings("better").forEach(one -> {
                var blank = one.indexOf(' ');
                better.put(Long.valueOf(one.substring(0, blank)), Long.valueOf(one.substring(blank + 1)));
            });
            return new End(item.integer("size"), better, Instant.ofEpochMilli(item.integer("at")));
        });
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
        db.save(item(span, end), SaveMode.ANY);
        return end;
    }

    private static Item item(Span span, End end) {
        List<String> better = end.better().entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .toList();
        return Item.at(key(span))
                .type("favoriteEnd")
                .number("size", end.size())
                .strings("better", better)
                .number("at", end.at().toEpochMilli())
                .ttl(end.at().plus(KEPT))
                .build();
    }

    private static Key key(Span span) {
        return new Key("FAVEND#" + span.key(), "META");
    }
}
