package io.menuboard.billing.transactions;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.byRule;
import static io.menuboard.billing.transactions.TransactionsFixture.command;
import static io.menuboard.billing.transactions.TransactionsFixture.money;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.billing.transactions.RecordOutcome.Conflict;
import io.menuboard.billing.transactions.RecordOutcome.NotSaved;
import io.menuboard.billing.transactions.RecordOutcome.Recorded;
import io.menuboard.billing.transactions.RecordOutcome.Refused;
import io.menuboard.billing.transactions.RecordOutcome.Replayed;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.TasksFixture;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

class TransactionsTest {
    private static final Quarter NOON = Quarter.parse("quarter", "203606151200");
    private static final int ROUNDS = TasksFixture.FULL_SOAK ? 20 : 6;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private TransactionsFixture fixture;
    private Transactions billing;

    @BeforeEach
    void open() {
        fixture = new TransactionsFixture(table.queryDb(clock), clock);
        billing = fixture.transactions;
    }

    /** As DynamoDB may show them while they are written by who was first. */
    @Test
    void aTransactionThatIsSeenLaterThanItsMarkerIsReplayed() {
        var recorded = fixture.recorded(sale("t1", "acme", "9.99")).getFirst();
        var db = table.queryDb(clock);
        var item = db.get(DynamoTransactionItems.key(recorded.place()), Consistency.STRONG)
                .orElseThrow();
        db.delete(item.key());
        var reads = new AtomicInteger();
        var client = InterruptedClient.before(
                request -> request instanceof BatchGetItemRequest batch
                        && batch.requestItems().values().stream()
                                .flatMap(keys -> keys.keys().stream())
                                .anyMatch(key -> item.key().sort().equals(value(key, "sk")))
                        && reads.incrementAndGet() == 2,
                1,
                table.client(),
                () -> db.save(item, SaveMode.INIT));
        var second = new TransactionsFixture(table.queryDb(client, clock), clock);

        var outcomes = second.transactions.record(GRACE, List.of(sale("t1", "acme", "9.99")));

        assertThat(outcomes).containsExactly(new Replayed(recorded));
    }

    private static String value(Map<String, AttributeValue> key, String attribute) {
        return Objects.requireNonNull(key.get(attribute)).s();
    }

    @Test
    void recordsATransactionWithItsSharesInTheQuarterHourOfArrival() {
        clock.setTime("12:14:59.999");

        var recorded = fixture.recorded(sale("t1", "acme", "9.99")).getFirst();

        assertThat(recorded.agencyShare()).isEqualTo(money("1.50"));
        assertThat(recorded.houseShare()).isEqualTo(money("8.49"));
        assertThat(recorded.place().quarter()).isEqualTo(NOON);
        assertThat(recorded.place().sortKey()).matches("2036-06-15T12:14:59\\.[1-9A-HJ-NP-Za-km-z]{16}");
        assertThat(recorded.recordedBy()).isEqualTo(GRACE.actor());
        assertThat(billing.find(GRACE, recorded.id())).contains(recorded);
        assertThat(billing.ofAgency(GRACE, recorded.agency(), YearMonth.of(2036, 6), PAGE)
                        .nodes())
                .containsExactly(recorded);
        assertThat(billing.agencies(GRACE, PAGE).nodes()).containsExactly(recorded.agency());
    }

    @Test
    void listsWhatArrivedBetweenTwoInstantsAlsoOfTwoMonths() {
        clock.set(Instant.parse("2036-06-30T23:59:58.500Z"));
        var june = fixture.recorded(sale("june", "acme", "1.00")).getFirst();
        clock.set(Instant.parse("2036-07-01T00:00:00Z"));
        var first = fixture.recorded(sale("first", "acme", "1.00")).getFirst();
        clock.set(Instant.parse("2036-07-01T00:00:01.999Z"));
        var second = fixture.recorded(sale("second", "acme", "1.00")).getFirst();

        assertThat(between("2036-06-30T23:59:58Z", "2036-07-01T00:00:02Z")).containsExactly(second, first, june);
        assertThat(between("2036-06-30T23:59:58.001Z", "2036-07-01T00:00:01Z")).containsExactly(first);
        assertThat(between("2036-06-01T00:00:00Z", "2036-07-01T00:00:00Z")).containsExactly(june);
        assertThat(between("2036-07-01T00:00:00Z", "2036-07-01T00:00:00.001Z")).containsExactly(first);
        var page = billing.ofAgency(
                GRACE,
                june.agency(),
                june.receivedAt(),
                Instant.parse("2036-07-02T00:00:00Z"),
                PageRequest.forward(2, null));
        assertThat(page.nodes()).containsExactly(second, first);
        assertThat(billing.ofAgency(
                                GRACE,
                                june.agency(),
                                june.receivedAt(),
                                Instant.parse("2036-07-02T00:00:00Z"),
                                PageRequest.forward(2, page.endCursor()))
                        .nodes())
                .containsExactly(june);
    }

