package io.menuboard.favorites;

import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.favorites.Recount.Outcome;
import io.menuboard.favorites.RecountSnapshots.Snapshot;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is counted of one restaurant with its marks. What differs is a drift only if it still does once everything
 * that had happened by then is counted, and if nothing was counted meanwhile: so marks that are on their way are none.
 */
final class RestaurantRecount {
    private static final int ATTEMPTS = 4;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final RecountSnapshots snapshots;
    private final DynamoCounters counters;
    private final RankWriter ranks;
    private final DynamoWatermarks watermarks;
    private final AuditTrail audit;
    private final Duration patience;

    private final LongAdder corrections = new LongAdder();

    /** Time up to which marks were counted when somebody waited in vain for more. */
    private volatile Instant stuckAt = Instant.MIN;

    /** @param patience time to wait until everything is counted */
    RestaurantRecount(
            RecountSnapshots snapshots,
            DynamoCounters counters,
            RankWriter ranks,
            DynamoWatermarks watermarks,
            AuditTrail audit,
            Duration patience) {
        this.snapshots = snapshots;
        this.counters = counters;
        this.ranks = ranks;
        this.watermarks = watermarks;
        this.audit = audit;
        this.patience = patience;
    }

    /** Number of drifts that were corrected here. */
    long corrections() {
        return corrections.sum();
    }

    /** Ranks the restaurant anew in the windows under way and in these. */
    void rank(RestaurantId restaurant, Collection<Span> spans) {
        ranks.rewrite(restaurant, spans);
    }

    /**
     * Empty where nothing differs, or does any more. Reads every mark, and eight bytes for each that ever was.
     *
     * @param note gets what is about to be corrected, and the days, weeks and months that are to be ranked anew then: whoever checks
     *     again after the process died in between finds nothing that differs. Once that is done, gets it again
     */
    Optional<Drift> check(RestaurantId restaurant, Recount recount, BiConsumer<Drift, Collection<Span>> note)
            throws InterruptedException {
        var snapshot = snapshots.read(restaurant);
        @Nullable Drift found = null;
        var isStill = false;
        for (var attempt = 0; attempt < ATTEMPTS && !snapshot.isClean(); attempt++) {
            if (!isCountedUpTo(snapshot.at())) {
                return Optional.of(drift(restaurant, snapshot, Outcome.COUNTING_IS_BEHIND));
            }
            var again = snapshots.read(restaurant);
            isStill = again.agreesWith(snapshot);
            var sure = snapshot.isSure() && isStill ? snapshot : snapshot.missingAlso(again);
            if (sure.isClean()) {
                snapshot = again;
                continue;
            }
            if (recount.mode() == Mode.CHECK) {
                return Optional.of(drift(restaurant, sure, Outcome.FOUND));
            }
            if (found == null) {
                found = drift(restaurant, sure, Outcome.FOUND);
            }
            var changed = changed(sure);
            note.accept(found, changed);
            if (correct(restaurant, sure, recount)) {
                corrections.increment();
                rank(restaurant, changed);
                found = found.with(Outcome.BUSY);
                note.accept(found, Set.of());
            }
            snapshot = snapshots.read(restaurant);
        }
        if (snapshot.isClean()) {
            return Optional.empty();
        }
        if (found != null) {
            return Optional.of(found);
        }
        // It differs in the same way twice only where the list of marks is behind. Else it is counted all the time.
        return Optional.of(
                isStill
                        ? drift(restaurant, snapshot, Outcome.COUNTING_IS_BEHIND)
                        : Drift.undecided(restaurant, snapshot.at(), Outcome.UNSETTLED));
    }

    private static Drift drift(RestaurantId restaurant, Snapshot snapshot, Outcome outcome) {
        return new Drift(
                restaurant,
                snapshot.at(),
                snapshot.notCounted().size(),
                snapshot.undelivered().size(),
                snapshot.differences(),
                outcome);
    }

    /** Waits until everything that had happened by then is counted, as far as is known. */
    private boolean isCountedUpTo(Instant instant) throws InterruptedException {
        var giveUp = System.nanoTime() + patience.toNanos();
        while (true) {
            var upTo = watermarks.countedUpTo();
            if (!upTo.isBefore(instant)) {
                return true;
            }
            if (upTo.equals(stuckAt)) {
                return false;
            }
            if (System.nanoTime() - giveUp > 0) {
                stuckAt = upTo;
                return false;
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /** Days, weeks and months whose count changes when it is corrected, as far as they are still ranked. */
    private static Set<Span> changed(Snapshot snapshot) {
        var counted = snapshot.counted();
        var recounted = snapshot.recounted();
        var changed = new HashSet<>(FavoriteCounts.past(snapshot.notCounted()));
        for (var day : different(counted.days(), recounted.days())) {
            changed.add(Span.on(FavoriteWindow.DAY, day));
            changed.add(Span.on(FavoriteWindow.WEEK, day));
        }
        for (var month : different(counted.months(), recounted.months())) {
            changed.add(Span.on(FavoriteWindow.MONTH, month.atDay(1)));
        }
        changed.removeIf(span -> !DynamoRanks.canBeMade(span, snapshot.at()));
        return changed;
    }

    private static <K> Set<K> different(Map<K, Long> some, Map<K, Long> others) {
        var different = new HashSet<>(some.keySet());
        different.addAll(others.keySet());
        different.removeIf(key -> Objects.equals(some.get(key), others.get(key)));
        return different;
    }

    /**
     * Marks that were not counted are counted as if they were delivered now. The rest is made to agree once none is missing: until
     * then nobody knows how much of what differs comes from these.
     *
     * @return false where something was counted meanwhile, so that nothing was done
     */
    private boolean correct(RestaurantId restaurant, Snapshot snapshot, Recount recount) {
        var details = details(snapshot, recount.id());
        if (snapshot.notCounted().isEmpty()) {
            return counters.correct(restaurant, snapshot, recount.by(), details);
        }
        // First, so that nothing is ever counted without a record; when it is cut off there are two.
        audit.record(recount.by(), DynamoCounters.subject(restaurant), "missing marks counted", details);
        counters.count(restaurant, snapshot.notCounted());
        return true;
    }

    private static Map<String, String> details(Snapshot snapshot, Recount.Id recount) {
        var details = new TreeMap<String, String>();
        details.put("recount", recount.value());
        details.put("not counted", Integer.toString(snapshot.notCounted().size()));
        details.put("gone", Integer.toString(snapshot.undelivered().size()));
        if (snapshot.notCounted().isEmpty() && snapshot.hasAllUndelivered()) {
            snapshot.differences()
                    .forEach(one -> details.put(one.window().name(), one.counted() + " became " + one.recounted()));
        }
        return details;
    }
}
