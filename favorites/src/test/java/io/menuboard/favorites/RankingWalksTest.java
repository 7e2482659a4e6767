package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paging through rankings that move. */
class RankingWalksTest {
    private static final int SOME = 60;
    private static final int MORE_THAN_A_SNAPSHOT = FavoritesFixture.FIRST_PLACES + 30;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock);
    }

    static LongStream seeds() {
        return TasksFixture.FULL_SOAK ? LongStream.of(1, 2, 3) : LongStream.of(3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aWalkThroughARankingThatMovesHasEachRestaurantOnceWhereItWas(long seed) {
        var random = new Random(seed);
        rank(SOME, random);
        var before = fixture.top(FavoriteWindow.ALL_TIME);
        var cursor = walk(PageRequest.forward(7, null)).page().endCursor();
        var seen = new ArrayList<>(walk(PageRequest.forward(7, null)).page().nodes());

        while (seen.size() < SOME) {
            rank(SOME, random);
            clock.advance(Duration.ofSeconds(random.nextInt(20)));
            var page = other().rankings
                    .walk(FavoritesFixture.GRACE, FavoriteWindow.ALL_TIME, null, PageRequest.forward(7, cursor));
            seen.addAll(page.page().nodes());
            cursor = page.page().endCursor();
            assertThat(page.page().hasNextPage()).isEqualTo(seen.size() < SOME);
        }
        assertThat(seen).isEqualTo(before);

        var back = new ArrayList<RankedRestaurant>();
        boolean hasPrevious;
        do {
            rank(SOME, random);
            var page = walk(PageRequest.backward(11, cursor)).page();
            back.addAll(0, page.nodes());
            cursor = page.startCursor();
            hasPrevious = page.hasPreviousPage();
        } while (hasPrevious);
        assertThat(back).isEqualTo(before.subList(0, SOME - 1));
    }

    @Test
    void allPagesOfAWalkAreTrueForTheSameTime() {
        rank(SOME, new Random(1));
        fixture.watermarks.counted(clock.instant());
        var first = walk(PageRequest.forward(20, null));
        clock.advance(Duration.ofMinutes(1));
        fixture.watermarks.counted(clock.instant());

        var second = walk(PageRequest.forward(20, first.page().endCursor()));

        assertThat(first.asOf()).isEqualTo(FavoritesFixture.NOW);
        assertThat(second.asOf()).isEqualTo(first.asOf());
        assertThat(second.readAt()).isEqualTo(first.readAt());
        assertThat(walk(PageRequest.forward(20, null)).asOf()).isEqualTo(clock.instant());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 64, 100, 129, 500})
    void goesOnAfterTheLastPlaceOfTheSnapshot(int size) {
        rank(MORE_THAN_A_SNAPSHOT, new Random(2));
        var all = fixture.top(FavoriteWindow.ALL_TIME);
        var seen = new ArrayList<RankedRestaurant>();
        @Nullable String cursor = null;
        boolean hasNext;
        do {
            var page = walk(PageRequest.forward(size, cursor)).page();
            seen.addAll(page.nodes());
            cursor = page.endCursor();
            hasNext = page.hasNextPage();
            assertThat(!hasNext || page.nodes().size() == size).isTrue();
        } while (hasNext);

        assertThat(seen).isEqualTo(all);
    }

    @Test
    void thereIsNoPageAfterASnapshotWhoseRestIsGone() {
        rank(MORE_THAN_A_SNAPSHOT, new Random(2));
        var first = walk(PageRequest.forward(90, null)).page();
        fixture.db
                .deleteBatch(IntStream.range(0, MORE_THAN_A_SNAPSHOT)
                        .mapToObj(this::key)
                        .toList())
                .orThrow();

        var last = walk(PageRequest.forward(10, first.endCursor())).page();

        assertThat(last.nodes()).hasSize(10);
        assertThat(last.hasNextPage()).isFalse();
        assertThat(walk(PageRequest.forward(10, last.endCursor())).page().nodes())
                .isEmpty();
    }

    @Test
    void whoBeginsWithinFiveSecondsSharesASnapshot() {
        rank(SOME, new Random(1));
        var one = walk(PageRequest.forward(3, null));
        rank(SOME, new Random(9));
        clock.advance(Duration.ofMillis(4_900));
        assertThat(other().rankings
                        .walk(FavoritesFixture.GRACE, FavoriteWindow.ALL_TIME, null, PageRequest.forward(3, null))
                        .page()
                        .nodes())
                .isEqualTo(one.page().nodes());

        clock.advance(Duration.ofMillis(100));
        assertThat(walk(PageRequest.forward(3, null)).page().nodes())
                .isEqualTo(fixture.top(FavoriteWindow.ALL_TIME).subList(0, 3))
                .isNotEqualTo(one.page().nodes());
    }

    @Test
    void aPageThatHasTheWholeRankingIsOfTheRankingItself() {
        rank(5, new Random(1));
        assertThat(walk(PageRequest.forward(5, null)).page().hasNextPage()).isFalse();
        rank(SOME, new Random(9));

        assertThat(walk(PageRequest.forward(5, null)).page().nodes())
                .isEqualTo(fixture.top(FavoriteWindow.ALL_TIME).subList(0, 5));
    }

    @Test
    void aWalkThroughADayGoesOnAfterItsEnd() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        rank(FavoriteWindow.DAY, 10, new Random(1));
        var before = fixture.top(FavoriteWindow.DAY);
        var first =
                fixture.rankings.walk(FavoritesFixture.GRACE, FavoriteWindow.DAY, null, PageRequest.forward(4, null));
        clock.advance(Duration.ofSeconds(10));

        var cursor = first.page().endCursor();
        var second = fixture.rankings.walk(
                FavoritesFixture.GRACE, FavoriteWindow.DAY, null, PageRequest.forward(10, cursor));
        assertThat(second.span()).isEqualTo(first.span());
        assertThat(second.page().nodes()).isEqualTo(before.subList(4, 10));
        var byDay = LocalDate.parse("2036-06-15");
        assertThat(fixture.rankings
                        .walk(FavoritesFixture.GRACE, FavoriteWindow.DAY, byDay, PageRequest.forward(10, cursor))
                        .page()
                        .nodes())
                .isEqualTo(before.subList(4, 10));
        refused(FavoriteWindow.DAY, byDay.plusDays(1), PageRequest.forward(1, cursor));
    }

    @Test
    void alsoAfterTheLastPlaceOfTheSnapshotAndFromTheEnd() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        rank(FavoriteWindow.DAY, MORE_THAN_A_SNAPSHOT, new Random(1));
        var before = fixture.top(FavoriteWindow.DAY);
        var places = FavoritesFixture.FIRST_PLACES + 10;
        var next = walk(FavoriteWindow.DAY, PageRequest.forward(places, null));
        var last = walk(FavoriteWindow.DAY, PageRequest.backward(10, null));
        clock.advance(Duration.ofSeconds(10));

        for (var day : Arrays.asList(null, LocalDate.parse("2036-06-15"))) {
            var onward = fixture.rankings.walk(
                    FavoritesFixture.GRACE,
                    FavoriteWindow.DAY,
                    day,
                    PageRequest.forward(99, next.page().endCursor()));
            assertThat(onward.span()).isEqualTo(next.span());
            assertThat(onward.page().nodes()).isEqualTo(before.subList(places, MORE_THAN_A_SNAPSHOT));
            assertThat(fixture.rankings
                            .walk(
                                    FavoritesFixture.GRACE,
                                    FavoriteWindow.DAY,
                                    day,
                                    PageRequest.backward(10, last.page().startCursor()))
                            .page()
                            .nodes())
                    .isEqualTo(before.subList(MORE_THAN_A_SNAPSHOT - 20, MORE_THAN_A_SNAPSHOT - 10));
        }
        var cursor = String.valueOf(next.page().endCursor());
        refused(FavoriteWindow.DAY, LocalDate.parse("2036-06-16"), PageRequest.forward(1, cursor));
        refused(FavoriteWindow.ALL_TIME, null, PageRequest.forward(1, cursor));
        refused(FavoriteWindow.WEEK, null, PageRequest.forward(1, cursor));
        refused(FavoriteWindow.DAY, null, PageRequest.forward(1, "1" + cursor));
    }

    @Test
    void refusesCursorsOfOtherRankingsAndOfSnapshotsThatAreNotKept() {
        rank(SOME, new Random(1));
        rank(FavoriteWindow.MONTH, SOME, new Random(1));
        fixture.rankings.walk(FavoritesFixture.GRACE, FavoriteWindow.MONTH, null, PageRequest.forward(4, null));
        var cursor = String.valueOf(walk(PageRequest.forward(4, null)).page().endCursor());

        refused(FavoriteWindow.MONTH, null, PageRequest.forward(1, cursor));
        for (var forged : List.of(
                "all@0.1",
                "all@99999999999.1",
                cursor.replace(".4", ".61"),
                cursor.replace(".4", ".0"),
                "@.",
                cursor + "#")) {
            refused(FavoriteWindow.ALL_TIME, null, PageRequest.forward(1, forged));
        }
        clock.advance(Duration.ofMinutes(59));
        assertThat(other().rankings
                        .walk(FavoritesFixture.GRACE, FavoriteWindow.ALL_TIME, null, PageRequest.forward(4, cursor))
                        .page()
                        .nodes())
                .hasSize(4);
        clock.advance(Duration.ofMinutes(1));
        refused(FavoriteWindow.ALL_TIME, null, PageRequest.backward(1, cursor));
    }

    private void refused(FavoriteWindow window, @Nullable LocalDate on, PageRequest request) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> other().rankings.walk(FavoritesFixture.GRACE, window, on, request))
                .returns("INVALID_CURSOR", InvalidInput::code)
                .returns(
                        request.direction() == PageRequest.Direction.FORWARD ? "after" : "before", InvalidInput::field);
    }

    private Ranking walk(PageRequest request) {
        return walk(FavoriteWindow.ALL_TIME, request);
    }

    private Ranking walk(FavoriteWindow window, PageRequest request) {
        return fixture.rankings.walk(FavoritesFixture.GRACE, window, null, request);
    }

    /** Another instance, which remembers nothing. */
    private FavoritesFixture other() {
        return new FavoritesFixture(fixture.db, clock);
    }

    private void rank(int restaurants, Random random) {
        rank(FavoriteWindow.ALL_TIME, restaurants, random);
    }

    /** Gives restaurants other counts, many of them the same. */
    private void rank(FavoriteWindow window, int restaurants, Random random) {
        var span = Span.at(window, clock.instant());
        fixture.db
                .saveBatch(IntStream.range(0, restaurants)
                        .mapToObj(i -> new Rank(restaurant("r-" + i), 1 + random.nextInt(20), clock.instant()))
                        .map(rank -> new Save(fixture.dynamoRanks.item(rank, span, 1, null), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    private Key key(int restaurant) {
        return DynamoRanks.key(restaurant("r-" + restaurant), Span.at(FavoriteWindow.ALL_TIME, clock.instant()));
    }
}
