package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRankingWatches.Watch;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps rankings that somebody views up to date: from the first view on, what is counted is ranked in it at once, and what
 * was noted before is ranked then (ADR 19). Thread-safe.
 */
final class LiveRankings {
    private static final Logger log = LoggerFactory.getLogger(LiveRankings.class);

    /** Time after the first view by which everybody who counts knows of it, with a reserve for clocks that differ. */
    private static final Duration KNOWN = Duration.ofSeconds(3);

    private final WatchedRankings watched;
    private final FavoriteSweeps sweeps;
    private final DynamoWatermarks watermarks;
    private final Clock clock;
    private final Duration patience;
    private final Executor threads;

    /** Those that are being brought up to date here. */
    private final Map<FavoriteWindow, CompletableFuture<Optional<Instant>>> catchingUp = new ConcurrentHashMap<>();

    /** @param patience time for which the first viewer waits; what takes longer goes on without */
    LiveRankings(
            WatchedRankings watched,
            FavoriteSweeps sweeps,
            DynamoWatermarks watermarks,
            Clock clock,
            Duration patience,
            Executor threads) {
        this.watched = watched;
        this.sweeps = sweeps;
        this.watermarks = watermarks;
        this.clock = clock;
        this.patience = patience;
        this.threads = threads;
    }

    /**
     * Notes a view of the ranking that is under way. Half a read unit, and a write unit a minute; the first view after a
     * while also costs what it takes to rank what was noted.
     *
     * @return the time for which its first places are true; empty where that takes longer than a moment, or fails: what was
     *     ranked before can be read all the same
     */
    Optional<Instant> view(FavoriteWindow window) {
        var counted = watermarks.countedUpTo();
        Watch watch;
        try {
            watch = watched.view(window);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "view of a ranking not noted: window={}", window);
            return Optional.empty();
        }
        return watch.isLive() ? Optional.of(counted) : await(catchUp(window, watch));
    }

    /** As {@link #view} for earlier rankings of a window, which costs nothing by itself. */
    Optional<Instant> viewEarlier(FavoriteWindow window) {
        return await(catchUp(window, null));
    }

    private Optional<Instant> await(CompletableFuture<Optional<Instant>> caughtUp) {
        try {
            return caughtUp.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a ranking is brought up to date", e);
        }
    }

    private CompletableFuture<Optional<Instant>> catchUp(FavoriteWindow window, @Nullable Watch watch) {
        var started = new CompletableFuture<Optional<Instant>>();
        var others = catchingUp.putIfAbsent(window, started);
        if (others != null) {
            return others;
        }
        // Much work perhaps, which goes on when its viewer has gone: pages must not wait for it.
        threads.execute(() -> Workload.BACKGROUND.run(() -> catchUp(window, watch, started)));
        return started;
    }

    private void catchUp(FavoriteWindow window, @Nullable Watch watch, CompletableFuture<Optional<Instant>> started) {
        Runnable end = () -> started.complete(Optional.empty());
        try {
            var asOf = catchUpNow(window, watch);
            end = () -> started.complete(asOf);
        } catch (RuntimeException e) {
            // The edge of this thread: the next view tries again.
            var cause = e instanceof CompletionException && e.getCause() instanceof RuntimeException why ? why : e;
            if (cause instanceof QueryDbException) {
                QueryDbException.warn(log, cause, "ranking not brought up to date: window={}", window);
            } else {
                end = () -> started.completeExceptionally(cause);
            }
        } finally {
            // Before those who wait go on: their next view must not find this one.
            catchingUp.remove(window);
            end.run();
        }
    }

    private Optional<Instant> catchUpNow(FavoriteWindow window, @Nullable Watch watch) {
        var begun = clock.instant();
        var counted = watermarks.countedUpTo();
        var done = sweeps.catchUp(window);
        if (done && watch != null && begun.isAfter(watch.from().plus(KNOWN))) {
            watched.live(window, watch);
        }
        return done ? Optional.of(counted) : Optional.empty();
    }

    /**
     * The time for which the first places of a window's ranking are true: up to which everything is counted and ranked, or
     * up to which what left a window that moves on is taken out of it, if that is earlier.
     */
    Instant asOf(FavoriteWindow window) {
        var ranked = view(window).orElseGet(() -> earlier(watermarks.countedUpTo(), sweeps.rankedUpTo(window)));
        return window.isRolling() ? earlier(ranked, sweeps.sweptUpTo(window)) : ranked;
    }

    /**
     * Of one that is over: what came late is ranked at once, and what was noted until its end for the first viewer. No later than
     * until rollups knew its days: marks that are taken back after that stay in it. One that is to come has nothing to be ranked.
     */
    Instant asOf(Span over) {
        var counted = watermarks.countedUpTo();
        if (over.to() != null && over.to().isAfter(clock.instant())) {
            return counted;
        }
        var ranked = sweeps.rankedUpTo(over.window());
        var asOf =
                isBehind(over, ranked) ? viewEarlier(over.window()).orElseGet(() -> earlier(counted, ranked)) : counted;
        return Rollup.knownUntil(over).map(until -> earlier(asOf, until)).orElse(asOf);
    }

    static boolean isBehind(Span over, Instant rankedUpTo) {
        return over.to() != null && rankedUpTo.isBefore(over.to());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
