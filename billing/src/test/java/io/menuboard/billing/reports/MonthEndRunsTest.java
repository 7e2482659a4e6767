package io.menuboard.billing.reports;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.Money;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs of more than a day, from noon of the last day but two of a month. */
class MonthEndRunsTest {
    private static final AgencyId ACME = new AgencyId("acme");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(Instant.parse("2036-06-28T12:15:00Z"));
    private BillingFixture fixture;

    @BeforeEach
    void open() {
        fixture = new BillingFixture(table.queryDb(clock), clock, new MemoryFiles());
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
    }

    @Test
    void noRunIsLongerThanADayOrOfTwoMonths() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.advance(Duration.ofDays(3).plusHours(3));

        fixture.run();

        assertThat(fixture.runs.list(GRACE, PAGE).nodes().reversed())
                .extracting(run -> run.id().toString())
                .containsExactly(
                        "203606281200-203606291200",
                        "203606291200-203606301200",
                        "203606301200-203607010000",
                        "203607010000-203607011445");
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(
                        new Totals(1, 0, Money.currencyOf("EUR"), new BigDecimal("9.99"), new BigDecimal("1.50")));
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 7)).totals())
                .isEmpty();
    }

    @Test
    void monthsAreAddedUpWithAndWithoutTheirReports() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.advance(Duration.ofDays(3).plusHours(3));
        fixture.recorded(sale("t2", "acme", "1.00"), sale("t3", "acme", "1 JPY"));
        clock.advance(Duration.ofHours(1));
        fixture.run();
        var first = RunId.parse("203606281200-203606291200");
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, first)).run());
        var may = YearMonth.of(2036, 5);

        var statements = fixture.reports.statements(GRACE, ACME, may, may.plusMonths(3));
        var totals = fixture.reports.totals(GRACE, ACME, may, may.plusMonths(3));

        assertThat(statements)
                .extracting(statement ->
                        statement.reports().stream().map(AgencyTotals::version).toList())
                .isEqualTo(List.of(List.of(), List.of(2), List.of(1), List.of()));
        assertThat(statements)
                .extracting(statement ->
                        statement.totals().stream().map(Totals::lines).toList())
                .isEqualTo(List.of(List.of(), List.of(1L), List.of(1L, 1L), List.of()));
        assertThat(totals)
                .containsExactlyElementsOf(statements.stream()
                        .map(statement -> new Reports.Statement(
                                statement.agency(), statement.month(), List.of(), statement.totals()))
                        .toList());
    }

    @Test
    void aRunIsDueOnceTheMonthIsOverHoweverLongTheInterval() throws Exception {
        clock.advance(Duration.ofDays(2).plusHours(10).plusMinutes(15));
        fixture.run();

        fixture.runs.setInterval(GRACE, Duration.ofHours(24));

        assertThat(fixture.runs.checkpoint(GRACE).upTo().start()).isEqualTo("2036-06-30T22:00:00Z");
        assertThat(fixture.runs.nextDue()).isEqualTo("2036-07-01T00:15:00Z");
    }
}
