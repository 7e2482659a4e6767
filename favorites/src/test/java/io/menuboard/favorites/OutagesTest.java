package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.PAGE;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static io.menuboard.favorites.FavoritesFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.Recount.Mode;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Outage;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table is away for ten minutes, in which an hour ends and the nightly recount falls due: every mark is counted once
 * afterwards, and recounts go on by themselves.
 */
class OutagesTest {
    private static final Instant NIGHT = Instant.parse("2036-06-16T03:00:00Z");
    private static final List<String> RESTAURANTS = List.of("a", "b", "c", "d", "e", "f");
    private static final int USERS = 12;

    /** InstanceLeases of the sweep, and pauses after the first failures. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock(NIGHT.minus(Outage.LENGTH.dividedBy(2)));

    static LongStream seeds() {
        return TasksFixture.FULL_SOAK ? LongStream.of(1, 2) : LongStream.of(2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyMarkIsCountedOnceAndRecountsGoOn(long seed) {
        var random = new Random(seed);
        var truth = new FavoritesFixture(table.directQueryDb(clock), clock);
        var instance = new FavoritesFixture(table.queryDb(clock), clock, 1);
        var counted = new ArrayList<ChangeRecord>();
        var arriving = new ArrayList<ChangeRecord>();
        for (var name : RESTAURANTS) {
            counted.addAll(truth.marks(name, 0, USERS));
            arriving.addAll(truth.marks(name, USERS, 2 * USERS));
            arriving.add(truth.unmark("user-3", name).orElseThrow());
        }
        assertThat(truth.counts.handle(counted)).isEmpty();
        Collections.shuffle(arriving, random);
        instance.recounts.start(GRACE, Mode.CORRECT, null);
        try (var workers = WorkersFixture.workers(instance.tasks, instance.recountWork.work())) {
            table.faults().breakDown(seed, 10 + random.nextInt(50));
            workers.start();
            // What the queue brings until nothing more is counted.
            var left = new ArrayList<ChangeRecord>();
            while (!table.faults().isDown()) {
                left.addAll(instance.counts.handle(arriving).keySet());
            }
            assertThat(left).isNotEmpty();

            Outage.pass(table, clock, () -> {
                Outage.refuses(
                        () -> instance.favorites.favorite(GRACE, user("ada"), restaurant("a")),
                        () -> instance.favorites.unfavorite(GRACE, user("user-1"), restaurant("a")),
                        () -> instance.favorites.favoritedBy(GRACE, restaurant("a"), PAGE),
                        () -> instance.top(FavoriteWindow.LAST_24_HOURS),
                        () -> instance.counted("a"),
                        () -> instance.recounts.start(GRACE, Mode.CHECK, null),
                        instance.watermark::writeHeartbeat,
                        instance.sweeps::sweep,
                        instance.sweeps::rankRest);
                if (!clock.instant().isBefore(NIGHT)) {
                    Outage.refuses(instance.recounts::nightly);
                }
                assertThat(instance.counts.handle(arriving)).hasSameSizeAs(arriving);
            });
            left.addAll(instance.mark("ada", "a").stream().toList());

            // All of it comes again, also what was counted before its answer was lost.
            left.addAll(arriving);
            var took = Outage.timeUntil(clock, truth.tasks, () -> {
                var again = List.copyOf(left);
                left.clear();
                left.addAll(instance.counts.handle(again).keySet());
                instance.sweeps.sweep();
                instance.sweeps.rankRest();
                instance.recounts.nightly();
                return left.isEmpty() && Outage.isOver(truth.tasks);
            });

            System.out.printf("favorites, seed %d: all done %s after the table came back%n", seed, took);
            assertThat(took).isLessThan(SOON);
        }
        assertThat(Outage.dead(truth.tasks)).isEmpty();
        var recounts = new TaskFilter(TaskStatus.COMPLETED, Recounts.TYPE, null, null, null, null);
        assertThat(truth.tasks.reads().list(TasksFixture.STAFF, recounts, PAGE).nodes())
                .as("the one under way, and that of the night")
                .hasSize(2);
        clock.advance(FavoritesFixture.REST_EVERY.plus(DynamoRankNotes.MARGIN));
        truth.sweeps.sweep();
        truth.sweeps.rankRest();
        truth.ranked(RESTAURANTS).forEach((name, ranked) -> {
            var marks = truth.recounted(name);
            assertThat(marks).containsEntry(FavoriteWindow.ALL_TIME, 2L * USERS - 1 + (name.equals("a") ? 1 : 0));
            assertThat(truth.counted(name)).as("counts of %s", name).isEqualTo(marks);
            assertThat(ranked).as("ranking of %s", name).isEqualTo(marks);
        });
    }
}
