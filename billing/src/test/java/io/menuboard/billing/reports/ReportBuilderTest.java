package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.ReportBuilder.Named;
import io.menuboard.billing.transactions.Commission;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.Transaction.Place;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportBuilderTest {
    private static final RunFiles NAMES = new RunFiles(run("1200", "1215"), 1);

    private final Path folder;

    ReportBuilderTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Partners may send anything as their agency, such as an order number. */
    @Test
    void whatIsInMemoryHasABoundWhateverTheNumberOfAgencies() throws IOException {
        var builder = new ReportBuilder(NAMES, folder);
        var most = 0L;

        for (var i = 0; i < 60_000; i++) {
            builder.add(line(i, i % 20_000));
            most = Math.max(most, builder.unwrittenBytes());
        }

        assertThat(most).isBetween(ReportBuilder.MOST_UNWRITTEN / 2L, (long) ReportBuilder.MOST_UNWRITTEN);
        var reports = builder.finish();
        assertThat(builder.unwrittenBytes()).isZero();
        assertThat(reports.agencies()).hasSize(20_000);
        assertThat(Files.readAllLines(reports.others().getFirst().path())).hasSize(1 + 3);
    }

    @Test
    void whenBytesAreWrittenIsNotInTheFiles() throws IOException {
        assertThat(built("hurried", 1)).isEqualTo(built("patient", ReportBuilder.MOST_UNWRITTEN));
    }

    private Map<String, String> built(String name, long mostUnwritten) throws IOException {
        var builder = new ReportBuilder(NAMES, Files.createDirectory(folder.resolve(name)), mostUnwritten);
        for (var i = 0; i < 500; i++) {
            builder.add(line(i, i % 7 * (i % 3)));
        }
        var reports = builder.finish();
        var texts = new TreeMap<String, String>();
        texts.put(reports.ledger().name(), Files.readString(reports.ledger().path()));
        for (Named other : reports.others()) {
            texts.put(other.name(), Files.readString(other.path()));
        }
        return texts;
    }

    private static LedgerLine line(int number, int agency) {
        var sale = sale("t" + number, "agency " + agency, "9.99");
        var commission = Commission.of(new BigDecimal("0.15"));
        return new LedgerLine(
                new Transaction(
                        sale.id(),
                        sale.agency(),
                        sale.product(),
                        sale.customer(),
                        sale.amount(),
                        sale.occurredAt(),
                        commission,
                        commission.agencyShare(sale.amount()),
                        null,
                        null,
                        new Place(NAMES.run().from(), number % 4, "2036-06-15T12:00:00.%016d".formatted(number))),
                false);
    }
}