    private List<Transaction> between(String from, String to) {
        return billing.ofAgency(GRACE, new AgencyId("acme"), Instant.parse(from), Instant.parse(to), PAGE)
                .nodes();
    }

    @Test
    void findsManyAtOnce() {
        var some = fixture.recorded(sale("t1", "acme", "1.00"), sale("t2", "bolt", "2.00"));

        assertThat(billing.findAll(
                        GRACE, List.of(new TransactionId("t2"), new TransactionId("nothing"), new TransactionId("t1"))))
                .containsExactlyInAnyOrderElementsOf(some);
        assertThat(billing.findAll(GRACE, List.of(new TransactionId("nothing"))))
                .isEmpty();
        assertThat(billing.findAgencies(GRACE, List.of(new AgencyId("bolt"), new AgencyId("nobody"))))
                .containsExactly(new AgencyId("bolt"));
    }

    @Test
    void replaysTheSameBodyAndShowsBothOfAConflict() {
        var first = fixture.recorded(sale("t1", "acme", "9.99")).getFirst();
        clock.advance(Duration.ofHours(1));

        var outcomes = billing.record(GRACE, List.of(sale("t1", "acme", "9.99"), sale("t1", "acme", "9.98")));

        assertThat(outcomes).containsExactly(new Replayed(first), new Conflict(first, sale("t1", "acme", "9.98")));
        assertThat(ingested()).isEqualTo(1);
    }

    @Test
    void aTransactionThatIsGoneLeavesOthersOfTheCallTheirOutcomes() {
        var gone = fixture.recorded(sale("t1", "acme", "9.99")).getFirst();
        table.queryDb(clock).delete(DynamoTransactionItems.key(gone.place()));

        var outcomes = billing.record(GRACE, List.of(sale("t1", "acme", "9.99"), sale("t2", "acme", "1.00")));

        assertThat(outcomes.getFirst()).isEqualTo(new NotSaved(gone.id()));
        assertThat(outcomes.getLast()).isInstanceOf(Recorded.class);
    }

    @Test
    void takesInputsAsIfTheyCameOneAfterTheOther() {
        var outcomes = billing.record(
                GRACE,
                List.of(
                        refund("r1", "acme", "-4.00", "t1"),
                        sale("t1", "acme", "9.99"),
                        sale("t1", "acme", "9.99"),
                        sale("t1", "acme", "1.00"),
                        refund("x", "acme", "-4.00", "y"),
                        refund("y", "acme", "-4.00", "x"),
                        refund("r2", "acme", "-1.00", "nobody")));

        assertThat(outcomes)
                .extracting(outcome -> outcome.getClass().getSimpleName())
                .containsExactly("Recorded", "Recorded", "Replayed", "Conflict", "Refused", "Refused", "Refused");
        assertThat(((Refused) outcomes.getLast()).reason().code()).isEqualTo("CORRECTS_UNKNOWN");
        assertThat(ingested()).isEqualTo(2);
    }

    @Test
    void answersAThousandInOrderAmongThemDuplicatesAndRefusals() {
        var commands = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 10 == 3
                        ? byRule("t" + i, "acme", "1.00", "no such rule")
                        : sale("t" + (i % 10 == 7 ? i - 1 : i), "agency " + i % 3, "1.00"))
                .toList();

        var outcomes = billing.record(GRACE, commands);

