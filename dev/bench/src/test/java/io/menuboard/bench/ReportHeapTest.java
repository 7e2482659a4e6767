package io.menuboard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What a report run keeps in memory, with the table in a process of its own. It takes minutes. */
@EnabledIfSystemProperty(named = "soak", matches = "full")
class ReportHeapTest {
    private static final int FEW = 50_000;
    private static final int MANY = 1_000_000;
    private static final long NOISE = 32L << 20;

    @Test
    void aMillionRowsTakeNoMoreHeapThanFew(@TempDir Path folder) throws Exception {
        var port = BenchTable.freePort();
        try (var _ = BenchTable.start(folder, port);
                var billing = new BillingBenchmark(BenchTable.endpoint(port))) {
            // The first run loads classes and fills caches.
            billing.heapOfReport(FEW);

            var ofFew = billing.heapOfReport(FEW);
            var ofMany = billing.heapOfReport(MANY);

            System.out.printf("%,d rows: %d MB, %,d rows: %d MB%n", FEW, ofFew >> 20, MANY, ofMany >> 20);
            assertThat(ofMany).isLessThan(ofFew + NOISE);
        }
    }
}
