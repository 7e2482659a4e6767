package io.menuboard.app.local;

import io.menuboard.favorites.FavoritesAt;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What users have marked in the last 40 days, more of it lately than long ago, some of it taken back: a few restaurants
 * that most users like, and many that some do.
 */
final class SampleFavorites {
    private static final int RESTAURANTS = 40;
    private static final int MOST_USERS = 300;
    private static final int MARKS_OF_A_USER = 3;
    private static final int TAKEN_BACK = 14;
    private static final Duration SPAN = Duration.ofDays(40);

    private final FavoritesAt past;
    private final Instant now;
    private final RandomGenerator random = new SplittableRandom(20_261_123);

    private SampleFavorites(FavoritesAt past, Instant now) {
        this.past = past;
        this.now = now;
    }

    /** Marks, and takes some back, and answers how often: far less where there are fewer stores than usual. */
    static int load(FavoritesAt past, int stores, Instant now) throws InterruptedException {
        return new SampleFavorites(past, now).load(Math.min(MOST_USERS, 1 + stores * stores / 3));
    }

    private record Mark(Instant at, String user, String restaurant, boolean takenBack) {}

    private int load(int users) throws InterruptedException {
        var marks = marks(users);
        var midnight = now.truncatedTo(ChronoUnit.DAYS);
        var before = marks.stream().filter(mark -> mark.at.isBefore(midnight)).toList();
        before.forEach(this::play);
        past.awaitCounted();
        past.setTime(midnight);
        past.snapshot();
        marks.subList(before.size(), marks.size()).forEach(this::play);
        past.awaitCounted();
        return marks.size();
    }

    private void play(Mark mark) {
        past.setTime(mark.at);
        if (mark.takenBack) {
            past.unmark(mark.user, mark.restaurant);
        } else {
            past.mark(mark.user, mark.restaurant);
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
