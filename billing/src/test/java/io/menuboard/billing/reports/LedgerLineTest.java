package io.menuboard.billing.reports;

import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LedgerLineTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @Test
    void anInstantThatLookedLikeAFormulaIsReadBack() {
        var fixture = new BillingFixture(table.queryDb(clock), clock, new MemoryFiles());
        var cells = new LedgerLine(fixture.recorded(sale("t1", "acme", "9.99")).getFirst(), false)
                .cells().stream()
                        .map(cell -> String.valueOf(cell).startsWith("2036-06-15T11:58:03")
                                ? "'-0001-01-01T00:00:00Z"
                                : String.valueOf(cell))
                        .toList();

        assertThat(LedgerLine.of(cells).transaction().occurredAt()).isEqualTo("-0001-01-01T00:00:00Z");
    }

    @Test
    void aTransactionIsReadBackFromItsLine() {
        var fixture = new BillingFixture(table.queryDb(clock), clock, new MemoryFiles());
        var recorded = fixture.recorded(sale("=1+1", "-acme", "9.99"));
        var corrected = fixture.recorded(refund("\"q\",x", "-acme", "-0.01", "=1+1"));

        for (var transaction : List.of(recorded.getFirst(), corrected.getFirst())) {
            for (var late : List.of(true, false)) {
                var line = new LedgerLine(transaction, late);
                try (var reader = LedgerReader.part(new ByteArrayInputStream(new CsvBytes().of(line.cells())))) {
                    var read = reader.next().orElseThrow();
                    assertThat(read.cells()).isEqualTo(line.cells());
                    assertThat(read.late()).isEqualTo(late);
                    assertThat(read.transaction())
                            .usingRecursiveComparison()
                            .ignoringFields("recordedBy")
                            .isEqualTo(transaction);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
