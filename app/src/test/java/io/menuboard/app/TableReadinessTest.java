package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class TableReadinessTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    @Test
    void asksTheTableOnceASecondHoweverOftenItIsAsked() {
        var readiness = new TableReadiness(table.queryDb(Clock.systemUTC()));

        var began = System.nanoTime();
        var cost = table.meter().during(() -> {
            for (var i = 0; i < 1_000; i++) {
                readiness.getHealthInformation();
            }
        });

        var seconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        assertThat(cost.requests()).isBetween(1, 1 + seconds);
    }
}
