package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Two instances whose clocks are five minutes ahead and behind take in transactions from many threads, some of which hang
 * for a while between the stamp and the write; reports are made at random moments, by either instance, and half of those
 * who make them die on the way. Hours pass in seconds. With {@code -Dsoak=full} it is a million transactions.
 */
class BillingSoakTest {
    private static final boolean FULL = "full".equals(System.getProperty("soak"));
    private static final int TRANSACTIONS = FULL ? 1_000_000 : 1_500;
    private static final int WRITERS = 4;
    private static final int CALL = 98;

    /** So that quarter hours are seconds, or less. */
    private static final int FASTER = FULL ? 150 : 1_500;

    /** Longer than the lag, so that some land in quarter hours that are closed. */
    private static final long LONGEST_HANG_MILLIS = Duration.ofMinutes(40).toMillis() / FASTER;

    private static final double HANGING = FULL ? 0.005 : 0.05;

    private static final BillingFixture.Config CONFIG = new BillingFixture.Config(3, 4, Duration.ofHours(12));

    private final LocalDynamoDb dynamoDb = LocalDynamoDb.inMemory();
    private final TableDefinition definition = TableDefinition.menuboard("soak");
    private final MemoryFiles files = new MemoryFiles();
    private final FastClock clock = new FastClock();
    private final Set<String> recorded = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger deaths = new AtomicInteger();

    /** Whether a write hangs, or has hung, until the quarter hour of its stamp is closed. */
    private final AtomicBoolean isLate = new AtomicBoolean();

    @AfterEach
    void stop() {
        dynamoDb.close();
    }

    @Test
    void everyTransactionIsInOneReport() throws InterruptedException, ExecutionException {
        LocalTables.create(dynamoDb, definition);
        var ahead = clock.off(Duration.ofMinutes(5));
        var behind = clock.off(Duration.ofMinutes(-5));
        instance(hanging(), behind).runs.checkpoint(GRACE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (var i = 0; i < WRITERS; i++) {
                var wrong = i % 2 == 0 ? ahead : behind;
                writers.add(threads.submit(() -> write(instance(hanging(), wrong))));
            }
            var reporters = List.of(
                    threads.submit(() -> report(ahead, writers)), threads.submit(() -> report(behind, writers)));
            for (var writer : writers) {
                writer.get();
            }
            for (var reporter : reporters) {
                reporter.get();
            }
        }
        var last = instance(dynamoDb.directClient(), clock);
        // What hung to the end is late in a quarter hour that is closed by then.
        for (var often = 0; often < 3; often++) {
            clock.jump(Duration.ofHours(2));
            work(last);
            last.run();
        }

        var reported = new HashSet<String>();
        var late = 0;
        var runs = last.runs.list(GRACE, TransactionsFixture.PAGE).nodes();
        for (var run : runs) {
            for (var line : ledger(files, run.id(), 1)) {
                assertThat(reported.add(line.transaction().id().value()))
                        .as("%s is reported once", line)
                        .isTrue();
                late += line.late() ? 1 : 0;
            }
        }
        System.out.printf(
                "%,d transactions in %d report runs, %,d of them late; %d deaths%n",
                reported.size(), runs.size(), late, deaths.get());
        assertThat(reported).isEqualTo(recorded).hasSize(TRANSACTIONS);
        assertThat(files.contradicted()).isEmpty();
        assertThat(runs).hasSizeGreaterThan(FULL ? 50 : 3);
        assertThat(late).as("late lines").isPositive();
        var first = runs.getLast().id().from();
        var end = runs.getFirst().id().to();
        assertThat(last.reconciliations.reconcile(GRACE, first.plus(-8), end)).allMatch(Reconciliation::agrees);
    }

    private void write(BillingFixture instance) {
        for (var from = next.getAndAdd(CALL); from < TRANSACTIONS; from = next.getAndAdd(CALL)) {
            var commands = IntStream.range(from, Math.min(from + CALL, TRANSACTIONS))
                    .mapToObj(i -> sale("t" + i, "agency " + i % 7, i % 100 + ".50"))
                    .toList();
            record(instance, commands);
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                record(instance, commands);
            }
        }
    }

    private void record(BillingFixture instance, List<RecordTransaction> commands) {
        for (var outcome : instance.billing.record(GRACE, commands)) {
            switch (outcome) {
                case RecordOutcome.Recorded(var transaction) ->
                    recorded.add(transaction.id().value());
                case RecordOutcome.Replayed(var transaction) ->
                    assertThat(recorded).contains(transaction.id().value());
                default -> throw new AssertionError(outcome);
            }
        }
    }

    private Void report(Clock wrong, List<Future<?>> writers) throws InterruptedException {
        var random = ThreadLocalRandom.current();
        while (!writers.stream().allMatch(Future::isDone)) {
            Thread.sleep(random.nextInt(200));
            if (random.nextBoolean()) {
                work(instance(dynamoDb.directClient(), wrong));
                continue;
            }
            var client = new DyingClient(dynamoDb.directClient(), random.nextInt(120), random.nextBoolean());
            try {
                work(new BillingFixture(db(client.proxy()), wrong, client.proxy(ReportFiles.class, files), CONFIG));
            } catch (RuntimeException e) {
                assertThat(client.isDead()).as("it failed, and lives: %s", e).isTrue();
                deaths.incrementAndGet();
            }
        }
        return null;
    }

    private static void work(BillingFixture instance) throws InterruptedException {
        instance.runs.due();
        var open = instance.runs.checkpoint(GRACE).open();
        if (open != null) {
            var run = instance.find(open);
            // The other instance may have committed it since, and a task looks at that first.
            if (run.isOpen()) {
                instance.make(run);
            }
        }
    }

    private BillingFixture instance(DynamoDbClient client, Clock wrong) {
        return new BillingFixture(db(client), wrong, files, CONFIG);
    }

    private QueryDb db(DynamoDbClient client) {
        return LocalTables.queryDb(client, definition, clock);
    }

    /** Transactions that are stamped, and then wait before they are sent. */
    private DynamoDbClient hanging() {
        var client = dynamoDb.directClient();
        return (DynamoDbClient) Proxy.newProxyInstance(
                BillingSoakTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest) {
                        if (isLate.compareAndSet(false, true)) {
                            awaitClosed(Quarter.of(clock.instant().plus(Duration.ofMinutes(5))));
                        } else if (ThreadLocalRandom.current().nextDouble() < HANGING) {
                            Thread.sleep(ThreadLocalRandom.current().nextLong(LONGEST_HANG_MILLIS));
                        }
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Waits until a committed run has closed the quarter hour: those who make reports go on until all is written. */
    private void awaitClosed(Quarter quarter) throws InterruptedException {
        var reader = instance(dynamoDb.directClient(), clock);
        while (reader.runs.checkpoint(GRACE).upTo().compareTo(quarter) <= 0) {
            Thread.sleep(10);
        }
    }

    /** Time that passes faster, and may jump. */
    private static final class FastClock extends Clock {
        private final long start = System.nanoTime();
        private volatile Duration jumped = Duration.ZERO;

        void jump(Duration by) {
            jumped = jumped.plus(by);
        }

        Clock off(Duration by) {
            return Clock.offset(this, by);
        }

        @Override
        public Instant instant() {
            return BillingFixture.NOW
                    .plus(Duration.ofNanos(System.nanoTime() - start).multipliedBy(FASTER))
                    .plus(jumped);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
