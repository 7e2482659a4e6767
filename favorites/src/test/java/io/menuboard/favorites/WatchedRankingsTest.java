package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.requests.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Ranking at once of rankings that somebody views, and of the rest later (ADR 19). */
class WatchedRankingsTest {
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(4);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock);
    }

    @Test
    void aRankingThatSomebodyViewsFollowsAtOnceAndOthersLater() {
        view(FavoriteWindow.ALL_TIME, FavoriteWindow.LAST_30_DAYS);
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));
        view(FavoriteWindow.WEEK);

        deliver(fixture.marks("a", 0, 2));

        assertThat(item("a", FavoriteWindow.WEEK)).hasValue(2);
        assertThat(item("a", FavoriteWindow.ALL_TIME)).isEmpty();
        clock.advance(FavoritesFixture.REST_EVERY);
        fixture.sweeps.rankRest();
        assertThat(item("a", FavoriteWindow.ALL_TIME)).hasValue(2);
        assertThat(item("a", FavoriteWindow.LAST_30_DAYS)).hasValue(2);
        assertThat(item("a", FavoriteWindow.MONTH)).isEmpty();
    }

    @Test
    void theFirstViewHasWhatWasCountedBefore() {
        fixture.sweeps.rankRest();
        deliver(fixture.marks("a", 0, 2));
        deliver(fixture.marks("b", 0, 3));

        var counts = fixture.top(FavoriteWindow.LAST_7_DAYS).stream()
                .map(RankedRestaurant::count)
                .toList();

        assertThat(counts).containsExactly(3L, 2L);
        assertThat(item("b", FavoriteWindow.MONTH)).isEmpty();
    }

    @Test
    void aRankingIsNoLongerUpdatedWithoutViewers() {
        view(FavoriteWindow.DAY);
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));

        deliver(fixture.marks("a", 0, 1));

        assertThat(item("a", FavoriteWindow.DAY)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.DAY)).hasSize(1);
    }

    @Test
    void repeatedViewsHaveEverythingAlsoWhenTheCountingInstanceHasJustReadTheWatches() {
        var late = new FavoritesFixture(table.queryDb(clock), clock, 1);
        var slow = new WatchedRankings(new DynamoRankingWatches(late.db), clock, Duration.ofHours(1));
        var ranks = new RankingDebouncer(late.ranks, late.collectedNotes, slow, clock, Duration.ZERO, Runnable::run);
        assertThat(slow.watched()).isEmpty();
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).isEmpty();

        var mark = fixture.marks("a", 0, 1).getFirst();
        late.counters.count(restaurant("a"), DynamoFavorites.events(mark));
        ranks.rank(restaurant("a"), List.of()).join();

        assertThat(item("a", FavoriteWindow.ALL_TIME)).isEmpty();
        clock.advance(UNTIL_KNOWN);
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(1);
    }

    @Test
    void placesAfterTheFirstAreRankedLater() {
        var first = FavoritesFixture.FIRST_PLACES;
        deliverTwoMarksOf(first);
        view(FavoriteWindow.ALL_TIME);

        deliver(fixture.marks("far", 0, 1));
        assertThat(item("far", FavoriteWindow.ALL_TIME)).isEmpty();
        deliver(fixture.marks("far", 1, 3));
        assertThat(item("far", FavoriteWindow.ALL_TIME)).hasValue(3);
        // One that was among the first and is not any more.
        deliver(List.of(fixture.unmark("user-0", "restaurant-7").orElseThrow()));
        assertThat(item("restaurant-7", FavoriteWindow.ALL_TIME)).hasValue(1);
    }

    @Test
    void aRestaurantThatAnotherInstanceHasRankedAmongTheFirstDoesNotStayThereWhenItFalls() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock, 0, 3, 2, 2);
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1, 3, 2, 2);
        for (var name : List.of("a", "b", "c")) {
            deliver(fixture.marks(name, 0, 2));
        }
        deliver(fixture.marks("far", 0, 1));
        fixture.ranks.rank(restaurant("far"), List.of(Span.at(FavoriteWindow.ALL_TIME, clock.instant())));
        view(FavoriteWindow.ALL_TIME);
        assertThat(other.counts.handle(fixture.marks("far", 1, 5))).isEmpty();
        assertThat(item("far", FavoriteWindow.ALL_TIME)).hasValue(5);

        deliver(IntStream.range(1, 5)
                .mapToObj(user -> fixture.unmark("user-" + user, "far").orElseThrow())
                .toList());

        assertThat(item("far", FavoriteWindow.ALL_TIME)).hasValue(1);
    }

    @Test
    void aPlaceAmongEqualsIsThatOfWhenTheCountWasReachedLastWhicheverInstanceRankedIt() {
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        view(FavoriteWindow.ALL_TIME);
        deliver(fixture.marks("a", 0, 2));
        clock.advance(Duration.ofSeconds(1));
        deliver(fixture.marks("b", 0, 2));
        clock.advance(Duration.ofSeconds(1));
        // It has three of them for a while, as only the other instance knows.
        assertThat(other.counts.handle(fixture.marks("a", 2, 3))).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        deliver(List.of(fixture.unmark("user-2", "a").orElseThrow()));

        assertThat(fixture.top(FavoriteWindow.ALL_TIME))
                .extracting(one -> one.restaurant().value(), RankedRestaurant::count)
                .containsExactly(tuple("b", 2L), tuple("a", 2L));
    }

    @Test
    void aPlaceAmongEqualsStaysWhereACountIsRankedAnewByAnInstanceThatKnewAnEarlierOne() {
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        view(FavoriteWindow.ALL_TIME);
        deliver(fixture.marks("a", 0, 1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(other.counts.handle(fixture.marks("a", 1, 2))).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        deliver(fixture.marks("b", 0, 2));
        clock.advance(Duration.ofSeconds(1));
        deliver(List.of(
                fixture.mark("user-2", "a").orElseThrow(),
                fixture.unmark("user-2", "a").orElseThrow()));

        assertThat(fixture.top(FavoriteWindow.ALL_TIME))
                .extracting(one -> one.restaurant().value(), RankedRestaurant::count)
                .containsExactly(tuple("a", 2L), tuple("b", 2L));
    }

    @Test
    void whatWasBehindTheFirstPlacesTakesThoseThatAWindowLosesWhenItMovesOn() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock, 0, 3, 2, 2);
        deliver(fixture.marks("a", 0, 3));
        deliver(fixture.marks("b", 0, 3));
        clock.set(Instant.parse("2036-06-16T11:50:00Z"));
        view(FavoriteWindow.LAST_24_HOURS);
        deliver(fixture.marks("far", 0, 2));
        assertThat(item("far", FavoriteWindow.LAST_24_HOURS)).isEmpty();

        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        fixture.sweeps.sweep();

        assertThat(item("far", FavoriteWindow.LAST_24_HOURS)).hasValue(2);
    }

    @Test
    void aRankingWithoutViewersForADayIsNotKept() {
        view(FavoriteWindow.MONTH, FavoriteWindow.LAST_7_DAYS);
        clock.advance(WatchedRankings.KEPT);
        view(FavoriteWindow.LAST_7_DAYS);
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));

        deliver(fixture.marks("a", 0, 2));
        clock.advance(FavoritesFixture.REST_EVERY);
        fixture.sweeps.rankRest();

        assertThat(item("a", FavoriteWindow.LAST_7_DAYS)).hasValue(2);
        assertThat(item("a", FavoriteWindow.MONTH)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.MONTH)).hasSize(1);
    }

    /** While more was marked than is noted for so long, or than the first viewer can read; and windows moved on. */
    @ParameterizedTest
    @CsvSource({"3, 2", "3, 60", "12, 2", "34, 52"})
    void theFirstViewInALongTimeHasEverythingOfAllThatTime(int days, int restaurants) {
        deliverTwoMarksOf(restaurants);
        for (var window : FavoriteWindow.values()) {
            fixture.top(window);
        }
        var first = clock.instant();
        for (var day = 0; day < days; day++) {
            clock.advance(Duration.ofDays(1));
            for (var i = 0; i < restaurants; i++) {
                if (restaurants < 10 || i % days == day) {
                    deliver(fixture.marks("restaurant-" + i, 10 + day, 11 + day));
                }
            }
            clock.advance(Duration.ofMinutes(30));
            fixture.sweeps.sweep();
            fixture.sweeps.rankRest();
        }
        var last = new FavoritesFixture(table.queryDb(clock), clock, 1);
        last.watermarks.counted(clock.instant());

        var names =
                IntStream.range(0, restaurants).mapToObj(i -> "restaurant-" + i).toList();
        last.ranked(names).forEach((name, ranked) -> assertThat(ranked).as(name).isEqualTo(last.recounted(name)));
        for (var window : List.of(FavoriteWindow.DAY, FavoriteWindow.WEEK, FavoriteWindow.MONTH)) {
            var marks = last.favorites
                    .favoritedBy(FavoritesFixture.GRACE, restaurant("restaurant-1"), FavoritesFixture.PAGE)
                    .nodes();
            for (var span = Span.at(window, first);
                    !span.first().isAfter(Rollup.day(clock.instant()));
                    span = span.next().orElseThrow()) {
                var of = span;
                var ranking = last.rankings.top(FavoritesFixture.GRACE, window, span.first(), FavoritesFixture.PAGE);
                var known = Rollup.knownUntil(span).filter(until -> until.isBefore(clock.instant()));
                assertThat(ranking.asOf()).as(span.key()).isEqualTo(known.orElse(clock.instant()));
                assertThat(ranking.page().nodes().stream()
                                .filter(one -> one.restaurant().equals(restaurant("restaurant-1")))
                                .mapToLong(RankedRestaurant::count)
                                .sum())
                        .as(span.key())
                        .isEqualTo(marks.stream()
                                .filter(mark -> of.contains(mark.created()))
                                .count());
            }
        }
    }

    @Test
    void aRankingThatIsBeingRebuiltElsewhereSaysHowOldItIs() {
        deliver(fixture.marks("a", 0, 2));
        fixture.watermarks.counted(clock.instant());
        var leases = new InstanceLeases(fixture.db, clock);
        assertThat(leases.hold("favorite-rank-all-MONTH", "another", Duration.ofMinutes(1)))
                .isTrue();

        var ranking = fixture.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, FavoritesFixture.PAGE);

        assertThat(ranking.asOf()).isEqualTo(Instant.EPOCH);
        clock.advance(Duration.ofMinutes(1));
        assertThat(fixture.top(FavoriteWindow.MONTH)).hasSize(1);
    }

    @Test
    void aRankingThatTakesMinutesToRebuildIsRebuiltByOneInstance() {
        for (var i = 0; i < 20; i++) {
            deliver(fixture.marks("restaurant-" + i, 0, 1));
        }
        var others = new ArrayList<Boolean>();
        // Restaurants are ranked one shard after the other.
        var client = InterruptedClient.before(
                request -> isQuery(request, "FAVRESTAURANTS#"),
                Integer.MAX_VALUE,
                LocalDynamoDb.shared().directClient(),
                () -> {
                    clock.advance(Duration.ofSeconds(45));
                    others.add(fixture.sweeps.catchUp(FavoriteWindow.MONTH));
                });
        var slow = new FavoritesFixture(table.queryDb(client, clock), clock, 1);

        assertThat(slow.sweeps.catchUp(FavoriteWindow.MONTH)).isTrue();

        assertThat(others).hasSize(FavoritesFixture.RANK_SHARDS).containsOnly(false);
        assertThat(item("restaurant-7", FavoriteWindow.MONTH)).hasValue(1);
    }

    @Test
    void whoViewsARankingWhoseRebuildHasFailedBeginsItAgainAtOnce() {
        deliver(fixture.marks("a", 0, 2));
        var other = failing(
                request -> request instanceof PutItemRequest put
                        && AttributeValue.fromS(rank("a", FavoriteWindow.MONTH).partition())
                                .equals(put.item().get("pk")),
                Integer.MAX_VALUE);
        assertThat(other.top(FavoriteWindow.MONTH)).isEmpty();

        var ranking = fixture.top(FavoriteWindow.MONTH);

        assertThat(ranking).singleElement().returns(2L, RankedRestaurant::count);
    }

    @Test
    void aRankingThatIsRebuiltOverMidnightHasNothingOfTheDayThatLeftIt() {
        deliver(fixture.marks("a", 0, 1));
        clock.advance(Duration.ofDays(6));
        deliver(fixture.marks("a", 1, 2));
        clock.setTime("23:59:59");
        // Another instance moves the window on, before anything is ranked in it.
        var slow = beforeQuery("FAVRESTAURANTS#", () -> {
            clock.advance(Duration.ofSeconds(2));
            fixture.sweeps.sweep();
        });

        var ranking = slow.top(FavoriteWindow.LAST_7_DAYS);

        assertThat(fixture.watermarks.movedUpTo(FavoriteWindow.LAST_7_DAYS))
                .contains(Instant.parse("2036-06-22T00:00:00Z"));
        assertThat(ranking).singleElement().returns(1L, RankedRestaurant::count);
    }

    @Test
    void whatWasNotedIsRankedInTheHoursThatAreLeftWhereOneEndsMeanwhile() {
        clock.set(Instant.parse("2036-06-16T00:10:00Z"));
        fixture.top(FavoriteWindow.LAST_24_HOURS);
        clock.setTime("00:30:00");
        deliver(fixture.marks("a", 0, 1));
        clock.setTime("10:00:00");
        deliver(fixture.marks("a", 1, 2));
        assertThat(item("a", FavoriteWindow.LAST_24_HOURS)).isEmpty();
        clock.setTime("23:59:59");
        var slow = beforeQuery("FAVNOTED", () -> clock.advance(Duration.ofSeconds(2)));

        var ranking = slow.top(FavoriteWindow.LAST_24_HOURS);

        assertThat(ranking).singleElement().returns(1L, RankedRestaurant::count);
    }

    @Test
    void aRankingIsReadAsItIsWhereItsFirstViewCannotBeNoted() {
        view(FavoriteWindow.MONTH);
        deliver(fixture.marks("a", 0, 2));
        fixture.watermarks.counted(clock.instant());
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));
        var rankedUpTo = fixture.watermarks.rankedUpTo(FavoriteWindow.MONTH);
        var other = failing(WatchedRankingsTest::isWatch, 1);

        var ranking = other.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, FavoritesFixture.PAGE);

        assertThat(ranking.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        assertThat(ranking.asOf()).isEqualTo(rankedUpTo);
        assertThat(other.rankings
                        .top(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, FavoritesFixture.PAGE)
                        .asOf())
                .isEqualTo(fixture.watermarks.countedUpTo());
    }

    @Test
    void aRankingThatIsUpToDateStaysSoWhereItsViewCannotBeExtended() {
        view(FavoriteWindow.MONTH);
        deliver(fixture.marks("a", 0, 2));
        clock.advance(WatchedRankings.HOLDS.minusSeconds(10));
        fixture.watermarks.counted(clock.instant());

        var ranking =
                withoutWrites().rankings.top(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, FavoritesFixture.PAGE);

        assertThat(ranking.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        assertThat(ranking.asOf()).isEqualTo(clock.instant());
    }

    @ParameterizedTest
    @EnumSource
    void rankingsAreReadAsTheyAreWhereNothingCanBeWritten(FavoriteWindow window) {
        view(window);
        deliver(fixture.marks("a", 0, 2));
        var other = withoutWrites();
        assertThat(other.top(window)).hasSize(1);
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));
        deliver(fixture.marks("b", 0, 1));

        // Neither the view can be noted, nor, where somebody else has begun to watch, what was noted be ranked.
        assertThat(other.top(window)).hasSize(1);
        fixture.watched.view(window);
        assertThat(other.top(window)).hasSize(1);

        assertThat(fixture.top(window)).hasSize(2);
    }

    @Test
    void pagesOfARankingAreReadAsItIsWhereNoSnapshotCanBeKept() {
        deliver(fixture.marks("a", 0, 2));
        deliver(fixture.marks("b", 0, 1));
        fixture.top(FavoriteWindow.MONTH);
        var other = withoutWrites().rankings;

        var first = other.walk(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, PageRequest.forward(1, null))
                .page();
        var second = other.walk(
                        FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, PageRequest.forward(1, first.endCursor()))
                .page();

        assertThat(first.hasNextPage()).isTrue();
        assertThat(first.nodes()).extracting(RankedRestaurant::restaurant).containsExactly(restaurant("a"));
        assertThat(second.nodes()).extracting(RankedRestaurant::restaurant).containsExactly(restaurant("b"));
    }

    @Test
    void aRankingThatIsOverIsReadAsItIsWhereNothingCanBeWritten() {
        clock.set(Instant.parse("2036-06-15T23:50:00Z"));
        view(FavoriteWindow.DAY);
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        deliver(fixture.marks("a", 0, 2));
        clock.set(Instant.parse("2036-06-16T00:20:00Z"));
        fixture.watermarks.counted(clock.instant());

        var ranking = withoutWrites()
                .rankings
                .top(FavoritesFixture.GRACE, FavoriteWindow.DAY, LocalDate.parse("2036-06-15"), FavoritesFixture.PAGE);

        assertThat(ranking.asOf()).isEqualTo(fixture.watermarks.rankedUpTo(FavoriteWindow.DAY));
    }

    @Test
    void catchingUpIsBackgroundWorkThatTakesNothingFromPages() {
        deliver(fixture.marks("a", 0, 2));
        var ranking = new ConcurrentLinkedQueue<Workload>();
        var client = InterruptedClient.before(
                request -> request instanceof PutItemRequest put
                        && AttributeValue.fromS(rank("a", FavoriteWindow.MONTH).partition())
                                .equals(put.item().get("pk")),
                Integer.MAX_VALUE,
                LocalDynamoDb.shared().directClient(),
                () -> ranking.add(Workload.current()));
        var other = new FavoritesFixture(table.queryDb(client, clock), clock, 1);

        Workload.interactive(Duration.ofMinutes(1)).run(() -> other.top(FavoriteWindow.MONTH));

        assertThat(ranking).isNotEmpty().containsOnly(Workload.BACKGROUND);
    }

    private FavoritesFixture withoutWrites() {
        return failing(WatchedRankingsTest::isWrite, Integer.MAX_VALUE);
    }

    /** An instance whose first requests of that kind fail. */
    private FavoritesFixture failing(Predicate<DynamoDbRequest> request, int times) {
        var client =
                InterruptedClient.before(request, times, LocalDynamoDb.shared().directClient(), () -> {
                    throw SdkClientException.create("no reply came");
                });
        return new FavoritesFixture(table.queryDb(client, clock), clock, 1);
    }

    /** An instance before whose first query of such a partition something else happens. */
    private FavoritesFixture beforeQuery(String partition, Runnable meanwhile) {
        var client = InterruptedClient.before(
                request -> isQuery(request, partition),
                1,
                LocalDynamoDb.shared().directClient(),
                meanwhile);
        return new FavoritesFixture(table.queryDb(client, clock), clock, 1);
    }

    private static boolean isQuery(DynamoDbRequest request, String partition) {
        return request instanceof QueryRequest query
                && query.expressionAttributeValues().values().stream()
                        .anyMatch(value -> value.s() != null && value.s().startsWith(partition));
    }

    private static boolean isWatch(DynamoDbRequest request) {
        return request instanceof UpdateItemRequest update
                && AttributeValue.fromS("FAVWATCH").equals(update.key().get("pk"));
    }

    private static boolean isWrite(DynamoDbRequest request) {
        return request instanceof UpdateItemRequest
                || request instanceof PutItemRequest
                || request instanceof TransactWriteItemsRequest;
    }

    /** They rank in all windows, and note for all of them together how far they are. */
    @Test
    void whatInstancesOfTheVersionBeforeHaveRankedIsNotRankedAgain() {
        view(FavoriteWindow.MONTH);
        clock.advance(FavoritesFixture.REST_EVERY.multipliedBy(2));
        deliver(fixture.marks("a", 0, 2));
        fixture.db.update(Update.of(new Key("FAVSWEEP", "NOTED"))
                .set("upTo", clock.instant().plusSeconds(1).toEpochMilli()));

        fixture.sweeps.rankRest();

        assertThat(item("a", FavoriteWindow.MONTH)).isEmpty();
        assertThat(fixture.watermarks.rankedUpTo(FavoriteWindow.DAY))
                .isEqualTo(clock.instant().plusSeconds(1));
    }

    @Test
    void whatWasNotedBeforeMidnightIsRankedInTheDayThatIsOver() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        deliver(fixture.marks("a", 0, 2));
        clock.set(Instant.parse("2036-06-16T00:05:00Z"));

        var yesterday = fixture.rankings.top(
                FavoritesFixture.GRACE, FavoriteWindow.DAY, LocalDate.parse("2036-06-15"), FavoritesFixture.PAGE);
        assertThat(yesterday.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        assertThat(fixture.top(FavoriteWindow.MONTH)).hasSize(1);
    }

    @Test
    void whatIsCountedWhenItsDayIsOverIsRankedAtOnce() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        var marks = fixture.marks("a", 0, 2);
        clock.set(Instant.parse("2036-06-16T00:00:01Z"));

        deliver(marks);

        assertThat(fixture.db.get(
                        DynamoRanks.key(restaurant("a"), Span.on(FavoriteWindow.DAY, LocalDate.parse("2036-06-15")))))
                .isPresent();
    }

    @Test
    void aRankingThatIsOverIsMadeCompleteForItsViewer() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        fixture.top(FavoriteWindow.DAY);
        deliver(fixture.marks("a", 0, 2));
        clock.set(Instant.parse("2036-06-16T00:20:00Z"));
        fixture.watermarks.counted(clock.instant());
        var day = LocalDate.parse("2036-06-15");

        var ranking = fixture.rankings.top(FavoritesFixture.GRACE, FavoriteWindow.DAY, day, FavoritesFixture.PAGE);

        assertThat(ranking.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        assertThat(ranking.asOf()).isEqualTo(clock.instant());
    }

    private void view(FavoriteWindow... windows) {
        Arrays.stream(windows).forEach(fixture::top);
        clock.advance(UNTIL_KNOWN);
        Arrays.stream(windows).forEach(fixture::top);
    }

    private void deliverTwoMarksOf(int restaurants) {
        deliver(IntStream.range(0, restaurants)
                .mapToObj(i -> fixture.marks("restaurant-" + i, 0, 2))
                .flatMap(List::stream)
                .toList());
    }

    private void deliver(List<ChangeRecord> records) {
        assertThat(fixture.counts.handle(records)).isEmpty();
    }

    /** The stored rank, read without a view of the ranking. */
    private OptionalLong item(String restaurant, FavoriteWindow window) {
        return fixture.db
                .get(rank(restaurant, window))
                .map(item -> OptionalLong.of(item.integer("count")))
                .orElse(OptionalLong.empty());
    }

    private Key rank(String restaurant, FavoriteWindow window) {
        return DynamoRanks.key(restaurant(restaurant), Span.at(window, clock.instant()));
    }

    @Test
    void aRankingIsRebuiltToItsEndThoughItsLeaseCannotBeRenewed() {
        for (var i = 0; i < 20; i++) {
            deliver(fixture.marks("restaurant-" + i, 0, 1));
        }
        var leases = new AtomicInteger();
        var failing = InterruptedClient.before(
                request -> request instanceof UpdateItemRequest update
                        && AttributeValue.fromS("TURN#favorite-rank-all-MONTH")
                                .equals(update.key().get("pk"))
                        && leases.getAndIncrement() > 0,
                Integer.MAX_VALUE,
                LocalDynamoDb.shared().directClient(),
                () -> {
                    throw SdkClientException.create("no reply came");
                });
        var slow = InterruptedClient.before(
                request -> isQuery(request, "FAVRESTAURANTS#"),
                Integer.MAX_VALUE,
                failing,
                () -> clock.advance(Duration.ofSeconds(45)));
        var other = new FavoritesFixture(table.queryDb(slow, clock), clock, 1);

        assertThat(other.sweeps.catchUp(FavoriteWindow.MONTH)).isTrue();

        assertThat(leases).hasValueGreaterThan(1);
        assertThat(IntStream.range(0, 20)).allSatisfy(i -> assertThat(item("restaurant-" + i, FavoriteWindow.MONTH))
                .hasValue(1));
    }
}
