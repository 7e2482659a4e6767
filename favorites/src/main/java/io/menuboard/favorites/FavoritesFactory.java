package io.menuboard.favorites;

import io.menuboard.access.CurrentAccess;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Wires favorites. Its instants go by the clock of the table, which instances agree on. */
@Factory
final class FavoritesFactory {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration NIGHTLY_CHECK_INTERVAL = Duration.ofMinutes(5);
    private static final Duration NOTE_INTERVAL = Duration.ofMillis(200);
    private static final Duration WATCHED_REFRESH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration FIRST_VIEW_PATIENCE = Duration.ofSeconds(1);

    /** A thousand, which are promised, and some that may be among them before it is read again which they are. */
    static final int FIRST_PLACES = 1_010;

    /** As many as are always up to date. */
    private static final int SNAPSHOT_PLACES = 1_000;

    /** A quarter of an hour of four instances that count all the time; more is read faster from rollups. */
    static final int MOST_NOTES = 20_000;

    /** Four million events that were lost and reconciled. */
    static final int RECONCILED_BYTES = 32 << 20;

    @Singleton
    @Named("favoriteMarkShards")
    SharedSetting favoriteMarkShards(FavoritesConfig config) {
        return SharedSetting.neverLowered("menuboard.favorites.mark-shards", config.markShards());
    }

    @Singleton
    @Named("favoriteRankShards")
    SharedSetting favoriteRankShards(FavoritesConfig config) {
        return SharedSetting.neverLowered("menuboard.favorites.rank-shards", config.rankShards());
    }

    @Singleton
    @Named("favoriteCounterShards")
    SharedSetting favoriteCounterShards(FavoritesConfig config) {
        return SharedSetting.neverLowered("menuboard.favorites.counter-shards", config.counterShards())
                .storedAs("menuboard.favorites.lanes");
    }

