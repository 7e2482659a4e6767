package io.menuboard.favorites;

import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.ChangeBatchHandler;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.PageLimits;
import io.menuboard.querydb.PeriodicWork;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.Tasks;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Wires favorites. Its instants go by the clock of the table, which instances agree on. */
@Factory
final class FavoritesFactory {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS_FOR_NIGHT = Duration.ofMinutes(5);

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
    DynamoTallies tallies(QueryDb db, FavoritesConfig config) {
        return new DynamoTallies(db, config.rankShards());
    }

    @Singleton
    DynamoRanks dynamoRanks(QueryDb db, FavoritesConfig config) {
        return new DynamoRanks(db, config.rankShards());
    }

    @Singleton
    FavoriteRanks ranks(
            DynamoTallies tallies,
            DynamoRanks ranks,
            TableClock clock,
            FavoritesConfig config,
            @Named("favorites") ExecutorService threads) {
        return new FavoriteRanks(tallies, ranks, clock, config.rankEvery(), config.concurrency(), threads);
    }

    @Singleton
    Beats beats(QueryDb db, TableClock clock) {
        return new Beats(db, clock);
    }

    @Singleton
    FavoriteCounts counts(
            QueryDb db,
            DynamoTallies tallies,
            FavoriteRanks ranks,
            Beats beats,
            TableClock clock,
            FavoritesConfig config,
            @Named("favorites") ExecutorService threads) {
        var lane = ThreadLocalRandom.current().nextInt(config.lanes());
        return new FavoriteCounts(db, tallies, ranks, beats, clock, lane, config.concurrency(), threads);
    }

    @Singleton
    ChangeBatchHandler changes(FavoriteCounts counts) {
        return counts;
    }

    @Singleton
    FavoriteSweeps sweeps(
            QueryDb db,
            DynamoRanks dynamoRanks,
            FavoriteRanks ranks,
            TableClock clock,
            @Named("favorites") ExecutorService threads) {
        return new FavoriteSweeps(db, dynamoRanks, ranks, clock, threads);
    }

    @Singleton
    Favorites favorites(DynamoFavorites marks, TableClock clock) {
        return new Favorites(marks, clock);
    }

    @Singleton
    Rankings rankings(
            QueryDb db,
            DynamoRanks ranks,
            DynamoTallies tallies,
            Beats beats,
            FavoriteSweeps sweeps,
            TableClock clock) {
        return new Rankings(ranks, tallies, beats, sweeps, new DynamoRankSnapshots(db), clock);
    }

    @Singleton
    Recounts recounts(
            QueryDb db,
            DynamoFavorites marks,
            FavoriteCounts counts,
            DynamoTallies tallies,
            DynamoRanks ranks,
            Beats beats,
            AuditTrail audit,
            Tasks tasks,
            TableClock clock,
            FavoritesConfig config,
            @Named("favorites") ExecutorService threads) {
        return new Recounts(
                new DynamoRecounts(db),
                new RestaurantRecount(marks, counts, tallies, ranks, beats, audit, clock, PATIENCE),
                tallies,
                new IdempotencyKeys(db, "favoriteRecount"),
                tasks,
                clock,
                new SecureRandom(),
                config.recountAt(),
                threads);
    }

    @Singleton
    @Named("favorites")
    TaskWork work(Recounts recounts) {
        return recounts.work();
    }

    @Singleton
    @Named("favoriteRecount")
    PeriodicWork nightly(Recounts recounts) {
        return new PeriodicWork("favorite-recount", BETWEEN_LOOKS_FOR_NIGHT, recounts::nightly);
    }

    @Singleton
    @Named("favoriteSweep")
    PeriodicWork sweep(FavoriteSweeps sweeps, Rankings rankings) {
        return new PeriodicWork("favorite-sweep", FavoriteSweeps.EVERY, () -> {
            sweeps.sweep();
            rankings.snapshot();
        });
    }

    @Singleton
    FavoritesGraphQl graphQl(Favorites favorites, Rankings rankings, Recounts recounts, PageLimits limits) {
        return new FavoritesGraphQl(favorites, rankings, recounts, limits);
    }

    @Singleton
    @Named("favoritesQuery")
    TypeRuntimeWiring query(FavoritesGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("favoritesMutation")
    TypeRuntimeWiring mutation(FavoritesGraphQl graphQl) {
        return graphQl.mutation();
    }

    @Singleton
    @Named("topRestaurantConnection")
    TypeRuntimeWiring topConnection(FavoritesGraphQl graphQl) {
        return graphQl.topConnection();
    }

    @Singleton
    @Named("rankedRestaurant")
    TypeRuntimeWiring ranked(FavoritesGraphQl graphQl) {
        return graphQl.ranked();
    }

    @Singleton
    @Named("favoriteRecount")
    TypeRuntimeWiring recountType(FavoritesGraphQl graphQl) {
        return graphQl.recountType();
    }

    @Singleton
    @Named("favoriteCounts")
    TypeRuntimeWiring countsType() {
        return FavoritesGraphQl.counts();
    }

    @Singleton
    @Named("favoriteConnection")
    TypeRuntimeWiring favoriteConnection() {
        return FavoritesGraphQl.connection("FavoriteConnection");
    }

    @Singleton
    @Named("favoriteRecountConnection")
    TypeRuntimeWiring favoriteRecountConnection() {
        return FavoritesGraphQl.connection("FavoriteRecountConnection");
    }

    @Singleton
    @Named("favoriteDriftConnection")
    TypeRuntimeWiring favoriteDriftConnection() {
        return FavoritesGraphQl.connection("FavoriteDriftConnection");
    }
}
