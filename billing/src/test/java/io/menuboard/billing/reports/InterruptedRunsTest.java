package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.byRule;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TasksFixture;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The process that makes reports dies at each of its requests that change something, in the table or among the files.
 * Another one takes up the run and writes the same bytes. It dies before the first of them, and after each: whoever dies at
 * a read, or before a change, leaves what the change before it left. With {@code -Dsoak=full} it dies at reads too, and
 * before each request.
 */
class InterruptedRunsTest {
    private static final RunId NOON = run("1200", "1215");
    private static final RunId NEXT = run("1215", "1230");
    private static final Set<String> READS =
            Set.of("getItem", "batchGetItem", "transactGetItems", "query", "scan", "open", "length");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private BillingFixture fixture;
    private int deaths;

    @BeforeEach
    void open() {
        fixture = new BillingFixture(table.queryDb(clock), clock, files);
    }

    @AfterEach
    void saw() {
        assertThat(deaths).as("requests at which it died").isGreaterThan(TasksFixture.FULL_SOAK ? 20 : 12);
        assertThat(files.contradicted()).isEmpty();
    }

    @Test
    void aRunWithLateLines() throws Exception {
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        for (var afterIt : List.of(false, true)) {
            for (var step = 0; ; step++) {
                var story = afterIt + "-" + step + "-";
                var from = fixture.runs.checkpoint(GRACE).upTo();
                moveTo(from, Duration.ZERO);
                fixture.recorded(sale(story + 1, "acme", "9.99"), sale(story + 2, "bolt", "450 JPY"));
                moveTo(from, Duration.ofMinutes(30));
                fixture.run();
                // Late in what is closed now.
                moveTo(from, Duration.ofMinutes(14));
                fixture.recorded(sale(story + 3, "acme", "1.00"));
                moveTo(from, Duration.ofMinutes(16));
                fixture.recorded(sale(story + 4, "acme", "2.00"));
                moveTo(from, Duration.ofMinutes(45));

                var died = dies(step, afterIt, dying -> {
                    if (dying.runs.runNow(GRACE) instanceof RunResult.Started(var started)) {
                        dying.make(started);
                    }
                });

                // Something that comes later must not come into it.
                moveTo(from, Duration.ofMinutes(17));
                fixture.recorded(sale(story + 5, "acme", "4.00"));
                moveTo(from, Duration.ofMinutes(45));
                takeUp();
                moveTo(from, Duration.ofMinutes(60));
                fixture.run();
                var reported = allLines();
                assertThat(reported)
                        .as(story)
                        .filteredOn(id -> id.startsWith(story))
                        .containsExactlyInAnyOrder(story + 1, story + 2, story + 3, story + 4, story + 5);
                if (isLast(died, afterIt)) {
                    break;
                }
            }
        }
        assertThat(allLines()).doesNotHaveDuplicates();
    }

    @Test
    void aRunThatIsMadeAgain() throws Exception {
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.HALF_UP));
        clock.setTime("12:00:00");
        fixture.recorded(byRule("t1", "acme", "10.00", "standard"), sale("t2", "bolt", "1.00"));
        clock.setTime("12:30:00");
        fixture.run();
        var version = 1;
        for (var afterIt : List.of(false, true)) {
            for (var step = 0; ; step++) {
                var rate = new BigDecimal("0.10").add(BigDecimal.valueOf(version, 3));
                fixture.rules.put(GRACE, new CommissionRule("standard", rate, Rounding.HALF_UP));

                var died = dies(step, afterIt, dying -> {
                    if (dying.runs.runAgain(GRACE, NOON) instanceof RunResult.Started(var started)) {
                        dying.make(started);
                    }
                });

                if (fixture.find(NOON).latestVersion() == version) {
                    fixture.runs.runAgain(GRACE, NOON);
                }
                version++;
                if (fixture.find(NOON).status() == Status.RUNNING) {
                    fixture.make(fixture.find(NOON));
                }
                assertThat(fixture.find(NOON).effectiveVersion()).isEqualTo(version);
                assertThat(ledger(files, NOON, version))
                        .extracting(
                                line -> line.transaction().commission().rate().toPlainString())
                        .containsExactlyInAnyOrder(rate.stripTrailingZeros().toPlainString(), "0.15");
                if (isLast(died, afterIt)) {
                    break;
                }
            }
        }
        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NEXT.from());
    }

    private void moveTo(Quarter quarter, Duration after) {
        clock.advance(Duration.between(clock.instant(), quarter.start().plus(after)));
    }

    /** Whether it was through, or has died before its first change, which is the only one that it need not die after. */
    private static boolean isLast(boolean died, boolean afterIt) {
        return !died || !(afterIt || TasksFixture.FULL_SOAK);
    }

    private interface Mortal {
        void go(BillingFixture dying) throws InterruptedException;
    }

    /** Whether it died before it was through. */
    private boolean dies(int requests, boolean afterIt, Mortal story) throws InterruptedException {
        var client = new DyingClient(
                LocalDynamoDb.shared().directClient(),
                requests,
                afterIt,
                request -> TasksFixture.FULL_SOAK || !READS.contains(request.getName()));
        var dying =
                new BillingFixture(table.queryDb(client.proxy(), clock), clock, client.proxy(ReportFiles.class, files));
        try {
            story.go(dying);
        } catch (RuntimeException e) {
            assertThat(client.isDead()).as("it failed, and lives: %s", e).isTrue();
        }
        deaths += client.isDead() ? 1 : 0;
        return client.isDead();
    }

    /** As an instance does that polls for due runs, and has the task. */
    private void takeUp() throws InterruptedException {
        fixture.runs.due();
        var open = fixture.runs.checkpoint(GRACE).open();
        if (open != null) {
            fixture.make(fixture.find(open));
        }
    }

    private List<String> allLines() {
        var ids = new ArrayList<String>();
        files.texts().entrySet().stream()
                .filter(file -> file.getKey().endsWith("/v0001/ledger.csv"))
                .map(Map.Entry::getValue)
                .flatMap(ledger -> Stream.of(ledger.split("\r\n", -1)).skip(1))
                .filter(row -> !row.isEmpty())
                .map(row -> row.substring(0, row.indexOf(',')))
                .forEach(ids::add);
        return ids;
    }
}
