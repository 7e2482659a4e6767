package io.menuboard.querydb.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FaultInjectingHttpClient.Sent;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.NotLoaded;
import io.menuboard.querydb.NotSaved;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pauses, budgets and deadlines of requests that are repeated. */
final class RetriesTest {
    private static final Key KEY = new Key("p", "s");
    private static final Item ITEM = Item.at(KEY).type("thing").number("n", 1).build();
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2036-03-01T12:00:00Z"), ZoneOffset.UTC);
    private static final int TOO_OFTEN = 1000;

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @Test
    void everyPauseIsRandomBelowABoundThatDoublesUpToTheMaximum() {
        var pauses = new ArrayList<Duration>();
        var policy = new RetryPolicy(9, Duration.ofMillis(10), Duration.ofMillis(500));
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", TOO_OFTEN);
        var bounds = List.of(10, 20, 40, 80, 160, 320, 500, 500);

        assertThatExceptionOfType(NotLoaded.class)
                .isThrownBy(() -> pausing(policy, pauses::add, largest()).get(KEY));
        assertThat(pauses).isEqualTo(bounds.stream().map(Duration::ofMillis).toList());

        pauses.clear();
        assertThatExceptionOfType(NotLoaded.class)
                .isThrownBy(() -> pausing(policy, pauses::add, new Random(1)).get(KEY));
        assertThat(pauses).hasSize(bounds.size()).doesNotHaveDuplicates();
        for (var i = 0; i < bounds.size(); i++) {
            assertThat(pauses.get(i)).isBetween(Duration.ZERO, Duration.ofMillis(bounds.get(i)));
        }
    }

    @Test
    void anInterruptEndsTheRetries() {
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", TOO_OFTEN);
        var db = pausing(
                FreshTable.RETRIES,
                _ -> {
                    throw new InterruptedException();
                },
                new Random(1));

        var thrown = catchThrowableOfType(NotLoaded.class, () -> db.get(KEY));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).isNotNull();
        assertThat(sent("GetItem")).hasSize(1);
    }

    @Test
    void theSdkDoesNotRepeatBehindOurBack() {
        table.faults().inject(Fault.SERVER_ERROR, "GetItem", TOO_OFTEN);
        var once = pausing(new RetryPolicy(1, Duration.ZERO, Duration.ZERO), _ -> {}, new Random(1));

        assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> once.get(KEY));

        assertThat(sent("GetItem")).hasSize(1);
    }

    @Test
    void aTableThatThrottlesAThirdGetsAFifthMoreRequestsAtMost() {
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", 0.3, 7);
        var db = pausing(FreshTable.RETRIES, _ -> {}, new Random(1));
        var reads = 3_000;
        var failed = 0;

        for (var i = 0; i < reads; i++) {
            try {
                db.get(KEY);
            } catch (NotLoaded _) {
                failed++;
            }
        }

        var allAtOnce = RetryBudget.CAPACITY / RetryBudget.COST_OF_RETRY;
        assertThat(sent("GetItem").size()).isLessThanOrEqualTo(reads * 6 / 5 + allAtOnce);
        assertThat(failed).as("what cannot be served fails at once").isPositive();
    }

    @Test
    void backgroundWorkSlowsDownWhenTheRetryBudgetIsSpent() {
        var policy = new RetryPolicy(4, Duration.ofMillis(10), Duration.ofSeconds(5));
        var pauses = new ArrayList<Duration>();
        var db = pausing(policy, pauses::add, largest());
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", TOO_OFTEN);
        while (pauses.size() < RetryBudget.CAPACITY / RetryBudget.COST_OF_RETRY) {
            assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> db.get(KEY));
        }
        pauses.clear();

        assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> db.get(KEY));
        assertThat(pauses).as("somebody waits").isEmpty();
        assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> Workload.BACKGROUND.run(() -> db.get(KEY)));
        assertThat(pauses).containsOnly(policy.maxDelay()).hasSize(policy.maxAttempts() - 1);
    }

    @Test
    void whoLosesRacesMayRunAgainWithoutABudget() {
        var db = pausing(new RetryPolicy(1_000, Duration.ZERO, Duration.ZERO), _ -> {}, new Random(1));
        var conflicts = RetryBudget.CAPACITY;
        table.faults().inject(Fault.TRANSACTION_CONFLICT, "TransactWriteItems", conflicts);

        db.transact(List.of(Write.put(ITEM, SaveMode.INIT)));

        assertThat(sent("TransactWriteItems")).hasSize(conflicts + 1);
    }

    @Test
    void nothingIsSentAfterTheDeadline() {
        var late = Workload.interactive(Duration.ZERO);

        var read = catchThrowableOfType(NotLoaded.class, () -> late.call(() -> db().get(KEY)));
        var written = catchThrowableOfType(NotSaved.class, () -> late.run(() -> db().save(ITEM, SaveMode.ANY)));
        var batch = catchThrowableOfType(NotLoaded.class, () -> late.call(() -> db().getBatch(keys(250))));

        assertThat(List.of(read, written, batch)).allMatch(failure -> !failure.maybeApplied());
        assertThat(table.faults().sent()).isEmpty();
    }

    @Test
    void noPauseEndsAfterTheDeadline() {
        var pauses = new ArrayList<Duration>();
        var db = pausing(new RetryPolicy(9, Duration.ofHours(1), Duration.ofHours(1)), pauses::add, largest());
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", TOO_OFTEN);

        var soon = Workload.interactive(Duration.ofMinutes(1));
        assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> soon.call(() -> db.get(KEY)));

        assertThat(sent("GetItem")).hasSize(1);
        assertThat(pauses).isEmpty();
    }

    private QueryDb pausing(RetryPolicy policy, Requests.Sleeper sleeper, RandomGenerator random) {
        var bulkhead = new Bulkhead(table.client(), policy, 1);
        var requests = new Requests(bulkhead, bulkhead, table.meter(), sleeper, random);
        return new QueryDb(table.definition(), CLOCK, requests, FreshTable.CURSOR_KEY);
    }

    /** Always draws the greatest number that was asked for. */
    private static RandomGenerator largest() {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return Long.MAX_VALUE;
            }

            @Override
            public long nextLong(long bound) {
                return bound - 1;
            }
        };
    }

    private QueryDb db() {
        return table.queryDb(CLOCK);
    }

    private List<Sent> sent(String operation) {
        return table.faults().sent().stream()
                .filter(sent -> sent.operation().equals(operation))
                .toList();
    }

    private static List<Key> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Key("p", "s%03d".formatted(i)))
                .toList();
    }
}
