package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What somebody looks at is ranked at once, the rest later (ADR 19). */
class RankWhatIsSeenTest {
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(4);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new FavoritesFixture(table.directQueryDb(clock), clock);
    }

    @Test
    void aRankingThatSomebodyLooksAtFollowsAtOnceAndOthersLater() {
        look(FavoriteWindow.WEEK);

        told(fixture.marks("a", 0, 2));

        assertThat(item("a", FavoriteWindow.WEEK)).hasValue(2);
        assertThat(item("a", FavoriteWindow.ALL_TIME)).isEmpty();
        clock.advance(FavoritesFixture.REST_EVERY);
        fixture.sweeps.rankRest();
        assertThat(item("a", FavoriteWindow.ALL_TIME)).hasValue(2);
        assertThat(item("a", FavoriteWindow.LAST_30_DAYS)).hasValue(2);
    }

    @Test
    void theFirstLookFindsWhatWasCountedBefore() {
        fixture.sweeps.rankRest();
        told(fixture.marks("a", 0, 2));
        told(fixture.marks("b", 0, 3));

        var counts = fixture.top(FavoriteWindow.LAST_7_DAYS).stream()
                .map(RankedRestaurant::count)
                .toList();

        assertThat(counts).containsExactly(3L, 2L);
        assertThat(item("b", FavoriteWindow.MONTH)).isEmpty();
    }

    @Test
    void aRankingIsNotFollowedAnyMoreWhenNobodyLooks() {
        look(FavoriteWindow.DAY);
        clock.advance(WatchedRankings.HOLDS.plusSeconds(10));

        told(fixture.marks("a", 0, 1));

        assertThat(item("a", FavoriteWindow.DAY)).isEmpty();
        assertThat(fixture.top(FavoriteWindow.DAY)).hasSize(1);
    }

    @Test
    void whoLooksAgainAndAgainFindsEverythingAlsoWhenTheOneWhoCountsHasJustAskedWhoLooks() {
        var late = new FavoritesFixture(table.directQueryDb(clock), clock, 1);
        var slow = new WatchedRankings(late.db, clock, Duration.ofHours(1));
        var ranks = new FavoriteRanks(
                late.tallies, late.dynamoRanks, late.notes, slow, clock, Duration.ZERO, 4, Runnable::run);
        assertThat(slow.watched()).isEmpty();
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).isEmpty();

        var mark = fixture.marks("a", 0, 1).getFirst();
        late.counts.count(restaurant("a"), MarkEvent.of(mark));
        ranks.rank(restaurant("a"), List.of()).join();

        assertThat(item("a", FavoriteWindow.ALL_TIME)).isEmpty();
        clock.advance(UNTIL_KNOWN);
        assertThat(fixture.top(FavoriteWindow.ALL_TIME)).hasSize(1);
    }

    @Test
    void placesAfterTheFirstAreRankedLater() {
        var first = FavoritesFixture.FIRST_PLACES;
        for (var i = 0; i < first; i++) {
            told(fixture.marks("restaurant-" + i, 0, 2));
        }
        look(FavoriteWindow.ALL_TIME);

        told(fixture.marks("far", 0, 1));
        assertThat(item("far", FavoriteWindow.ALL_TIME)).isEmpty();
        told(fixture.marks("far", 1, 3));
        assertThat(item("far", FavoriteWindow.ALL_TIME)).hasValue(3);
        // One that was among the first and is not any more.
        told(List.of(fixture.unmark("user-0", "restaurant-7").orElseThrow()));
        assertThat(item("restaurant-7", FavoriteWindow.ALL_TIME)).hasValue(1);
    }

    @Test
    void whatWasNotedBeforeMidnightIsRankedInTheDayThatIsOver() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        told(fixture.marks("a", 0, 2));
        clock.set(Instant.parse("2036-06-16T00:05:00Z"));

        fixture.sweeps.rankRest();

        var yesterday = fixture.rankings.top(FavoriteWindow.DAY, LocalDate.parse("2036-06-15"), FavoritesFixture.PAGE);
        assertThat(yesterday.page().nodes()).singleElement().returns(2L, RankedRestaurant::count);
        assertThat(fixture.top(FavoriteWindow.MONTH)).hasSize(1);
    }

    @Test
    void whatIsCountedWhenItsDayIsOverIsRankedAtOnce() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        var marks = fixture.marks("a", 0, 2);
        clock.set(Instant.parse("2036-06-16T00:00:01Z"));

        told(marks);

        assertThat(fixture.db.get(
                        DynamoRanks.key(restaurant("a"), Span.on(FavoriteWindow.DAY, LocalDate.parse("2036-06-15")))))
                .isPresent();
    }

    @Test
    void aRankingThatIsOverIsTrueAsOfWhenWhatWasNotedIsRanked() {
        clock.set(Instant.parse("2036-06-15T23:59:58Z"));
        fixture.sweeps.rankRest();
        told(fixture.marks("a", 0, 2));
        clock.set(Instant.parse("2036-06-16T00:20:00Z"));
        fixture.beats.counted(clock.instant());
        var day = LocalDate.parse("2036-06-15");

        assertThat(fixture.rankings
                        .top(FavoriteWindow.DAY, day, FavoritesFixture.PAGE)
                        .asOf())
                .isEqualTo("2036-06-15T23:58:58Z");
        fixture.sweeps.rankRest();
        assertThat(fixture.rankings
                        .top(FavoriteWindow.DAY, day, FavoritesFixture.PAGE)
                        .asOf())
                .isEqualTo(clock.instant());
    }

    private void look(FavoriteWindow... windows) {
        Arrays.stream(windows).forEach(fixture::top);
        clock.advance(UNTIL_KNOWN);
        Arrays.stream(windows).forEach(fixture::top);
    }

    private void told(List<ChangeRecord> records) {
        assertThat(fixture.counts.handle(records)).isEmpty();
    }

    /** What is written in that ranking, without looking at it. */
    private OptionalLong item(String restaurant, FavoriteWindow window) {
        return fixture.db
                .get(DynamoRanks.key(restaurant(restaurant), Span.at(window, clock.instant())))
                .map(item -> OptionalLong.of(item.integer("count")))
                .orElse(OptionalLong.empty());
    }
}
