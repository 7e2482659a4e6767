package io.menuboard.local;

import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.favorites.UserId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Marks of users in the last 40 days, more of it lately than long ago, some of it taken back: a few restaurants
 * that most users like, and many that some do.
 */
final class SampleFavorites {
    private static final int RESTAURANTS = 40;
    private static final int MOST_USERS = 300;
    private static final int MARKS_OF_A_USER = 3;
    private static final int TAKEN_BACK = 14;
    private static final Duration SPAN = Duration.ofDays(40);

    private static final Access CLIENT =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "loyalty app", Actor.Source.GRAPHQL));
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Past past;
    private final Rankings rankings;
    private final Clock clock;
    private final Instant now;
    private final RandomGenerator random = new SplittableRandom(20_261_123);

    private SampleFavorites(Past past, Rankings rankings, Clock clock) {
        this.past = past;
        this.rankings = rankings;
        this.clock = clock;
        this.now = clock.instant();
    }

    /**
     * Marks, and takes some back, and answers how often: far less where there are fewer stores than usual.
     *
     * @param rankings of the application that counts them
     * @param clock of that application
     */
    static int load(Past past, Rankings rankings, Clock clock, int stores) {
        return new SampleFavorites(past, rankings, clock).load(Math.min(MOST_USERS, 1 + stores * stores / 3));
    }

    private record Mark(Instant at, String user, String restaurant, boolean takenBack) {}

    private int load(int users) {
        var marks = marks(users);
        var midnight = now.truncatedTo(ChronoUnit.DAYS);
        var before = marks.stream().filter(mark -> mark.at.isBefore(midnight)).toList();
        before.forEach(this::play);
        awaitCounted();
        past.setTime(midnight);
        keepRankings();
        marks.subList(before.size(), marks.size()).forEach(this::play);
        awaitCounted();
        return marks.size();
    }

    /** Waits until the application has counted what was marked and taken back, which the table's stream tells it. */
    private void awaitCounted() {
        var marked = clock.instant();
        var any = new RestaurantId(SampleData.id(0));
        await().atMost(PATIENCE).until(() -> rankings.counts(CLIENT, any).asOf().isAfter(marked));
    }

    /** Rankings to compare later ones with; only those with viewers are kept. */
    private void keepRankings() {
        for (var window : FavoriteWindow.values()) {
            past.get(Rankings.class).top(CLIENT, window, null, PageRequest.forward(1, null));
        }
        past.perform("favoriteSweep");
    }

    private void play(Mark mark) {
        past.setTime(mark.at);
        var favorites = past.get(Favorites.class);
        var user = new UserId(mark.user);
        var restaurant = new RestaurantId(mark.restaurant);
        if (mark.takenBack) {
            favorites.unfavorite(CLIENT, user, restaurant);
        } else {
            favorites.favorite(CLIENT, user, restaurant);
        }
    }

    /** The earliest first. */
    private List<Mark> marks(int users) {
        var marks = new ArrayList<Mark>();
        for (var i = 0; i < users * MARKS_OF_A_USER; i++) {
            var share = random.nextDouble();
            var at = now.minusMillis((long) (SPAN.toMillis() * share * share * share));
            // What is liked changes: the favorites of the last days are not those of the first.
            var liked = random.nextDouble();
            var restaurant = (int) (RESTAURANTS * liked * liked + (share < 0.3 ? random.nextInt(6) : 0)) % RESTAURANTS;
            var mark = new Mark(at, "user-%03d".formatted(1 + random.nextInt(users)), SampleData.id(restaurant), false);
            marks.add(mark);
            if (random.nextInt(TAKEN_BACK) == 0) {
                var back = at.plusMillis(
                        (long) (random.nextDouble() * Duration.between(at, now).toMillis()));
                marks.add(new Mark(back, mark.user, mark.restaurant, true));
            }
        }
        marks.sort(Comparator.comparing(Mark::at));
        return marks;
    }
}
