package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.NOW;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static io.menuboard.favorites.FavoritesFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.LocalDynamoDb;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.TransactionCharges;
import io.menuboard.querydb.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every access to favorites costs; {@code docs/capacity.md} lists it. What transactions cost is worked out, because
 * DynamoDB Local charges too little for them.
 */
class FavoritesCapacityTest {
    private static final UserId ADA = user("ada");
    private static final RestaurantId PIZZERIA = restaurant("pizzeria-0042");
    private static final int MARK_SHARDS = 16;
    private static final int RANK_SHARDS = 8;
    private static final int BATCHES = 100;
    private static final int BATCH = 100;
    private static final Duration MILLI = Duration.ofMillis(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        var charges = new TransactionCharges(LocalDynamoDb.shared().directClient());
        db = table.queryDb(charges.proxy(), clock);
        fixture = new FavoritesFixture(db, clock, 0, MARK_SHARDS, RANK_SHARDS);
    }

    @Test
    void markingIsOneWriteOfThreeUnits() {
        assertThat(cost(() -> fixture.favorites.favorite(ADA, PIZZERIA, GRACE))).isEqualTo(new Units(1, 0, 3));
        assertThat(cost(() -> fixture.favorites.isFavorite(ADA, PIZZERIA))).isEqualTo(new Units(1, 1, 0));
        // Of a refused write, DynamoDB does not report what it consumed: one unit.
        assertThat(cost(() -> fixture.favorites.favorite(ADA, PIZZERIA, GRACE))).isEqualTo(new Units(1, 0, 0));
        assertThat(cost(() -> fixture.favorites.unfavorite(ADA, PIZZERIA))).isEqualTo(new Units(2, 1, 3));
        assertThat(cost(() -> fixture.favorites.unfavorite(ADA, PIZZERIA))).isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void listsCostByTheirPages() {
        for (var i = 0; i < 200; i++) {
            clock.advance(Duration.ofMillis(1));
            fixture.favorites.favorite(ADA, restaurant("restaurant-" + i), GRACE);
            fixture.favorites.favorite(user("user-" + i), PIZZERIA, GRACE);
        }

        // 65 marks of some 250 bytes.
        assertThat(cost(() -> fixture.favorites.favorites(ADA, PageRequest.forward(64, null))))
                .isEqualTo(new Units(1, 2, 0));
        // A half for each shard, and another one for those that have more of the page than others.
        var ofRestaurant = cost(() -> fixture.favorites.favoritedBy(PIZZERIA, PageRequest.forward(64, null)));
        assertThat(ofRestaurant.read()).isBetween(MARK_SHARDS * 0.5, MARK_SHARDS * 1.0);
    }

    /** A restaurant with a thousand marks a second, told in batches of a hundred, ranked every 0.7 seconds. */
    @Test
    void anEventOfABusyRestaurantCostsATenthOfAUnitAtMost() {
        var batches = IntStream.rangeClosed(0, BATCHES)
                .mapToObj(i -> made(i * BATCH, BATCH, MILLI))
                .toList();
        count(batches.getFirst());

        assertThat(costOfAnEvent(batches.subList(1, batches.size()), 7)).isLessThanOrEqualTo(0.1);
        // All of it again: nothing is written.
        assertThat(cost(() -> batches.forEach(this::count)).write()).isZero();
    }

    /** Two thousand events a second, every fourth of which is a mark taken back that was made some seconds ago. */
    @Test
    void takingBackCostsABusyRestaurantNoMore() {
        count(made(0, 10_000, MILLI.dividedBy(2)));
        var batches = new ArrayList<List<MarkEvent>>();
        for (var i = 0; i < BATCHES; i++) {
            var first = 10_000 + i * 75;
            var batch = new ArrayList<>(made(first, 75, MILLI.dividedBy(2)));
            batch.addAll(takenBack(i * 25, 25, NOW.plus(MILLI.dividedBy(2).multipliedBy(10_000 + i * 100L))));
            batches.add(batch);
        }

        assertThat(costOfAnEvent(batches, 14)).isLessThanOrEqualTo(0.1);
        assertThat(fixture.counted(PIZZERIA.value())).containsEntry(FavoriteWindow.ALL_TIME, 10_000L + BATCHES * 50L);
    }

    private double costOfAnEvent(List<List<MarkEvent>> batches, int batchesBetweenRankings) {
        var cost = cost(() -> {
            for (var i = 0; i < batches.size(); i++) {
                count(batches.get(i));
                if (i % batchesBetweenRankings == 0) {
                    fixture.ranks.now(PIZZERIA, List.of());
                }
            }
        });
        return (cost.read() + cost.write()) / (batches.size() * BATCH);
    }

    private void count(List<MarkEvent> events) {
        fixture.counts.count(PIZZERIA, events);
    }

    /** One after the other. */
    private static List<MarkEvent> made(int from, int size, Duration apart) {
        return IntStream.range(from, from + size)
                .mapToObj(i -> Told.made(i + 1, PIZZERIA.value(), NOW.plus(apart.multipliedBy(i))))
                .flatMap(told -> MarkEvent.of(told).stream())
                .toList();
    }

    private static List<MarkEvent> takenBack(int from, int size, Instant at) {
        return IntStream.range(from, from + size)
                .mapToObj(i -> Told.takenBack(
                        i + 1, PIZZERIA.value(), NOW.plus(MILLI.dividedBy(2).multipliedBy(i)), at))
                .flatMap(told -> MarkEvent.of(told).stream())
                .toList();
    }

    /** 5,000 marks a second on one restaurant, counted by four instances every 0.1 seconds, ranked every 0.7. */
    @Test
    void noKeyTakesTooMuchOfABusyRestaurant() {
        var load = new KeyLoad(LocalDynamoDb.shared().directClient());
        var instances = IntStream.range(0, 4)
                .mapToObj(lane ->
                        new FavoritesFixture(table.queryDb(load.proxy(), clock), clock, lane, MARK_SHARDS, RANK_SHARDS))
                .toList();
        var rounds = 20;
        var marks = made(0, 500 * rounds, Duration.ofNanos(200_000));

        for (var round = 0; round < rounds; round++) {
            for (var i = 0; i < instances.size(); i++) {
                var lane = i;
                var told = marks.subList(round * 500, (round + 1) * 500);
                instances
                        .get(i)
                        .counts
                        .count(
                                PIZZERIA,
                                told.stream()
                                        .filter(event -> Math.floorMod(event.mark() >> 1, 4L) == lane)
                                        .toList());
                if (round % 7 == 0) {
                    instances.get(i).ranks.now(PIZZERIA, List.of());
                }
            }
        }

        assertThat(fixture.counted(PIZZERIA.value())).containsEntry(FavoriteWindow.ALL_TIME, 500L * rounds);
        var seconds = rounds / 10.0;
        assertThat(load.units()).hasSizeGreaterThan(7);
        assertThat(load.units().values()).allMatch(units -> units / seconds < 400);
        // Most of it is what remembers them, on eight keys.
        assertThat(load.units().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isGreaterThan(400 * seconds);
    }

    @Test
    void aLoneMarkCostsWhatSevenRankingsDo() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        var told = fixture.mark("user-9", PIZZERIA.value()).orElseThrow();

        // The first one, besides: the tally and the listing are looked for, and made in a transaction of five units.
        var first = List.of(fixture.mark("user-9", "diner").orElseThrow());
        assertThat(cost(() -> fixture.counts.handle(first))).isEqualTo(new Units(14, 3, 4 + 5 + 7 * 2));
        // A page and a tally in a transaction; the tallies; seven counts, each of which moves in its index.
        assertThat(cost(() -> fixture.counts.handle(List.of(told)))).isEqualTo(new Units(9, 1, 4 + 7 * 3));
    }

    @Test
    void theFirstHundredOfAHundredThousandCostTwoUnitsAShardAtMost() {
        // On a server of its own, which is slow afterwards.
        try (var server = LocalDynamoDb.inMemory()) {
            server.createTable(table.definition());
            var many = table.queryDb(server.directClient(), clock);
            var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
            var ranks = new DynamoRanks(many, RANK_SHARDS);
            many.saveBatch(IntStream.range(0, 100_000)
                            .mapToObj(i -> new Rank(restaurant("restaurant-" + i), 1 + i * 31L % 100_000, NOW))
                            .map(rank -> new Save(ranks.item(rank, span, 1, null), SaveMode.ANY))
                            .toList())
                    .orThrow();
            var rankings = new FavoritesFixture(many, clock, 0, MARK_SHARDS, RANK_SHARDS).rankings;

            table.meter()
                    .during(() -> assertThat(rankings.top(FavoriteWindow.ALL_TIME, null, PageRequest.forward(100, null))
                                    .page()
                                    .nodes())
                            .hasSize(100));

            var ofShards = table.meter().usages().stream()
                    .filter(usage -> usage.operation().equals("favorite ranking"))
                    .toList();
            assertThat(ofShards).hasSizeGreaterThanOrEqualTo(RANK_SHARDS);
            assertThat(ofShards.stream().mapToDouble(Usage::readUnits).sum()).isLessThanOrEqualTo(2.0 * RANK_SHARDS);
        }
    }

    @Test
    void readingCostsLittle() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        fixture.beats.counted(NOW);
        fixture.sweeps.sweep();

        assertThat(cost(() -> fixture.rankings.counts(PIZZERIA))).isEqualTo(new Units(2, 1.5, 0));
        assertThat(cost(() -> fixture.sweeps.sweep())).isEqualTo(new Units(3, 1.5, 0));
        assertThat(cost(() -> fixture.beats.beat())).isEqualTo(new Units(1, 0, 1));
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(1);
    }

    private Units cost(Runnable action) {
        return table.meter().during(action);
    }
}