        for (var i = 0; i < 1_000; i++) {
            var id = commands.get(i).id();
            var expected = i % 10 == 3 ? Refused.class : i % 10 == 7 ? Conflict.class : Recorded.class;
            assertThat(outcomes.get(i)).as("input " + i).isInstanceOf(expected);
            if (outcomes.get(i) instanceof Recorded(var transaction)) {
                assertThat(transaction.id()).isEqualTo(id);
            }
        }
        assertThat(ingested()).isEqualTo(800);
    }

    @Test
    void oneOfManyWhoRecordTheSameIdAtOnceHasRecordedIt() throws Exception {
        for (var round = 0; round < ROUNDS; round++) {
            var id = "t" + round;
            Callable<RecordOutcome> one = () ->
                    billing.record(GRACE, List.of(sale(id, "acme", "9.99"))).getFirst();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var outcomes = threads.invokeAll(Collections.nCopies(16, one)).stream()
                        .map(Future::resultNow)
                        .toList();

                assertThat(outcomes).filteredOn(Recorded.class::isInstance).hasSize(1);
                assertThat(outcomes).filteredOn(Replayed.class::isInstance).hasSize(15);
            }
        }
        assertThat(ingested()).isEqualTo(ROUNDS);
    }

    @Test
    void countsAndSumsEachQuarterHourByCurrency() {
        fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "acme", "450 JPY"), sale("t3", "acme", "-1.99"));
        clock.advance(Duration.ofMinutes(15));
        fixture.recorded(sale("t4", "acme", "1.00"));

        var counts = fixture.counters.counts(NOON).byShard().values().stream()
                .reduce(ControlTotals.NONE, ControlTotals::plus);

        assertThat(counts.count()).isEqualTo(3);
        assertThat(counts.sums()).hasSize(2);
        assertThat(counts.sums().get("EUR")).isEqualByComparingTo("8.00");
        assertThat(counts.sums().get("JPY")).isEqualByComparingTo("450");
    }

    @Test
    void aRuleCountsAsItIsWhenATransactionIsRecorded() {
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.DOWN));
        var before = fixture.recorded(byRule("t1", "acme", "9.99", "standard")).getFirst();
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.2"), Rounding.HALF_EVEN));

        var outcomes = billing.record(
                GRACE, List.of(byRule("t1", "acme", "9.99", "standard"), byRule("t2", "acme", "9.99", "standard")));

        assertThat(before.agencyShare()).isEqualTo(money("0.99"));
        assertThat(before.commission().rounding()).isEqualTo(Rounding.DOWN);
        assertThat(outcomes.getFirst()).isEqualTo(new Replayed(before));
        assertThat(((Recorded) outcomes.getLast()).transaction().agencyShare()).isEqualTo(money("2.00"));
        assertThat(fixture.rules.list(GRACE, PAGE).nodes())
                .containsExactly(new CommissionRule(
                        "standard",
                        new BigDecimal("0.20"),
                        Rounding.HALF_EVEN,
                        new CommissionRule.Update(clock.instant(), GRACE.actor())));
        assertThat(fixture.audit.bySubject("COMMISSION-RULE#standard", PAGE).nodes())
                .allSatisfy(record -> assertThat(record.action()).isEqualTo("commission rule set"))
                .extracting(AuditRecord::details)
                .containsExactlyInAnyOrder(
                        Map.of("rate after", "0.1", "rounding after", "DOWN"),
                        Map.of(
                                "rate before",
                                "0.1",
                                "rate after",
                                "0.2",
                                "rounding before",
                                "DOWN",
                                "rounding after",
                                "HALF_EVEN"));
    }

    @Test
    void saysWhoSetARuleAndWhen() {
        var first = fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.DOWN));
        clock.advance(Duration.ofMinutes(1));
        var second = new CommissionRule("standard", new BigDecimal("0.20"), Rounding.DOWN);

        assertThat(fixture.rules.replace(GRACE, second, first)).isTrue();

        assertThat(fixture.rules.find(GRACE, "standard"))
                .get()
                .extracting(CommissionRule::updated)
                .isEqualTo(new CommissionRule.Update(clock.instant(), GRACE.actor()));
        assertThat(first.updated())
                .isEqualTo(new CommissionRule.Update(clock.instant().minus(Duration.ofMinutes(1)), GRACE.actor()));
    }

    @Test
    void whatAnEarlierVersionSetDoesNotSayWhen() {
        var set = fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.DOWN));
        table.queryDb(clock)
                .update(Update.of(new Key("BILLRULES", "standard"))
                        .remove("updatedAt")
                        .remove("updatedBy"));

        assertThat(fixture.rules.find(GRACE, "standard"))
                .hasValue(new CommissionRule(set.id(), set.rate(), set.rounding()));
    }

    @Test
    void whatARuleWasBeforeIsWhatSomebodyElseMadeOfItAtTheSameTime() throws InterruptedException {
        var rates =
                IntStream.rangeClosed(1, 8).mapToObj(percent -> "0.0" + percent).toList();
        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            people.invokeAll(rates.stream()
                    .map(rate -> Executors.callable(() -> {
                        var _ = fixture.rules.put(
                                GRACE, new CommissionRule("standard", new BigDecimal(rate), Rounding.DOWN));
                    }))
                    .toList());
        }

        var details = fixture.audit.bySubject("COMMISSION-RULE#standard", PAGE).nodes().stream()
                .map(AuditRecord::details)
                .toList();
        var last = fixture.rules.find(GRACE, "standard").orElseThrow().rate().stripTrailingZeros();
        assertThat(details).extracting(record -> record.get("rate after")).containsExactlyInAnyOrderElementsOf(rates);
        assertThat(details)
                .as("each was one's former rate, but the last one")
                .extracting(record -> record.getOrDefault("rate before", last.toPlainString()))
                .containsExactlyInAnyOrderElementsOf(rates);
    }

    @ParameterizedTest
    @CsvSource({
        "0.15, 9.99, 1.50, HALF_UP",
        "0.15, -9.99, -1.50, HALF_UP",
        "0.5, 0.01, 0.01, HALF_UP",
        "0.5, -0.01, -0.01, HALF_UP",
        "0.5, 0.01, 0.00, HALF_EVEN",
        "0.5, 0.03, 0.02, HALF_EVEN",
        "0.99, 0.01, 0.00, DOWN",
        "0.99, -0.01, 0.00, DOWN",
        "0, 9.99, 0.00, HALF_UP",
        "1, 9.99, 9.99, HALF_UP",
        "0.333333, 100 JPY, 33 JPY, HALF_UP",
        "0.125, 1.004 KWD, 0.126 KWD, HALF_UP"
    })
    void roundsSharesToTheCurrency(String rate, String amount, String share, Rounding rounding) {
        assertThat(new Commission(new BigDecimal(rate), rounding, null).agencyShare(money(amount)))
                .isEqualTo(money(share));
    }

    @Test
    void namesFieldAndRuleOfBadInput() {
        assertRefused("INVALID_RATE", "commissionRate", () -> command("t", "a", "1", "1.01", null, null));
        assertRefused("INVALID_RATE", "commissionRate", () -> command("t", "a", "1", "-0.01", null, null));
        assertRefused("INVALID_RATE", "commissionRate", () -> command("t", "a", "1", "0.1234567", null, null));
        assertRefused("COMMISSION_REQUIRED", "commissionRate", () -> command("t", "a", "1", null, null, null));
        assertRefused("COMMISSION_REQUIRED", "commissionRate", () -> command("t", "a", "1", "0.1", "r", null));
        assertRefused("INVALID_ID", "transaction", () -> command("a#b", "a", "1", "0.1", null, null));
        assertRefused("INVALID_ID", "agency", () -> command("t", " ", "1", "0.1", null, null));
        assertRefused("CORRECTS_ITSELF", "corrects", () -> command("t", "a", "1", "0.1", null, "t"));
        assertRefused(
                "TOO_MANY_TRANSACTIONS",
                "transactions",
                () -> billing.record(GRACE, Collections.nCopies(1_001, sale("t", "a", "1"))));
        fixture.recorded(sale("t1", "acme", "9.99"));
        assertThat(billing.record(GRACE, List.of(refund("r1", "other", "-1.00", "t1")))
                        .getFirst())
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason().code()).isEqualTo("CORRECTS_OTHER"));
        clock.setTime("11:00:00");
        clock.advance(Duration.ofDays(-1));
        assertThat(billing.record(GRACE, List.of(sale("t2", "acme", "1.00"))).getFirst())
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason().code()).isEqualTo("IN_THE_FUTURE"));
    }

    @Test
    void noCallTakesMoreThanTheSchemaAllows() {
        assertThatThrownBy(() -> new TransactionsConfig(2, 2, 1_001, Duration.ofMinutes(15), 1_000, 1_000_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max-record");
    }

    private static void assertRefused(String code, String field, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidInput.class, refused -> {
            assertThat(refused.code()).isEqualTo(code);
            assertThat(refused.field()).isEqualTo(field);
            assertThat(refused.getMessage()).startsWith(field);
        });
    }

    private long ingested() {
        return NOON.until(NOON.plus(8))
                .flatMap(quarter -> fixture.counters.counts(quarter).byShard().values().stream())
                .mapToLong(ControlTotals::count)
                .sum();
    }
}
