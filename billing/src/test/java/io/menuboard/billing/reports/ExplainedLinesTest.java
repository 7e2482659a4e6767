package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.byRule;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The line of a transaction is found in its ledger by reading little of it. */
class ExplainedLinesTest {
    private static final RunId NOON = run("1200", "1215");
    private static final int CALLS = 14;
    private static final int LATE = 4;
    private static final long LITTLE = 100_000;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    private final List<Long> reads = new ArrayList<>();
    private final List<Transaction> recorded = new ArrayList<>();
    private QueryDb db;
    private BillingFixture fixture;

    /** Seven hundred lines of a quarter hour, in handfuls a minute apart: about 160 KB. */
    @BeforeEach
    void open() throws InterruptedException {
        db = table.queryDb(clock);
        fixture = new BillingFixture(db, clock, counted());
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.HALF_UP));
        for (var call = 0; call < CALLS; call++) {
            var name = "t" + call + "-";
            recorded.addAll(fixture.recorded(IntStream.range(0, TransactionsFixture.CHUNK)
                    .mapToObj(i -> byRule("t" + "x".repeat(40) + name + i, "acme".repeat(15), "9.99", "standard"))
                    .toList()));
            clock.advance(Duration.ofSeconds(60));
        }
        clock.setTime("12:30:00");
        fixture.run();
        reads.clear();
    }

    /** The files, of which is noted how many bytes each request asks for. */
    private ReportFiles counted() {
        return new ReportFiles() {
            @Override
            public boolean create(String name, Path content, String mediaType) {
                return files.create(name, content, mediaType);
            }

            @Override
            public Optional<InputStream> open(String name, long from, long length) {
                meanwhile.getAndSet(() -> {}).run();
                reads.add(Math.min(length, files.length(name).orElse(0) - from));
                return files.open(name, from, length);
            }

            @Override
            public OptionalLong length(String name) {
                return files.length(name);
            }
        };
    }

    private void assertEachIsFoundInOneLittleRead(String share) {
        for (var i = 0; i < recorded.size(); i += 53) {
            reads.clear();
            var transaction = recorded.get(i);

            assertThat(fixture.reports.of(GRACE, transaction)).hasValueSatisfying(appearance -> {
                assertThat(appearance.line().transaction().place()).isEqualTo(transaction.place());
                assertThat(appearance.line().transaction().agencyShare().amount())
                        .isEqualByComparingTo(share);
            });
            assertThat(reads).singleElement().satisfies(bytes -> assertThat(bytes)
                    .isLessThan(LITTLE));
        }
    }

    @Test
    void noLineIsFoundBeforeItsRunIsCommitted() throws InterruptedException {
        clock.setTime("12:16:00");
        var next = fixture.recorded(byRule("next", "acme", "9.99", "standard")).getFirst();
        clock.setTime("12:46:00");
        var found = new ArrayList<Boolean>();
        var watched = InterruptedClient.before(
                request -> request instanceof TransactWriteItemsRequest
                        || request instanceof BatchWriteItemRequest
                        || request instanceof UpdateItemRequest,
                Integer.MAX_VALUE,
                LocalDynamoDb.shared().directClient(),
                () -> found.add(fixture.reports.of(GRACE, next).isPresent()));

        new BillingFixture(table.queryDb(watched, clock), clock, files).run();

        assertThat(found).hasSizeGreaterThan(2).doesNotContain(true);
        assertThat(fixture.reports.of(GRACE, next)).isPresent();
    }

    @Test
    void aLineIsFoundInOneReadOfAFewKilobytes() {
        assertThat(files.length(new RunFiles(NOON, 1).ledger()).orElseThrow()).isGreaterThan(LITTLE * 3 / 2);

        assertEachIsFoundInOneLittleRead("1.00");
    }

    @Test
    void theLinesOfManyAreFoundInOneReadOfWhatTheyHaveInCommon() throws Exception {
        var many = fixture.reports.of(GRACE, recorded);

        assertThat(many).hasSameSizeAs(recorded);
        recorded.forEach(transaction -> assertThat(many.get(transaction.id()))
                .satisfies(
                        found -> assertThat(found.line().transaction().place()).isEqualTo(transaction.place())));
        assertThat(reads).containsExactly(ledgerBytes());
        reads.clear();
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.20"), Rounding.HALF_UP));
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());
        reads.clear();

        assertThat(fixture.reports.of(GRACE, recorded).values())
                .hasSameSizeAs(recorded)
                .allSatisfy(found -> assertThat(
                                found.line().transaction().agencyShare().amount())
                        .isEqualByComparingTo("2.00"));
        assertThat(reads).hasSize(1);
    }

    /** Of a late one the ledger of its quarter hour is read first, and then that of the run which has the other one, too. */
    @Test
    void linesOfARunThatIsMadeAgainMeanwhileAreFoundAsOfOneVersion() throws InterruptedException {
        clock.setTime("12:05:00");
        var sought = new ArrayList<Transaction>();
        for (var i = 0; i < LATE; i++) {
            sought.addAll(fixture.recorded(byRule("late " + i, "acme", "9.99", "standard")));
        }
        clock.setTime("12:16:00");
        sought.addAll(fixture.recorded(byRule("in time", "acme", "9.99", "standard")));
        clock.setTime("12:46:00");
        fixture.run();
        var next = fixture.find(run("1215", "1230"));
        meanwhile.set(() -> fixture.runs.runAgain(GRACE, next.id()));

        var found = fixture.reports.of(GRACE, sought);

        assertThat(found).hasSameSizeAs(sought);
        assertThat(found.values()).extracting(Reports.Appearance::run).containsOnly(next);
        assertThat(fixture.find(next.id()).isOpen()).isTrue();
    }

    /** But for the header. */
    private long ledgerBytes() throws IOException {
        return files.length(new RunFiles(NOON, 1).ledger()).orElseThrow()
                - new CsvBytes().of(LedgerLine.COLUMNS).length;
    }

    /** Those at both ends are further from each other than it is worth reading. */
    @Test
    void whatLiesBetweenTwoFarApartIsNotRead() {
        var ends = List.of(recorded.getFirst(), recorded.getLast());

        assertThat(fixture.reports.of(GRACE, ends)).hasSize(2);

        assertThat(reads).hasSizeBetween(1, 2);
        assertThat(reads.stream().mapToLong(Long::longValue).sum())
                .isLessThan(files.length(new RunFiles(NOON, 1).ledger()).orElseThrow());
    }

    @Test
    void soIsALineOfALaterVersion() throws Exception {
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.20"), Rounding.HALF_UP));
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());

        assertEachIsFoundInOneLittleRead("2.00");
    }

    /** As the previous version noted where they are: without an index, and nothing at all of later versions. */
    @Test
    void linesOfOlderLedgersAreFoundToo() throws Exception {
        db.update(Update.of(new Key("BILLQ#" + NOON.from(), "REPORTED#" + NOON)).remove("index"));
        assertThat(fixture.reports.of(GRACE, recorded.getLast())).hasValueSatisfying(appearance -> assertThat(
                        appearance.line().transaction().place())
                .isEqualTo(recorded.getLast().place()));
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.20"), Rounding.HALF_UP));
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());
        db.delete(new Key("BILLRUN#" + NOON, "V0002#PART#" + NOON.from()));

        assertThat(fixture.reports.of(GRACE, recorded.getLast())).hasValueSatisfying(appearance -> assertThat(
                        appearance.line().transaction().agencyShare().amount())
                .isEqualByComparingTo("2.00"));
    }
}
