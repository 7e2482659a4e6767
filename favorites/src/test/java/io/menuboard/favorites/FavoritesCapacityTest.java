package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.NOW;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static io.menuboard.favorites.FavoritesFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.favorites.DynamoRollups.Listing;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.TransactionCharges;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.requests.Usage;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    private static final int INSTANCES = TasksFixture.FULL_SOAK ? 50 : 10;
    private static final int BATCHES = 40;
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
        assertThat(cost(() -> fixture.favorites.favorite(GRACE, ADA, PIZZERIA))).isEqualTo(new Units(1, 0, 3));
        assertThat(cost(() -> fixture.favorites.isFavorite(GRACE, ADA, PIZZERIA)))
                .isEqualTo(new Units(1, 1, 0));
        var hundred =
                IntStream.range(0, 100).mapToObj(i -> restaurant("r-" + i)).toList();
        // DynamoDB Local charges nothing for those that are not there.
        assertThat(cost(() -> fixture.favorites.areFavorites(GRACE, ADA, hundred))
                        .requests())
                .isEqualTo(1);
        // Of a refused write, DynamoDB does not report what it consumed: one unit.
        assertThat(cost(() -> fixture.favorites.favorite(GRACE, ADA, PIZZERIA))).isEqualTo(new Units(1, 0, 0));
        assertThat(cost(() -> fixture.favorites.unfavorite(GRACE, ADA, PIZZERIA)))
                .isEqualTo(new Units(2, 1, 3));
        assertThat(cost(() -> fixture.favorites.unfavorite(GRACE, ADA, PIZZERIA)))
                .isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void listsCostByTheirPages() {
        for (var i = 0; i < 200; i++) {
            clock.advance(Duration.ofMillis(1));
            fixture.favorites.favorite(GRACE, ADA, restaurant("restaurant-" + i));
            fixture.favorites.favorite(GRACE, user("user-" + i), PIZZERIA);
        }

        // 65 marks of some 250 bytes.
        assertThat(cost(() -> fixture.favorites.favorites(GRACE, ADA, PageRequest.forward(64, null))))
                .isEqualTo(new Units(1, 2, 0));
        // A half for each shard, and another one for those that have more of the page than others.
        var ofRestaurant = cost(() -> fixture.favorites.favoritedBy(GRACE, PIZZERIA, PageRequest.forward(64, null)));
        assertThat(ofRestaurant.read()).isBetween(MARK_SHARDS * 0.5, MARK_SHARDS * 1.0);
        // All 200, of which none is sent.
        var favorites = fixture.favorites.favorites(GRACE, ADA, PageRequest.forward(64, null));
        assertThat(cost(favorites::totalCount)).satisfies(units -> {
            assertThat(units.requests()).isEqualTo(1);
            assertThat(units.read()).isBetween(5.5, 7.0);
        });
        var users = fixture.favorites.favoritedBy(GRACE, PIZZERIA, PageRequest.forward(64, null));
        assertThat(cost(users::totalCount).requests()).isEqualTo(MARK_SHARDS);
        assertThat(users.totalCount()).isEqualTo(Count.exactly(200));
    }

    /** A restaurant with a thousand marks a second, delivered in batches of a hundred, ranked every 0.7 seconds. */
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
        count(made(0, 4_000, MILLI.dividedBy(2)));
        var batches = new ArrayList<List<MarkEvent>>();
        for (var i = 0; i < 2 * BATCHES; i++) {
            var first = 4_000 + i * 75;
            var batch = new ArrayList<>(made(first, 75, MILLI.dividedBy(2)));
            batch.addAll(takenBack(i * 25, 25, NOW.plus(MILLI.dividedBy(2).multipliedBy(4_000 + i * 100L))));
            batches.add(batch);
        }

        assertThat(costOfAnEvent(batches, 14)).isLessThanOrEqualTo(0.1);
        assertThat(fixture.counted(PIZZERIA.value()))
                .containsEntry(FavoriteWindow.ALL_TIME, 4_000L + 2 * BATCHES * 50L);
    }

    private double costOfAnEvent(List<List<MarkEvent>> batches, int batchesBetweenRankings) {
        var cost = cost(() -> {
            for (var i = 0; i < batches.size(); i++) {
                count(batches.get(i));
                if (i % batchesBetweenRankings == 0) {
                    fixture.ranks.rank(PIZZERIA, Span.current(clock.instant()));
                }
            }
        });
        return (cost.read() + cost.write()) / (batches.size() * BATCH);
    }

    private void count(List<MarkEvent> events) {
        fixture.counters.count(PIZZERIA, events);
    }

    /** One after the other. */
    private static List<MarkEvent> made(int from, int size, Duration apart) {
        return IntStream.range(from, from + size)
                .mapToObj(i -> StreamRecords.made(i + 1, PIZZERIA.value(), NOW.plus(apart.multipliedBy(i))))
                .flatMap(delivered -> DynamoFavorites.events(delivered).stream())
                .toList();
    }

    private static List<MarkEvent> takenBack(int from, int size, Instant at) {
        return IntStream.range(from, from + size)
                .mapToObj(i -> StreamRecords.takenBack(
                        i + 1, PIZZERIA.value(), NOW.plus(MILLI.dividedBy(2).multipliedBy(i)), at))
                .flatMap(delivered -> DynamoFavorites.events(delivered).stream())
                .toList();
    }

    /** 5,000 marks a second on one restaurant, counted by four instances every 0.1 seconds, ranked every 0.7. */
    @Test
    void noKeyTakesTooMuchOfABusyRestaurant() {
        var load = new KeyLoad(LocalDynamoDb.shared().directClient());
        var instances = IntStream.range(0, 4)
                .mapToObj(counterShard -> new FavoritesFixture(
                        table.queryDb(load.proxy(), clock), clock, counterShard, MARK_SHARDS, RANK_SHARDS))
                .toList();
        var rounds = 10;
        var marks = made(0, 500 * rounds, Duration.ofNanos(200_000));

        for (var round = 0; round < rounds; round++) {
            for (var i = 0; i < instances.size(); i++) {
                var counterShard = i;
                var delivered = marks.subList(round * 500, (round + 1) * 500);
                instances
                        .get(i)
                        .counters
                        .count(
                                PIZZERIA,
                                delivered.stream()
                                        .filter(event -> Math.floorMod(event.mark() >> 1, 4L) == counterShard)
                                        .toList());
                if (round % 7 == 0) {
                    instances.get(i).ranks.rank(PIZZERIA, Span.current(clock.instant()));
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
    void aLoneMarkCostsFiveUnitsAndThreeForEachRankingInUse() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        var first = List.of(fixture.mark("user-9", "diner").orElseThrow());
        var second = List.of(fixture.mark("user-10", "diner").orElseThrow());
        var third = List.of(fixture.mark("user-11", "diner").orElseThrow());
        var fourth = List.of(fixture.mark("user-12", "diner").orElseThrow());

        // The rollup and the listing are read, and made in a transaction of five units; a page and a rollup in
        // another one; a note; which rankings are viewed.
        assertThat(cost(() -> fixture.counts.handle(first))).isEqualTo(new Units(7, 3, 4 + 5 + 1));
        assertThat(cost(() -> fixture.counts.handle(second))).isEqualTo(new Units(3, 1, 4 + 1));
        view(FavoriteWindow.ALL_TIME, FavoriteWindow.DAY);
        fixture.counts.handle(third);
        // Besides: the rollups, and two counts, each of which moves in its index.
        assertThat(cost(() -> fixture.counts.handle(fourth))).isEqualTo(new Units(6, 2, 4 + 1 + 2 * 3));
    }

    /** In three rankings, in one of which it is among the first two. */
    @Test
    void aPlaceAfterTheFirstOnesIsReadAndOneAmongThemIsNot() {
        fixture = new FavoritesFixture(db, clock, 0, MARK_SHARDS, RANK_SHARDS, 2);
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 4));
        fixture.counts.handle(fixture.marks("diner", 0, 4));
        fixture.counts.handle(fixture.marks("cafe", 0, 1));
        clock.advance(Duration.ofDays(1));
        fixture.counts.handle(fixture.marks("cafe", 1, 2));
        view(FavoriteWindow.ALL_TIME, FavoriteWindow.MONTH, FavoriteWindow.DAY);

        fixture.counts.handle(List.of(fixture.mark("user-8", PIZZERIA.value()).orElseThrow()));

        assertThat(readOfItems(fixture.mark("user-2", "cafe").orElseThrow())).isEqualTo(2 * 0.5);
        assertThat(readOfItems(fixture.mark("user-9", PIZZERIA.value()).orElseThrow()))
                .isZero();
    }

    private double readOfItems(ChangeRecord mark) {
        table.meter().during(() -> fixture.counts.handle(List.of(mark)));
        return table.meter().usages().stream()
                .filter(usage -> usage.operation().equals("getBatch"))
                .mapToDouble(Usage::readUnits)
                .sum();
    }

    /** At once and within the day that follows: by sweeps, windows that move on, snapshots, and the nightly recount. */
    @Test
    void aLoneMarkCostsFourteenUnitsInAllWithTwoRankingsInUseAndEightWithNone() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        for (var window : FavoriteWindow.values()) {
            fixture.top(window);
        }

        assertThat(ofADayWithAMark("user-3") - ofADay()).isEqualTo(8);
        assertThat(ofADayWithAMark("user-4", FavoriteWindow.ALL_TIME) - ofADay(FavoriteWindow.ALL_TIME))
                .isEqualTo(11);
        var two = new FavoriteWindow[] {FavoriteWindow.ALL_TIME, FavoriteWindow.MONTH};
        assertThat(ofADayWithAMark("user-5", two) - ofADay(two)).isEqualTo(14);
    }

    @Test
    void theLastMarkThatLeavesAWindowCostsTwoUnitsAndAnyOtherThree() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 2));
        fixture.counts.handle(fixture.marks("diner", 0, 1));
        clock.advance(Duration.ofHours(1));
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 2, 3));
        view(FavoriteWindow.LAST_24_HOURS);
        clock.advance(Duration.ofHours(23));

        // And up to when that is done, and what was noted is ranked.
        assertThat(cost(() -> fixture.sweeps.sweep()).write()).isEqualTo(3 + 2 + 1 + 1);
    }

    private double ofADayWithAMark(String user, FavoriteWindow... viewed) {
        viewAndLeave(viewed);
        var mark = cost(() -> fixture.favorites.favorite(GRACE, user(user), PIZZERIA));
        var item = db.get(DynamoFavorites.key(user(user), PIZZERIA)).orElseThrow();
        var delivered = fixture.record(null, item).orElseThrow();
        var counted =
                cost(() -> assertThat(fixture.counts.handle(List.of(delivered))).isEmpty());
        return mark.write() + counted.write() + quietDay();
    }

    private double ofADay(FavoriteWindow... viewed) {
        viewAndLeave(viewed);
        return quietDay();
    }

    /** As on the day before. */
    private void viewAndLeave(FavoriteWindow... windows) {
        view(windows);
        quietDay();
        view(windows);
        clock.advance(Duration.ofMinutes(5));
    }

    private double quietDay() {
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);
        var written = 0.0;
        for (var steps = 0; steps < 12; steps++) {
            clock.advance(Duration.ofHours(2));
            fixture.watermarks.counted(clock.instant());
            written += cost(this::periodically).write();
        }
        return written + cost(() -> recount(recount)).write();
    }

    private void periodically() {
        fixture.sweeps.sweep();
        fixture.sweeps.rankRest();
        fixture.earlier.snapshot();
    }

    private void recount(Recount recount) {
        try {
            fixture.recountWork.recount(recount, _ -> {});
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRestaurantIsRankedOnceInAWhileHoweverManyMarksThereWereWithoutViewers() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        view(FavoriteWindow.ALL_TIME, FavoriteWindow.LAST_7_DAYS);
        clock.advance(FavoritesFixture.REST_EVERY.multipliedBy(2));
        fixture.sweeps.rankRest();
        for (var i = 10; i < 15; i++) {
            clock.advance(Duration.ofSeconds(1));
            fixture.counts.handle(fixture.marks(PIZZERIA.value(), i, i + 1));
        }
        clock.advance(FavoritesFixture.REST_EVERY.minusMinutes(1));
        assertThat(cost(() -> fixture.sweeps.rankRest())).isEqualTo(new Units(2, 1.5, 0));

        clock.advance(Duration.ofMinutes(1));
        // Which rankings are kept; how far they are, twice; whose turn it is; the notes, the rollups, two counts, and
        // how
        // far they are then.
        assertThat(cost(() -> fixture.sweeps.rankRest())).isEqualTo(new Units(9, 4, 1 + 2 * 3 + 1));
    }

    @Test
    void theFirstViewInALongTimePaysForTheRestaurantsMarkedMeanwhile() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        view(FavoriteWindow.ALL_TIME);
        for (var day = 1; day <= 5; day++) {
            clock.advance(Duration.ofDays(1));
            fixture.counts.handle(fixture.marks(PIZZERIA.value(), 10 * day, 10 * day + 2));
        }
        fixture.sweeps.rankRest();

        // That it was viewed, whose turn it is, a place, and how far it is.
        assertThat(cost(() -> assertThat(fixture.top(FavoriteWindow.ALL_TIME))
                                .singleElement()
                                .returns(13L, RankedRestaurant::count))
                        .write())
                .isEqualTo(1 + 1 + 3 + 1);
    }

    /** Until everybody who counts knows of it. */
    private void view(FavoriteWindow... windows) {
        for (var window : windows) {
            fixture.top(window);
        }
        clock.advance(Duration.ofSeconds(4));
        for (var window : windows) {
            fixture.top(window);
        }
    }

    @Test
    void viewingARankingCostsLittle() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        view(FavoriteWindow.ALL_TIME);

        // Up to when marks are counted, that it was viewed, and eight shards, seven of which are empty.
        assertThat(cost(() -> fixture.top(FavoriteWindow.ALL_TIME))).isEqualTo(new Units(10, 1.5, 0));
        clock.advance(WatchedRankings.HOLDS.minusSeconds(30));
        assertThat(cost(() -> fixture.top(FavoriteWindow.ALL_TIME))).isEqualTo(new Units(11, 1.5, 1));
    }

    /**
     * A fortieth of 8,000 restaurants with 5,000 marks a second, counted by four instances, which note them every 0.2 seconds,
     * while every ranking is viewed, of a quarter of the shards. Nothing of a restaurant can be added up.
     */
    @Test
    void marksOfManyRestaurantsCostTenUnitsAtMostAndNoKeyTakesTooMuch() {
        var scale = 40;
        var shards = RANK_SHARDS / 4;
        var restaurants = 8_000 / scale;
        var perSecond = 5_000 / scale;
        var rounds = 12;
        var random = new Random(5);
        var load = new KeyLoad(LocalDynamoDb.shared().directClient());
        var charged = new TransactionCharges(load.proxy()).proxy();
        var instances = IntStream.range(0, 4)
                .mapToObj(counterShard -> new FavoritesFixture(
                        table.queryDb(charged, clock),
                        clock,
                        counterShard,
                        MARK_SHARDS,
                        shards,
                        FavoritesFactory.FIRST_PLACES / scale,
                        Duration.ofMillis(200),
                        TasksFixture.tasks(db, clock)))
                .toList();
        var names = IntStream.range(0, restaurants)
                .mapToObj(i -> restaurant("restaurant-%04d".formatted(i)))
                .toList();
        for (var counterShard = 0; counterShard < 4; counterShard++) {
            marked(names, counterShard, random);
        }
        var first = instances.getFirst();
        names.forEach(name -> first.ranks.rank(name, Span.current(clock.instant())));
        first.watermarks.ranked(Set.of(FavoriteWindow.values()), clock.instant());
        for (var instance : instances) {
            for (var window : FavoriteWindow.values()) {
                instance.top(window);
            }
        }
        clock.advance(Duration.ofSeconds(4));
        Arrays.stream(FavoriteWindow.values()).forEach(first::top);
        load.forget();

        var delivered = new AtomicInteger();
        var cost = cost(() -> {
            for (var round = 0; round < rounds; round++) {
                clock.advance(Duration.ofMillis(200));
                for (var instance : instances) {
                    var records = IntStream.range(0, perSecond / 5 / 4)
                            .mapToObj(_ -> delivered.incrementAndGet())
                            .map(user -> StreamRecords.made(
                                    1_000_000 + user,
                                    names.get(random.nextInt(restaurants)).value(),
                                    clock.instant()))
                            .toList();
                    assertThat(instance.counts.handle(records)).isEmpty();
                }
            }
        });
        var seconds = (double) delivered.get() / perSecond;
        var perKey = load.units();
        clock.advance(FavoritesFixture.REST_EVERY.plusMinutes(1));
        var rest = cost(() -> first.sweeps.rankRest());
        var restPerMark = Math.max(rest.write(), restaurants * 7 * 3.0)
                / (perSecond * (double) FavoritesFixture.REST_EVERY.toSeconds());
        // A note of forty times as many restaurants has 5 KB.
        var notes = Objects.requireNonNull(perKey.remove("FAVNOTED"));
        var ofNotes = notes / seconds * 5;
        var mark = 3.0;
        var perMark =
                mark + (cost.write() - notes) / delivered.get() + ofNotes / (perSecond * (double) scale) + restPerMark;
        assertThat(perMark).isLessThanOrEqualTo(10);
        assertThat(ofNotes).isLessThanOrEqualTo(400);
        var ofRankings = perKey.entrySet().stream()
                .filter(key -> key.getKey().startsWith("FAVRANK#"))
                .map(key -> key.getValue() / seconds * scale * shards / RANK_SHARDS)
                .toList();
        assertThat(ofRankings).hasSize(7 * shards).allMatch(units -> units <= 400);
        // All others are of one restaurant each.
        perKey.keySet().removeIf(key -> key.startsWith("FAVRANK#"));
        assertThat(perKey.keySet()).allMatch(key -> key.startsWith("RESTAURANT#") || key.startsWith("FAVSEEN#"));
        assertThat(perKey.values()).allMatch(units -> units / seconds <= 400);
    }

    /** Some thousand marks of all these restaurants together, which are not ranked yet. */
    private void marked(List<RestaurantId> names, int counterShard, Random random) {
        for (var from = 0; from < names.size(); from += 50) {
            var writes = new ArrayList<Write>();
            for (var name : names.subList(from, Math.min(names.size(), from + 50))) {
                var hours = Map.of(NOW.truncatedTo(ChronoUnit.HOURS), 100L + random.nextInt(50));
                writes.add(DynamoRollups.put(name, counterShard, Rollup.NOTHING.plus(hours, NOW, NOW)));
                writes.add(fixture.rollups.list(name, new Listing(counterShard, 0), 0));
            }
            db.transact(writes);
        }
    }

    @Test
    void theFirstHundredCostTwoUnitsAShardAtMostHoweverManyRestaurantsThereAre() {
        // On a server of its own, which is slow afterwards.
        try (var server = LocalDynamoDb.inMemory()) {
            LocalTables.create(server, table.definition());
            var many = table.queryDb(server.directClient(), clock);
            var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
            var ranks = new DynamoRanks(many, RANK_SHARDS, 1_050, Runnable::run);
            var rankings = new FavoritesFixture(many, clock, 0, MARK_SHARDS, RANK_SHARDS).rankings;
            var costs = new ArrayList<Double>();
            for (var size : List.of(1_000, 5_000)) {
                many.saveBatch(IntStream.range(costs.isEmpty() ? 0 : 1_000, size)
                                .mapToObj(i -> new Rank(restaurant("restaurant-" + i), 1 + i * 31L % 1_000, NOW))
                                .map(rank -> new Save(ranks.item(rank, span, 1, null), SaveMode.ANY))
                                .toList())
                        .orThrow();

                table.meter().during(() -> assertThat(
                                rankings.top(GRACE, FavoriteWindow.ALL_TIME, null, PageRequest.forward(100, null))
                                        .page()
                                        .nodes())
                        .hasSize(100));

                var ofShards = table.meter().usages().stream()
                        .filter(usage -> usage.operation().equals("favorite ranking"))
                        .toList();
                assertThat(ofShards).hasSizeGreaterThanOrEqualTo(RANK_SHARDS);
                costs.add(ofShards.stream().mapToDouble(Usage::readUnits).sum());
            }
            assertThat(costs).allMatch(units -> units <= 2.0 * RANK_SHARDS);
            assertThat(costs.getLast()).isLessThanOrEqualTo(costs.getFirst() + 1);
        }
    }

    /** Snapshots have a hundred places here, and 1,000 in the application. */
    @Test
    void whoPagesThroughARankingPaysForOneSnapshot() {
        var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
        db.saveBatch(IntStream.range(0, 2 * FavoritesFixture.FIRST_PLACES)
                        .mapToObj(i -> new Rank(restaurant("restaurant-" + i), 1_000 + i, NOW))
                        .map(rank -> new Save(fixture.dynamoRanks.item(rank, span, 1, null), SaveMode.ANY))
                        .toList())
                .orThrow();
        view(FavoriteWindow.ALL_TIME);
        var first = PageRequest.forward(10, null);
        var next = PageRequest.forward(10, walk(fixture, PageRequest.forward(11, null)));
        clock.advance(RankingPages.SHARED);
        var live = cost(() -> fixture.rankings.top(
                GRACE, FavoriteWindow.ALL_TIME, null, PageRequest.forward(FavoritesFixture.FIRST_PLACES, null)));
        var other = new FavoritesFixture(db, clock, 1, MARK_SHARDS, RANK_SHARDS);

        var begun = cost(() -> walk(fixture, first));

        // Whether there is one, and the snapshot.
        assertThat(begun).isEqualTo(new Units(live.requests() + 2, live.read() + 1, 4));
        assertThat(cost(() -> walk(fixture, first))).isEqualTo(new Units(0, 0, 0));
        assertThat(cost(() -> walk(fixture, next))).isEqualTo(new Units(0, 0, 0));
        assertThat(cost(() -> walk(other, next))).isEqualTo(new Units(1, 1, 0));
    }

    private static String walk(FavoritesFixture instance, PageRequest request) {
        var page = instance.rankings
                .walk(GRACE, FavoriteWindow.ALL_TIME, null, request)
                .page();
        return Objects.requireNonNull(page.endCursor());
    }

    @Test
    void theLastOfARankingCostNoMoreThanTheFirstButOnceAMinute() {
        var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
        db.saveBatch(IntStream.range(0, 1_000)
                        .mapToObj(i -> new Rank(restaurant("restaurant-" + i), 1 + i % 3, NOW))
                        .map(rank -> new Save(fixture.dynamoRanks.item(rank, span, 1, null), SaveMode.ANY))
                        .toList())
                .orThrow();
        view(FavoriteWindow.ALL_TIME);
        var lastTen = PageRequest.backward(10, null);
        var whole = cost(() -> fixture.rankings.top(GRACE, FavoriteWindow.ALL_TIME, null, lastTen));

        var again = cost(() -> assertThat(fixture.rankings
                        .top(GRACE, FavoriteWindow.ALL_TIME, null, lastTen)
                        .page()
                        .nodes())
                .hasSize(10)
                .allSatisfy(one ->
                        assertThat(one).returns(1L, RankedRestaurant::count).returns(667L, RankedRestaurant::rank))
                .last()
                .returns(1_000L, RankedRestaurant::position));

        assertThat(whole.read()).isGreaterThan(20);
        // Up to when marks are counted, that it was viewed, how many there are, and the end of eight shards.
        assertThat(again.read()).isLessThanOrEqualTo(8);
        assertThat(again.write()).isZero();
        clock.advance(Duration.ofMinutes(1));
        assertThat(cost(() -> fixture.rankings.top(GRACE, FavoriteWindow.ALL_TIME, null, lastTen))
                        .read())
                .isGreaterThan(20);
    }

    @Test
    void readingCostsLittle() {
        fixture.counts.handle(fixture.marks(PIZZERIA.value(), 0, 3));
        fixture.watermarks.counted(NOW);
        fixture.sweeps.sweep();

        assertThat(cost(() -> fixture.rankings.counts(GRACE, PIZZERIA))).isEqualTo(new Units(2, 1.5, 0));
        assertThat(cost(() -> fixture.sweeps.sweep())).isEqualTo(new Units(1, 1, 0));
        view(FavoriteWindow.LAST_7_DAYS, FavoriteWindow.LAST_30_DAYS);
        assertThat(cost(() -> fixture.sweeps.sweep())).isEqualTo(new Units(3, 2, 0));
        assertThat(cost(() -> fixture.watermark.writeHeartbeat())).isEqualTo(new Units(1, 0, 1));
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(1);
    }

    @Test
    void manyInstancesRankTheRestForTheWritesOfOne() {
        // A restaurant's first places cost less than moving them.
        rankingTheRest(2);
        var one = rankingTheRest(1);
        var many = rankingTheRest(INSTANCES);

        System.out.printf(
                "ten minutes and the rest of 20 restaurants: one instance %s, %d of them %s%n", one, INSTANCES, many);
        assertThat(one.write()).isGreaterThanOrEqualTo(20 * 2 * 3);
        assertThat(many.write()).isLessThanOrEqualTo(1.1 * one.write());
        // Each reads every half a minute which rankings are kept, how far they are, and how far they are ranked.
        assertThat(many.read()).isLessThanOrEqualTo(one.read() + (INSTANCES - 1) * 20 * 4);
    }

    /** Of marks of twenty restaurants, where two rankings were viewed, by so many instances that take turns. */
    private Units rankingTheRest(int instances) {
        view(FavoriteWindow.ALL_TIME, FavoriteWindow.LAST_7_DAYS);
        clock.advance(FavoritesFixture.REST_EVERY.multipliedBy(2));
        fixture.sweeps.rankRest();
        for (var restaurant = 0; restaurant < 20; restaurant++) {
            fixture.counts.handle(fixture.marks("rest-" + restaurant, 10 * instances, 10 * instances + 1));
        }
        var sweeps = Stream.generate(() -> new FavoritesFixture(db, clock, 0, MARK_SHARDS, RANK_SHARDS).sweeps)
                .limit(instances)
                .toList();
        return cost(() -> {
            for (var view = 0; view < 20; view++) {
                clock.advance(Duration.ofSeconds(30));
                // Not a parallel stream: while it waits, it would run the tests of other classes in this thread.
                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    sweeps.stream()
                            .map(sweep -> CompletableFuture.runAsync(
                                    () -> {
                                        sweep.sweep();
                                        sweep.rankRest();
                                    },
                                    threads))
                            .toList()
                            .forEach(CompletableFuture::join);
                }
            }
        });
    }

    private Units cost(Runnable action) {
        return table.meter().during(action);
    }
}
