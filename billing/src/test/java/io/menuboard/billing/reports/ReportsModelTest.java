package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stories made by chance: processes whose clocks are five minutes ahead and behind record and replay transactions, some of
 * which arrive long after the instant on them, and make reports at any moment, dying at any request. In the end each
 * transaction is in one report. The seed of a failed story is in the message; {@code -Dsoak=full} tells two thousand.
 */
class ReportsModelTest {
    private static final Duration LOOK_BACK = Duration.ofHours(3);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    static IntStream seeds() {
        return IntStream.range(0, "full".equals(System.getProperty("soak")) ? 2_000 : 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyTransactionIsInOneReport(int seed) throws Exception {
        new Story(seed).tell();
    }

    private final class Story {
        private final int seed;
        private final Random random;
        private final MovingClock clock = new MovingClock();
        private final MemoryFiles files = new MemoryFiles();
        private final Map<TransactionId, Transaction> truth = new HashMap<>();
        private final List<RecordTransaction> commands = new ArrayList<>();
        private final BillingFixture judge;

        Story(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            judge = fixture(clock);
            judge.runs.checkpoint(GRACE);
        }

        private BillingFixture fixture(Clock wrong) {
            return new BillingFixture(
                    table.queryDb(LocalDynamoDb.shared().directClient(), clock),
                    wrong,
                    files,
                    new BillingFixture.Config(3, 2, LOOK_BACK));
        }

        private Clock someClock() {
            return Clock.offset(clock, Duration.ofMinutes(5L * (random.nextInt(3) - 1)));
        }

        void tell() throws Exception {
            for (var step = 0; step < 40; step++) {
                clock.advance(Duration.ofSeconds(random.nextInt(600)));
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> ingest();
                    case 3 -> replay();
                    case 4 -> report(random.nextBoolean() ? -1 : random.nextInt(40));
                    default -> report(-1);
                }
            }
            clock.advance(Duration.ofMinutes(45));
            report(-1);
            report(-1);
            judge();
        }

        /** Stamped by a wrong clock, and then on its way for some seconds, or much longer. */
        private void ingest() {
            var delay = Duration.ofSeconds(random.nextInt(4) == 0 ? random.nextInt(3_600) : random.nextInt(5));
            var late = Clock.offset(clock, delay.negated().plusMinutes(5L * (random.nextInt(3) - 1)));
            var batch = IntStream.range(0, 1 + random.nextInt(random.nextInt(10) == 0 ? 120 : 6))
                    .mapToObj(i -> command(seed + "-" + commands.size() + "-" + i))
                    .toList();
            commands.addAll(batch);
            keep(fixture(late).billing.record(GRACE, batch));
        }

        private RecordTransaction command(String id) {
            var agency = "agency " + random.nextInt(4);
            var amount = new BigDecimal(random.nextInt(20_000) - 5_000)
                    .movePointLeft(2)
                    .toPlainString();
            var known = truth.values().stream()
                    .filter(before -> before.agency().value().equals(agency))
                    .findFirst();
            return known.isPresent() && random.nextInt(5) == 0
                    ? refund(id, agency, amount, known.get().id().value())
                    : sale(id, agency, amount);
        }

        private void replay() {
            if (!commands.isEmpty()) {
                var again = commands.get(random.nextInt(commands.size()));
                var outcomes = fixture(someClock()).billing.record(GRACE, List.of(again));
                assertThat(outcomes).as(name()).allMatch(RecordOutcome.Replayed.class::isInstance);
            }
        }

        private void keep(List<RecordOutcome> outcomes) {
            outcomes.forEach(outcome -> {
                var recorded = ((RecordOutcome.Recorded) outcome).transaction();
                truth.put(recorded.id(), recorded);
            });
        }

        /** What is due, and what was left open; dying at that request, or not. */
        private void report(int requests) throws InterruptedException {
            var wrong = someClock();
            if (requests < 0) {
                work(fixture(wrong));
                return;
            }
            var client = new DyingClient(LocalDynamoDb.shared().directClient(), requests, random.nextBoolean());
            try {
                work(new BillingFixture(
                        table.queryDb(client.proxy(), clock),
                        wrong,
                        client.proxy(ReportFiles.class, files),
                        new BillingFixture.Config(3, 2, LOOK_BACK)));
            } catch (RuntimeException e) {
                assertThat(client.isDead())
                        .as("%s: it failed, and lives: %s", name(), e)
                        .isTrue();
            }
        }

        private void work(BillingFixture fixture) throws InterruptedException {
            fixture.runs.due();
            var open = fixture.runs.checkpoint(GRACE).open();
            if (open != null) {
                fixture.make(fixture.find(open));
            }
        }

        private void judge() {
            var reported = new HashMap<TransactionId, LedgerLine>();
            judge.runs.list(GRACE, TransactionsFixture.PAGE).nodes().forEach(run -> ledger(files, run.id(), 1)
                    .forEach(line -> {
                        var twice = reported.put(line.transaction().id(), line);
                        assertThat(twice).as("%s: twice reported", name()).isNull();
                        var quarter = line.transaction().place().quarter();
                        assertThat(quarter.compareTo(run.id().from()) >= 0
                                        && quarter.compareTo(run.id().to()) < 0)
                                .as("%s: late %s", name(), line)
                                .isEqualTo(!line.late());
                    }));
            assertThat(reported.keySet()).as(name()).isEqualTo(truth.keySet());
            assertThat(files.contradicted()).as(name()).isEmpty();
            var first = Quarter.of(BillingFixture.NOW);
            assertThat(judge.reconciliations.reconcile(GRACE, first.plus(-8), first.plus(40)))
                    .as(name())
                    .allMatch(Reconciliation::agrees);
        }

        private String name() {
            return "story " + seed;
        }
    }
}