    @Singleton
    @Named("favorites")
    @Bean(preDestroy = "shutdownNow")
    ExecutorService threads() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("favorites-", 0).factory());
    }

    @Singleton
    DynamoFavorites marks(QueryDb db, FavoritesConfig config) {
        return new DynamoFavorites(db, new SecureRandom(), config.markShards());
    }

    @Singleton
    DynamoRollups rollups(QueryDb db, FavoritesConfig config) {
        return new DynamoRollups(db, config.rankShards());
    }

    @Singleton
    DynamoRanks dynamoRanks(QueryDb db, FavoritesConfig config, @Named("favorites") ExecutorService threads) {
        return new DynamoRanks(db, config.rankShards(), FIRST_PLACES, threads);
    }

    @Singleton
    DynamoRankNotes dynamoNotes(QueryDb db) {
        return new DynamoRankNotes(db);
    }

    @Singleton
    RankNotes notes(DynamoRankNotes notes, TableClock clock, @Named("favorites") ExecutorService threads) {
        return new RankNotes(notes, clock, NOTE_INTERVAL, threads);
    }

    @Singleton
    WatchedRankings watched(QueryDb db, TableClock clock) {
        return new WatchedRankings(new DynamoRankingWatches(db), clock, WATCHED_REFRESH_INTERVAL);
    }

    @Singleton
    LiveRankings live(
            WatchedRankings watched,
            FavoriteSweeps sweeps,
            DynamoWatermarks watermarks,
            TableClock clock,
            @Named("favorites") ExecutorService threads) {
        return new LiveRankings(watched, sweeps, watermarks, clock, FIRST_VIEW_PATIENCE, threads);
    }

    @Singleton
    RankWriter rankWriter(DynamoRollups rollups, DynamoRanks ranks, TableClock clock, FavoritesConfig config) {
        return new RankWriter(rollups, ranks, clock, config.concurrency());
    }

    @Singleton
    RankingDebouncer debouncer(
            RankWriter writer,
            RankNotes notes,
            WatchedRankings watched,
            TableClock clock,
            FavoritesConfig config,
            @Named("favorites") ExecutorService threads) {
        return new RankingDebouncer(writer, notes, watched, clock, config.rankEvery(), threads);
    }

    @Singleton
    DynamoWatermarks watermarks(QueryDb db) {
        return new DynamoWatermarks(db);
    }

    @Singleton
    CountingWatermark watermark(DynamoWatermarks watermarks, TableClock clock) {
        return new CountingWatermark(watermarks, clock);
    }

    @Singleton
    DynamoEventLedger ledger(QueryDb db) {
        return new DynamoEventLedger(db, RECONCILED_BYTES);
    }

    @Singleton
    DynamoCounters counters(
            QueryDb db,
            DynamoEventLedger ledger,
            DynamoRollups rollups,
            AuditTrail audit,
            TableClock clock,
            FavoritesConfig config) {
        var settings = new DynamoCounters.Settings(config.counterShards(), config.concurrency());
        return new DynamoCounters(db, ledger, rollups, audit, clock, settings);
    }

    @Singleton
    FavoriteCounts counts(
            DynamoCounters counters,
            RankingDebouncer debouncer,
            CountingWatermark watermark,
            @Named("favorites") ExecutorService threads) {
        return new FavoriteCounts(counters, debouncer, watermark, threads);
    }

    @Singleton
    ChangeBatchHandler changes(FavoriteCounts counts) {
        return counts;
    }

    @Singleton
    FavoriteSweeps sweeps(
            RankWriter writer,
            DynamoRollups rollups,
            DynamoRankNotes notes,
            DynamoWatermarks watermarks,
            WatchedRankings watched,
            InstanceLeases leases,
            TableClock clock,
            FavoritesConfig config) {
        var settings = new FavoriteSweeps.Settings(leases, clock, config.rankRestEvery(), MOST_NOTES);
        return new FavoriteSweeps(writer, rollups, notes, watermarks, watched, settings);
    }

    @Singleton
    Favorites favorites(DynamoFavorites marks, TableClock clock) {
        return new Favorites(marks, clock);
    }

    @Singleton
    DynamoRankSnapshots snapshots(QueryDb db) {
        return new DynamoRankSnapshots(db);
    }

    @Singleton
    RankingPages pages(DynamoRankSnapshots snapshots, DynamoRanks ranks, InstanceLeases leases, TableClock clock) {
        return new RankingPages(ranks, new RankingEnds(snapshots, ranks, leases, clock), snapshots, SNAPSHOT_PLACES);
    }

    @Singleton
    EarlierRankings earlier(
            RankingPages pages,
            DynamoWatermarks watermarks,
            FavoriteSweeps sweeps,
            WatchedRankings watched,
            DynamoRankSnapshots snapshots,
            TableClock clock) {
        return new EarlierRankings(pages, watermarks, sweeps, watched, snapshots, clock);
    }

    @Singleton
    Rankings rankings(
            RankingPages pages,
            EarlierRankings earlier,
            DynamoRollups rollups,
            DynamoWatermarks watermarks,
            LiveRankings live,
            TableClock clock) {
        return new Rankings(pages, earlier, rollups, watermarks, live, clock);
    }

    @Singleton
    RestaurantRecount restaurantRecount(
            DynamoFavorites marks,
            DynamoEventLedger ledger,
            DynamoRollups rollups,
            DynamoCounters counters,
            RankWriter writer,
            WatchedRankings watched,
            DynamoWatermarks watermarks,
            AuditTrail audit,
            TableClock clock) {
        var settings = new RecountSnapshots.Settings(clock, MarkSets.MOST, DynamoEventLedger.MOST_RECONCILED);
        var snapshots = new RecountSnapshots(marks, ledger, rollups, writer, watched, settings);
        return new RestaurantRecount(snapshots, counters, writer, watermarks, audit, PATIENCE);
    }

    @Singleton
    DynamoRecounts dynamoRecounts(QueryDb db, AuditTrail audit, TableClock clock) {
        return new DynamoRecounts(db, audit, clock, new SecureRandom());
    }

    @Singleton
    Recounts recounts(
            DynamoRecounts recounts,
            RestaurantRecount restaurants,
            TaskSubmission submission,
            TableClock clock,
            FavoritesConfig config) {
        return new Recounts(recounts, restaurants, submission, clock, config.recountAt());
    }

    @Singleton
    @Named("favorites")
    TaskWork work(
            DynamoRecounts recounts,
            RestaurantRecount restaurants,
            DynamoRollups rollups,
            CurrentAccess current,
            TableClock clock) {
        return new RecountWork(recounts, restaurants, rollups, current, clock).work();
    }

    @Singleton
    @Named("favoriteRecount")
    PeriodicJob nightly(Recounts recounts) {
        return new PeriodicJob("favorite-recount", NIGHTLY_CHECK_INTERVAL, () -> {
            recounts.nightly();
            recounts.submitMissingTasks();
        });
    }

    @Singleton
    @Named("favoriteSweep")
    PeriodicJob sweep(FavoriteSweeps sweeps, EarlierRankings earlier) {
        return new PeriodicJob("favorite-sweep", FavoriteSweeps.EVERY, () -> {
            sweeps.sweep();
            sweeps.rankRest();
            earlier.snapshot();
        });
    }

    @Singleton
    GraphQlModule graphQl(Favorites favorites, Rankings rankings, Recounts recounts) {
        return new FavoritesGraphQl(favorites, rankings, recounts);
    }
}
