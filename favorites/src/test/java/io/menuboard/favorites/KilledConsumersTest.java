package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever counts is killed between every two requests, before or after the last one took effect. What it had not
 * acknowledged is delivered again, to the consumer in the same slot or in another one; what it had acknowledged never does.
 */
class KilledConsumersTest {
    private static final List<String> RESTAURANTS = List.of("a", "b");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyMarkIsCountedOnceAndRankedWhereverItsConsumerIsKilled(boolean afterIt) {
        var whole = new FavoritesFixture(table.queryDb(clock), clock, 3);
        var users = 0;
        var kills = 0;
        var survived = false;
        for (var requests = 0; !survived; requests++) {
            var records = new ArrayList<ChangeRecord>();
            for (var restaurant : RESTAURANTS) {
                records.addAll(whole.marks(restaurant, users, users + 2));
            }
            records.add(whole.unmark("user-" + users, "b").orElseThrow());
            users += 2;

            var mortal = new DyingClient(LocalDynamoDb.shared().directClient(), requests, afterIt);
            var first = new FavoritesFixture(table.queryDb(mortal.proxy(), clock), clock, requests % 2);
            var failed = first.counts.handle(records).keySet();
            survived = !mortal.isDead();
            kills += survived ? 0 : 1;
            if (survived) {
                assertThat(failed).isEmpty();
            }
            // What was acknowledged is deleted from the queue before anybody notices that the consumer is dead.
            var again = records.stream().filter(failed::contains).toList();
            var next = new FavoritesFixture(table.queryDb(clock), clock, requests % 3);
            assertThat(next.counts.handle(again)).isEmpty();

            for (var restaurant : RESTAURANTS) {
                assertThat(whole.counted(restaurant))
                        .as("counts of %s, killed after %s requests", restaurant, requests)
                        .isEqualTo(whole.recounted(restaurant));
            }
            if (requests % 4 == 0) {
                clock.advance(FavoritesFixture.REST_EVERY);
                whole.sweeps.rankRest();
            }
        }

        assertThat(kills).isGreaterThan(8);
        for (var restaurant : RESTAURANTS) {
            assertThat(whole.ranked(restaurant)).isEqualTo(whole.recounted(restaurant));
            var numbers = new ArrayList<Long>();
            whole.ledger.all(
                    new RestaurantId(restaurant),
                    YearMonth.of(2036, 6),
                    YearMonth.of(2036, 6),
                    (number, _) -> numbers.add(number));
            assertThat(new HashSet<>(numbers)).hasSameSizeAs(numbers);
        }
    }
}
