package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A restaurant that is marked thousands of times a second, delivered more than once, by several instances at once. */
class BusyRestaurantTest {
    private static final String VIRAL = "viral";
    private static final int MARKS = 4_000;
    private static final int INSTANCES = 3;
    private static final int TAKEN_BACK = 5;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    /** Half of them within ten milliseconds, so that pages are divided down to the last level; every fifth is taken back. */
    private static List<ChangeRecord> delivered() {
        var delivered = new ArrayList<ChangeRecord>();
        for (var user = 1; user <= MARKS; user++) {
            var created = user % 2 == 0 ? NOW.plusMillis(user % 10) : NOW.plusMillis(user);
            delivered.add(StreamRecords.made(user, VIRAL, created));
            if (user % TAKEN_BACK == 0) {
                delivered.add(StreamRecords.takenBack(user, VIRAL, created, NOW.plusSeconds(user % 3)));
            }
        }
        return delivered;
    }

    static LongStream seeds() {
        return TasksFixture.FULL_SOAK ? LongStream.of(1, 2) : LongStream.of(2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void countsEachMarkOnceWhereverAndHoweverOftenItIsDelivered(long seed) throws InterruptedException {
        var random = new Random(seed);
        clock.advance(Duration.ofSeconds(10));
        var all = new ArrayList<>(delivered());
        all.addAll(delivered());
        Collections.shuffle(all, random);
        Queue<ChangeRecord> queue = new ConcurrentLinkedQueue<>(all);

        try (var threads = Executors.newFixedThreadPool(INSTANCES)) {
            for (var counterShard = 0; counterShard < INSTANCES; counterShard++) {
                var own = counterShard % 2;
                var life = 5 + random.nextInt(20);
                threads.execute(() -> consume(queue, own, life));
            }
        }

        assertThat(queue).isEmpty();
        var counted = new FavoritesFixture(table.queryDb(clock), clock).counted(VIRAL);
        assertThat(counted)
                .containsEntry(FavoriteWindow.ALL_TIME, (long) MARKS - MARKS / TAKEN_BACK)
                .containsEntry(FavoriteWindow.LAST_24_HOURS, (long) MARKS - MARKS / TAKEN_BACK);
    }

    /** One instance after the other, each of which dies after some requests; the last one does not. */
    private void consume(Queue<ChangeRecord> queue, int counterShard, int life) {
        for (var lives = 0; !queue.isEmpty(); lives++) {
            var mortal = new DyingClient(
                    LocalDynamoDb.shared().directClient(), lives < 3 ? life : Integer.MAX_VALUE, lives % 2 == 0);
            var instance = new FavoritesFixture(table.queryDb(mortal.proxy(), clock), clock, counterShard);
            while (!queue.isEmpty() && !mortal.isDead()) {
                var batch = IntStream.range(0, 150)
                        .mapToObj(_ -> queue.poll())
                        .filter(Objects::nonNull)
                        .collect(Collectors.toList());
                queue.addAll(instance.counts.handle(batch).keySet());
            }
        }
    }

    @Test
    void everyMarkIsRememberedOnceOnPagesThatStaySmall() {
        var fixture = new FavoritesFixture(table.queryDb(clock), clock);

        assertThat(fixture.counts.handle(delivered())).isEmpty();

        var numbers = new ArrayList<Long>();
        fixture.ledger.all(
                new RestaurantId(VIRAL),
                YearMonth.of(2036, 6),
                YearMonth.of(2036, 6),
                (number, _) -> numbers.add(number));
        assertThat(numbers).hasSize(MARKS + MARKS / TAKEN_BACK).doesNotHaveDuplicates();
        assertThat(numbers).filteredOn(MarkEvent::isTakenBack).hasSize(MARKS / TAKEN_BACK);
    }

    @Test
    void eachConsumerSlotCountsToACounterShardOfItsOwn() {
        var fixture = new FavoritesFixture(table.queryDb(clock), clock);

        for (var slot = 0; slot < 6; slot++) {
            fixture.counts.slotAssigned(slot);
            assertThat(fixture.counts.handle(fixture.marks(VIRAL, slot, slot + 1)))
                    .isEmpty();
        }

        assertThat(fixture.rollups.all(new RestaurantId(VIRAL)).values())
                .extracting(rollup -> rollup.count(Span.at(FavoriteWindow.ALL_TIME, clock.instant())))
                .containsExactly(2L, 2L, 1L, 1L);
    }

    @Test
    void aRecordThatMakesNoSenseFailsAlone() {
        var fixture = new FavoritesFixture(table.queryDb(clock), clock);
        var sound = StreamRecords.made(1, VIRAL, NOW);
        var nothingInIt = corrupt(sound.key(), _ -> {});
        var noTime = corrupt(sound.key(), item -> item.string("mark", "2").string("created", "yesterday"));
        var unassigned = corrupt(new Key("USER#x\u0378", "FAV#" + VIRAL), item -> item.string("mark", "4")
                .string("created", NOW.toString()));

        var failed = fixture.counts.handle(List.of(nothingInIt, noTime, unassigned, sound));

        assertThat(failed).containsOnlyKeys(nothingInIt, noTime, unassigned);
        assertThat(fixture.counted(VIRAL)).containsEntry(FavoriteWindow.ALL_TIME, 1L);
    }

    private static ChangeRecord corrupt(Key key, Consumer<Item.Builder> attributes) {
        var item = Item.at(key).type(DynamoFavorites.TYPE);
        attributes.accept(item);
        return new ChangeRecord(
                "corrupt", NOW, ChangeRecord.Kind.CREATED, key, DynamoFavorites.TYPE, null, item.build());
    }
}
