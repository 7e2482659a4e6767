package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.PAGE;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

class RankingsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock);
    }

    @Test
    void equalCountsShareARankAndWhoReachedItFirstComesFirst() {
        marked("b", 3);
        clock.advance(Duration.ofSeconds(1));
        marked("late", 2);
        clock.set(FavoritesFixture.NOW);
        marked("z", 2);
        marked("a", 2);
        marked("last", 1);

        assertThat(fixture.top(FavoriteWindow.ALL_TIME))
                .extracting(
                        RankedRestaurant::rank,
                        RankedRestaurant::position,
                        one -> one.restaurant().value(),
                        RankedRestaurant::count)
                .containsExactly(
                        row(1, 1, "b", 3),
                        row(2, 2, "a", 2),
                        row(2, 3, "z", 2),
                        row(2, 4, "late", 2),
                        row(5, 5, "last", 1));
    }

    private static Tuple row(long rank, long position, String restaurant, long count) {
        return tuple(rank, position, restaurant, count);
    }

    @Test
    void aRestaurantWithoutMarksIsInNoRanking() {
        marked("a", 1);
        deliver(fixture.unmark("user-0", "a").orElseThrow());

        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).isEmpty();
        assertThat(fixture.counted("a")).containsEntry(FavoriteWindow.ALL_TIME, 0L);
    }

    @Test
    void aMarkThatIsTakenBackCountsLessInTheWindowInWhichItWasMade() {
        marked("a", 2);
        var day = Rollup.day(clock.instant());
        clock.advance(Duration.ofDays(2));
        marked("b", 1);

        deliver(fixture.unmark("user-0", "a").orElseThrow());

        assertThat(top(FavoriteWindow.DAY, day)).containsExactly(Map.entry("a", 1L));
        assertThat(top(FavoriteWindow.DAY, day.plusDays(2))).containsExactly(Map.entry("b", 1L));
        assertThat(fixture.counted("a"))
                .containsEntry(FavoriteWindow.DAY, 0L)
                .containsEntry(FavoriteWindow.WEEK, 0L)
                .containsEntry(FavoriteWindow.LAST_7_DAYS, 1L);
    }

    @Test
    void aWeekIsTrueForNoLaterTimeThanItLosesMarksThatAreTakenBack() {
        marked("a", 3);
        var day = Rollup.day(clock.instant());
        var until = Instant.parse("2036-07-18T00:00:00Z");
        for (var takenBack : Map.of(until.minusMillis(1), "user-0", until, "user-1").entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList()) {
            clock.set(takenBack.getKey());
            fixture.watermarks.counted(clock.instant());
            deliver(fixture.unmark(takenBack.getValue(), "a").orElseThrow());

            var week = fixture.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.WEEK, day, PAGE);

            assertThat(week.asOf()).isEqualTo(clock.instant());
            assertThat(week.isFinal()).isEqualTo(clock.instant().equals(until));
            assertThat(week.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        }
        clock.advance(Duration.ofDays(3));
        fixture.watermarks.counted(clock.instant());

        assertThat(fixture.rankings
                        .top(FavoritesFixture.GRACE, FavoriteWindow.WEEK, day, PAGE)
                        .asOf())
                .isEqualTo(until);
        assertThat(fixture.rankings
                        .top(FavoritesFixture.GRACE, FavoriteWindow.MONTH, day, PAGE)
                        .asOf())
                .isEqualTo(clock.instant());
    }

    @Test
    void anHourADayAndAMonthAreOnlyListedWithMarksThatAreLeft() {
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        var made = fixture.mark("user-0", "a").orElseThrow();
        clock.advance(Duration.ofSeconds(1));
        deliver(fixture.unmark("user-0", "a").orElseThrow());
        hasNoHoursDaysAndMonths();

        assertThat(other.counts.handle(List.of(made))).isEmpty();
        hasNoHoursDaysAndMonths();

        marked("a", 2);
        assertThat(fixture.rankings.counts(FavoritesFixture.GRACE, restaurant("a")))
                .satisfies(counts -> assertThat(counts.hours()).containsValue(2L))
                .satisfies(counts -> assertThat(counts.days()).containsValue(2L))
                .satisfies(counts -> assertThat(counts.months()).containsValue(2L));
    }

    private void hasNoHoursDaysAndMonths() {
        assertThat(fixture.rankings.counts(FavoritesFixture.GRACE, restaurant("a")))
                .satisfies(counts -> assertThat(counts.hours()).isEmpty())
                .satisfies(counts -> assertThat(counts.days()).isEmpty())
                .satisfies(counts -> assertThat(counts.months()).isEmpty());
    }

    @Test
    void nothingIsReachedInAWindowAfterItsEnd() {
        marked("a", 2);
        var day = Rollup.day(clock.instant());
        var end = Objects.requireNonNull(Span.on(FavoriteWindow.DAY, day).to());
        clock.set(end.plusSeconds(60));
        deliver(fixture.unmark("user-0", "a").orElseThrow());
        deliver(fixture.mark("user-0", "a").orElseThrow());

        fixture.sweeps.rankRest();

        assertThat(fixture.rankings
                        .top(FavoritesFixture.GRACE, FavoriteWindow.DAY, day, PAGE)
                        .page()
                        .nodes())
                .singleElement()
                .satisfies(ranked -> assertThat(ranked.reachedAt()).isBefore(end));
    }

    @Test
    void windowsThatMoveOnLoseWhatLeavesThem() {
        marked("a", 2);
        fixture.sweeps.rankRest();
        assertThat(fixture.top(FavoriteWindow.LAST_24_HOURS)).hasSize(1);

        // 12:00 is the first of 24 hours until 12:00 of the next day.
        clock.set(Instant.parse("2036-06-16T11:59:59.999Z"));
        fixture.sweeps.sweep();
        assertThat(fixture.top(FavoriteWindow.LAST_24_HOURS)).hasSize(1);
        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        fixture.sweeps.sweep();
        assertThat(fixture.top(FavoriteWindow.LAST_24_HOURS)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.LAST_7_DAYS)).hasSize(1);
        clock.set(Instant.parse("2036-06-22T00:00:00Z"));
        fixture.sweeps.sweep();
        assertThat(fixture.top(FavoriteWindow.LAST_7_DAYS)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.LAST_30_DAYS)).hasSize(1);
        clock.set(Instant.parse("2036-07-15T00:00:00Z"));
        fixture.sweeps.sweep();
        assertThat(fixture.top(FavoriteWindow.LAST_30_DAYS)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(1);
    }

    @Test
    void saysForWhichTimeItIsTrue() {
        marked("a", 1);
        assertThat(asOf(FavoriteWindow.ALL_TIME)).isEqualTo(Instant.EPOCH);

        fixture.watermark.writeHeartbeat();
        var heartbeat = heartbeat();
        clock.advance(Duration.ofSeconds(5));
        assertThat(fixture.counts.handle(List.of(heartbeat))).isEmpty();
        fixture.sweeps.sweep();

        var upTo = FavoritesFixture.NOW.minus(CountingWatermark.MARGIN);
        assertThat(asOf(FavoriteWindow.ALL_TIME)).isEqualTo(upTo);
        assertThat(asOf(FavoriteWindow.LAST_24_HOURS)).isEqualTo(upTo);
        assertThat(fixture.rankings
                        .counts(FavoritesFixture.GRACE, restaurant("a"))
                        .asOf())
                .isEqualTo(upTo);

        // The first read also takes out what has left the window.
        clock.set(Instant.parse("2036-06-15T15:59:00Z"));
        fixture.watermarks.counted(clock.instant());
        assertThat(asOf(FavoriteWindow.LAST_24_HOURS)).isEqualTo(clock.instant());
        clock.advance(Duration.ofSeconds(4));
        assertThat(fixture.top(FavoriteWindow.LAST_24_HOURS)).hasSize(1);

        // What leaves it during a read is not taken out yet.
        clock.set(Instant.parse("2036-06-15T16:00:30Z"));
        fixture.watermarks.counted(clock.instant());
        assertThat(asOf(FavoriteWindow.LAST_24_HOURS)).isEqualTo(Instant.parse("2036-06-15T16:00:00Z"));
        assertThat(asOf(FavoriteWindow.LAST_7_DAYS)).isEqualTo(clock.instant());
        fixture.sweeps.sweep();
        assertThat(asOf(FavoriteWindow.LAST_24_HOURS)).isEqualTo(clock.instant());
    }

    @Test
    void aHeartbeatOfAFailedBatchDoesNotAdvanceTheWatermark() {
        fixture.watermark.writeHeartbeat();
        var heartbeat = heartbeat();
        var mark = fixture.marks("a", 0, 1).getFirst();
        var corrupt = new ChangeRecord(
                "corrupt",
                mark.at(),
                mark.kind(),
                mark.key(),
                mark.type(),
                null,
                Item.at(mark.key()).type(mark.type()).build());

        assertThat(fixture.counts.handle(List.of(heartbeat, corrupt))).containsOnlyKeys(corrupt);
        assertThat(asOf(FavoriteWindow.ALL_TIME)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void whatFollowsFromOlderRollupsTakesNoPlace() {
        var spans = Span.current(clock.instant());
        marked("a", 3);
        fixture.counters.count(
                restaurant("a"),
                DynamoFavorites.events(fixture.mark("user-8", "a").orElseThrow()));
        var older = Rollup.sum(fixture.rollups.all(restaurant("a")).values());
        var client = InterruptedClient.before(
                PutItemRequest.class::isInstance,
                1,
                LocalDynamoDb.shared().directClient(),
                () -> deliver(fixture.mark("user-9", "a").orElseThrow()));
        var slow = new FavoritesFixture(table.queryDb(client, clock), clock, 1);

        slow.dynamoRanks.write(restaurant("a"), spans, older, clock.instant());

        assertThat(fixture.ranked("a")).containsEntry(FavoriteWindow.ALL_TIME, 5L);
    }

    /** The clock of one who counts is behind, or it takes its time, while the hour changes. */
    @Test
    void whatFollowsFromAnEarlierWindowTakesNoPlace() {
        marked("a", 1);
        var before = clock.instant();
        clock.set(Instant.parse("2036-06-16T11:30:00Z"));
        marked("a", "user-7");
        fixture.top(FavoriteWindow.LAST_24_HOURS);
        fixture.ranks.rank(restaurant("a"), Span.current(clock.instant()));
        var late = clock.instant();
        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        fixture.sweeps.sweep();
        var rollup = Rollup.sum(fixture.rollups.all(restaurant("a")).values());
        assertThat(before).isBefore(late);

        // The same rollup; and one that is newer, so that it is worth its place, but not the window.
        var slow = new FavoritesFixture(table.queryDb(clock), clock, 1);
        slow.dynamoRanks.write(restaurant("a"), List.of(Span.at(FavoriteWindow.LAST_24_HOURS, late)), rollup, late);
        assertThat(ranked24h()).isEqualTo(1);
        fixture.counters.count(
                restaurant("a"),
                DynamoFavorites.events(fixture.mark("user-9", "a").orElseThrow()));
        rollup = Rollup.sum(fixture.rollups.all(restaurant("a")).values());
        slow.dynamoRanks.write(restaurant("a"), List.of(Span.at(FavoriteWindow.LAST_24_HOURS, late)), rollup, late);
        assertThat(ranked24h()).isEqualTo(2);
    }

    /** Somebody ranks newer rollups in the window of the hour before; the sweep comes a moment later with older ones. */
    @Test
    void whoeverMovesAWindowOnReadsRollupsAnewWhereNewerOnesWereRankedInTheOldOne() {
        marked("a", 1);
        clock.set(Instant.parse("2036-06-16T11:59:59Z"));
        fixture.top(FavoriteWindow.LAST_24_HOURS);
        fixture.ranks.rank(restaurant("a"), Span.current(clock.instant()));
        var late = clock.instant();
        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        var client = InterruptedClient.before(
                PutItemRequest.class::isInstance, 1, LocalDynamoDb.shared().directClient(), () -> {
                    fixture.counters.count(
                            restaurant("a"),
                            DynamoFavorites.events(fixture.mark("user-9", "a").orElseThrow()));
                    var newer = Rollup.sum(fixture.rollups.all(restaurant("a")).values());
                    fixture.dynamoRanks.write(
                            restaurant("a"), List.of(Span.at(FavoriteWindow.LAST_24_HOURS, late)), newer, late);
                });

        new FavoritesFixture(table.queryDb(client, clock), clock, 1).sweeps.sweep();

        assertThat(ranked24h()).isEqualTo(1);
    }

    /** What instances before this version write has no begin of the window. */
    @Test
    void takesThePlaceOfWhatAnOlderInstanceHasRanked() {
        marked("a", 1);
        fixture.top(FavoriteWindow.LAST_24_HOURS);
        fixture.ranks.rank(restaurant("a"), Span.current(clock.instant()));
        var key = DynamoRanks.key(restaurant("a"), Span.at(FavoriteWindow.LAST_24_HOURS, clock.instant()));
        fixture.db.update(Update.of(key).remove("from"));

        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        new FavoritesFixture(table.queryDb(clock), clock).sweeps.sweep();

        assertThat(ranked24h()).isZero();
    }

    private long ranked24h() {
        var span = Span.at(FavoriteWindow.LAST_24_HOURS, clock.instant());
        return fixture.db
                .get(DynamoRanks.key(restaurant("a"), span))
                .map(item -> item.integer("count"))
                .orElse(0L);
    }

    @Test
    void anEarlierHeartbeatDoesNotMoveTheWatermarkBack() {
        fixture.watermarks.counted(FavoritesFixture.NOW);
        fixture.watermarks.counted(FavoritesFixture.NOW.minusSeconds(9));

        assertThat(fixture.watermarks.findCountedUpTo()).contains(FavoritesFixture.NOW);
    }

    @Test
    void movementIsMeasuredByTheWindowBefore() {
        marked("a", 3);
        marked("b", 2);
        marked("c", 1);
        clock.advance(Duration.ofDays(1));
        deliver(fixture.marks("c", 10, 13));
        deliver(fixture.marks("a", 10, 12));
        deliver(fixture.marks("new", 10, 11));

        var today = fixture.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.DAY, null, PAGE);
        var before = fixture.rankings.before(FavoritesFixture.GRACE, today.span());

        assertThat(before.at()).isEqualTo("2036-06-16T00:00:00Z");
        assertThat(movements(today, before)).containsExactly("c 2", "a -1", "new null");
    }

    @Test
    void movementOfAllTimeIsMeasuredByTheBeginOfTheDay() {
        marked("a", 3);
        marked("b", 2);
        clock.set(Instant.parse("2036-06-16T00:00:05Z"));
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(2);
        fixture.earlier.snapshot();
        clock.advance(Duration.ofHours(5));
        deliver(fixture.marks("b", 10, 13));
        new FavoritesFixture(table.queryDb(clock), clock).earlier.snapshot();

        var now = fixture.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.ALL_TIME, null, PAGE);
        var before = fixture.rankings.before(FavoritesFixture.GRACE, now.span());

        assertThat(before.at()).isEqualTo("2036-06-16T00:00:05Z");
        assertThat(movements(now, before)).containsExactly("b 1", "a -1");
    }

    private static List<String> movements(Rankings.Ranking ranking, Rankings.Before before) {
        return ranking.page().nodes().stream()
                .map(one -> one.restaurant() + " " + before.movement(one))
                .toList();
    }

    static LongStream seeds() {
        return TasksFixture.FULL_SOAK ? LongStream.of(1, 2, 3) : LongStream.of(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPageHasTheRanksOfTheWholeList(long seed) {
        var random = new Random(seed);
        var counts = new HashMap<String, Integer>();
        for (var i = 0; i < 60; i++) {
            counts.put("restaurant-" + i, 1 + random.nextInt(5));
        }
        var delivered = new ArrayList<ChangeRecord>();
        counts.forEach((restaurant, count) -> {
            clock.set(FavoritesFixture.NOW.plusSeconds(random.nextInt(3)));
            delivered.addAll(fixture.marks(restaurant, 0, count));
        });
        fixture.counts.handle(delivered);
        var all = fixture.top(FavoriteWindow.ALL_TIME);

        assertThat(all)
                .isSortedAccordingTo(Comparator.comparingLong(RankedRestaurant::count)
                        .reversed()
                        .thenComparing(RankedRestaurant::reachedAt)
                        .thenComparing(RankedRestaurant::restaurant));
        for (var i = 0; i < all.size(); i++) {
            var one = all.get(i);
            var better =
                    all.stream().filter(other -> other.count() > one.count()).count();
            assertThat(one.position()).isEqualTo(i + 1);
            assertThat(one.rank()).isEqualTo(better + 1);
        }
        for (var size : List.of(1, 7, 20, 60)) {
            assertThat(FavoritesTest.forward(size, this::page)).isEqualTo(all);
            assertThat(FavoritesTest.backward(size, this::page)).isEqualTo(all);
        }
    }

    private Page<RankedRestaurant> page(PageRequest request) {
        return fixture.rankings
                .top(FavoritesFixture.GRACE, FavoriteWindow.ALL_TIME, null, request)
                .page();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.1.1", "1.1.1.", "1.1.1.x", "-1.1.1.x", "99999999999999999999.1.1.x"})
    void refusesACursorOfItsOwnMaking(String cursor) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> fixture.rankings.top(
                        FavoritesFixture.GRACE, FavoriteWindow.DAY, null, PageRequest.forward(1, cursor)))
                .returns("INVALID_CURSOR", InvalidInput::code)
                .returns("after", InvalidInput::field);
    }

    @Test
    void refusesAPlaceThatNoRankingHas() {
        marked("a", 2);
        marked("b", 1);
        var cursor = Objects.requireNonNull(page(PageRequest.forward(1, null)).endCursor());

        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> page(PageRequest.forward(1, "9999999999" + cursor.substring(1))))
                .returns("INVALID_CURSOR", InvalidInput::code);
    }

    @Test
    void aRankingThatIsToComeCostsNoMoreThanItsPage() {
        marked("a", 1);
        var on = Rollup.day(clock.instant()).plusYears(60);
        Runnable look = () -> assertThat(fixture.rankings
                        .top(FavoritesFixture.GRACE, FavoriteWindow.DAY, on, PAGE)
                        .page()
                        .nodes())
                .isEmpty();

        assertThat(table.meter().during(look).requests()).isLessThan(5);
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> Span.on(FavoriteWindow.DAY, LocalDate.of(9999, 12, 31)))
                .returns("INVALID_DAY", InvalidInput::code)
                .returns("on", InvalidInput::field);
    }

    @Test
    void whoAsksForTheEndOfAnotherDayDoesNotMakeTheEndOfTodayOld() {
        marked("a", 1);
        clock.advance(Duration.ofDays(1));
        var today = Rollup.day(clock.instant());
        marked("b", 1);
        last(today);
        marked("c", 2);
        for (var minute = 0; minute < 3; minute++) {
            clock.advance(Duration.ofSeconds(61));
            last(today.minusDays(1));
            last(today);
        }

        assertThat(last(today)).returns(2L, RankedRestaurant::position);
    }

    @Test
    void theEndIsReadOnceHoweverManyAskForItAtTheSameTime() throws InterruptedException {
        for (var i = 0; i < 10; i++) {
            marked("restaurant-" + i, 1);
        }
        fixture.top(FavoriteWindow.DAY);
        var reads = new AtomicInteger();
        var client = InterruptedClient.before(
                RankingsTest::isReadOfAnEnd,
                Integer.MAX_VALUE,
                LocalDynamoDb.shared().directClient(),
                reads::incrementAndGet);
        var instances = List.of(
                new FavoritesFixture(table.queryDb(client, clock), clock),
                new FavoritesFixture(table.queryDb(client, clock), clock));
        var today = Rollup.day(clock.instant());

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.invokeAll(IntStream.range(0, 20)
                            .mapToObj(
                                    i -> (Callable<@Nullable RankedRestaurant>) () -> last(instances.get(i % 2), today))
                            .toList())
                    .forEach(last -> assertThat(last.resultNow()).returns(10L, RankedRestaurant::position));
        }

        assertThat(reads).as("a query for each shard").hasValue(FavoritesFixture.RANK_SHARDS);
    }

    private static boolean isReadOfAnEnd(Object request) {
        return request instanceof QueryRequest query
                && query.projectionExpression() != null
                && query.expressionAttributeValues().values().stream()
                        .anyMatch(value -> value.s() != null && value.s().startsWith("FAVRANK#day:"));
    }

    /** An instance that does something else before it reads an end for the first time. */
    private FavoritesFixture beforeTheEndIsRead(Runnable meanwhile) {
        var client = InterruptedClient.before(
                RankingsTest::isReadOfAnEnd, 1, LocalDynamoDb.shared().directClient(), meanwhile);
        return new FavoritesFixture(table.queryDb(client, clock), clock);
    }

    @Test
    void whoAsksWhileTheEndIsReadAgainDoesNotWaitForIt() throws Exception {
        marked("restaurant-1", 1);
        fixture.top(FavoriteWindow.DAY);
        var today = Rollup.day(clock.instant());
        last(today);
        clock.advance(Duration.ofSeconds(70));
        var begun = new CountDownLatch(1);
        var goOn = new Semaphore(0);
        var instance = beforeTheEndIsRead(() -> {
            begun.countDown();
            goOn.acquireUninterruptibly();
        });

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> last(instance, today));
            begun.await();

            assertThat(last(instance, today)).isNotNull().returns(1L, RankedRestaurant::position);
            assertThat(first).isNotDone();
            goOn.release();
        }
    }

    @Test
    void whoWaitsForTheEndReadsItWhereWhoReadsItFails() throws Exception {
        marked("restaurant-1", 1);
        fixture.top(FavoriteWindow.DAY);
        var today = Rollup.day(clock.instant());
        var begun = new CountDownLatch(1);
        var goOn = new Semaphore(0);
        var instance = beforeTheEndIsRead(() -> {
            begun.countDown();
            goOn.acquireUninterruptibly();
            throw new IllegalStateException("its time is over");
        });
        var found = new CompletableFuture<@Nullable RankedRestaurant>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> last(instance, today));
            begun.await();
            var second = Thread.startVirtualThread(() -> found.complete(last(instance, today)));
            await().until(() -> second.getState() == Thread.State.WAITING);
            goOn.release();

            assertThat(first).failsWithin(Duration.ofMinutes(1));
            assertThat(found.get()).isNotNull().returns(1L, RankedRestaurant::position);
        }
    }

    private @Nullable RankedRestaurant last(LocalDate on) {
        return last(fixture, on);
    }

    private static @Nullable RankedRestaurant last(FavoritesFixture fixture, LocalDate on) {
        return fixture
                .rankings
                .top(FavoritesFixture.GRACE, FavoriteWindow.DAY, on, PageRequest.backward(1, null))
                .page()
                .nodes()
                .stream()
                .findFirst()
                .orElse(null);
    }

    private void marked(String restaurant, int count) {
        deliver(fixture.marks(restaurant, 0, count));
    }

    private void marked(String restaurant, String user) {
        deliver(fixture.mark(user, restaurant).orElseThrow());
    }

    private void deliver(List<ChangeRecord> records) {
        assertThat(fixture.counts.handle(records)).isEmpty();
    }

    private void deliver(ChangeRecord record) {
        deliver(List.of(record));
    }

    private Instant asOf(FavoriteWindow window) {
        return fixture.rankings.top(FavoritesFixture.GRACE, window, null, PAGE).asOf();
    }

    private List<Map.Entry<String, Long>> top(FavoriteWindow window, LocalDate day) {
        return fixture.rankings.top(FavoritesFixture.GRACE, window, day, PAGE).page().nodes().stream()
                .map(one -> Map.entry(one.restaurant().value(), one.count()))
                .toList();
    }

    private ChangeRecord heartbeat() {
        var item = fixture.db.get(new Key("FAVBEAT", "META")).orElseThrow();
        return fixture.record(null, item).orElseThrow();
    }
}
