package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.Recount.Mode;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stories of users who mark and take back; what the stream recorded of them is delivered twice, shuffled within and across
 * batches, to instances that die at any request. Whatever happens, counts and rankings are what the marks say.
 */
class FavoriteCountsModelTest {
    private static final int STORIES = "full".equals(System.getProperty("soak")) ? 100 : 3;
    private static final int STEPS = 120;
    private static final int USERS = 7;
    private static final int RESTAURANTS = 3;
    private static final List<FavoriteWindow> WINDOWS = List.of(FavoriteWindow.values());

    @RegisterExtension
    final FreshTable table = FreshTable.withStream();

    /** Of marks that were made and taken back, in order. */
    private final List<Instant> times = new ArrayList<>();

    static LongStream stories() {
        return LongStream.range(0, STORIES);
    }

    @ParameterizedTest
    @MethodSource("stories")
    void countsAndRankingsAreWhatTheMarksSay(long seed) throws InterruptedException {
        var random = new Random(seed);
        var clock = new MovingClock();
        var story = new FavoritesFixture(table.queryDb(clock), clock);
        for (var step = 0; step < STEPS; step++) {
            clock.advance(pause(random));
            var user = "user-" + random.nextInt(USERS);
            var restaurant = "restaurant-" + random.nextInt(RESTAURANTS);
            var record = random.nextInt(3) == 0 ? story.unmark(user, restaurant) : story.mark(user, restaurant);
            record.map(ChangeRecord::at).ifPresent(times::add);
            if (random.nextInt(10) == 0) {
                // Some are counted while the story goes on, so that windows move on with counts in them.
                deliver(some(recorded(), random), random, clock);
                story.sweeps.rankRest();
                // A ranking without viewers for a day is not kept.
                story.top(WINDOWS.get(random.nextInt(WINDOWS.size())));
            }
        }

        var twice = new ArrayList<>(recorded());
        twice.addAll(recorded());
        deliver(twice, random, clock);
        var last = new FavoritesFixture(table.queryDb(clock), clock, 1);
        last.sweeps.sweep();

        last.watermarks.counted(clock.instant());
        var recount = last.recounts.start(FavoritesFixture.GRACE, Mode.CHECK, null);
        last.recountWork.recount(recount, _ -> {});
        assertThat(last.recounts
                        .drifts(FavoritesFixture.GRACE, recount.id(), FavoritesFixture.PAGE)
                        .nodes())
                .isEmpty();
        var restaurants =
                IntStream.range(0, RESTAURANTS).mapToObj(i -> "restaurant-" + i).toList();
        last.ranked(restaurants).forEach((restaurant, ranked) -> {
            var marks = last.recounted(restaurant);
            assertThat(last.counted(restaurant)).as("counts of %s", restaurant).isEqualTo(marks);
            assertThat(ranked).as("ranking of %s", restaurant).isEqualTo(marks);
        });
    }

    /** Mostly within a second, at times some days, so that pages are divided and windows move on. */
    private static Duration pause(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> Duration.ofHours(random.nextInt(30));
            case 1 -> Duration.ofMinutes(random.nextInt(90));
            case 2, 3 -> Duration.ofMillis(random.nextInt(3_000));
            default -> Duration.ofMillis(random.nextInt(3));
        };
    }

    /** What the stream has told of marks, as if its clock were that of the story. */
    private List<ChangeRecord> recorded() {
        var time = times.iterator();
        return table.changes().stream()
                .filter(change -> change.type().equals(DynamoFavorites.TYPE))
                .map(change -> new ChangeRecord(
                        change.eventId(),
                        time.next(),
                        change.kind(),
                        change.key(),
                        change.type(),
                        change.before(),
                        change.after()))
                .toList();
    }

    private static List<ChangeRecord> some(List<ChangeRecord> all, Random random) {
        return new ArrayList<>(all.stream().filter(_ -> random.nextInt(3) == 0).toList());
    }

    /** Until everything is handled: what an instance had in its hands when it died comes again. */
    private void deliver(List<ChangeRecord> records, Random random, MovingClock clock) {
        var left = new ArrayList<>(records);
        Collections.shuffle(left, random);
        while (!left.isEmpty()) {
            var mortal = new DyingClient(
                    LocalDynamoDb.shared().directClient(), 1 + random.nextInt(40), random.nextBoolean());
            var instances = IntStream.range(0, 2)
                    .mapToObj(_ -> new FavoritesFixture(table.queryDb(mortal.proxy(), clock), clock, random.nextInt(2)))
                    .toList();
            while (!left.isEmpty() && !mortal.isDead()) {
                var batch = List.copyOf(left.subList(0, Math.min(left.size(), 1 + random.nextInt(30))));
                left.subList(0, batch.size()).clear();
                left.addAll(handled(instances.get(random.nextInt(2)), batch));
                Collections.shuffle(left, random);
            }
        }
    }

    /** Records that must be delivered again. */
    private static List<ChangeRecord> handled(FavoritesFixture instance, List<ChangeRecord> batch) {
        var failed = instance.counts.handle(batch);
        return batch.stream().filter(failed::containsKey).toList();
    }
}
