package io.menuboard.app;

import io.menuboard.querydb.TableClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import java.time.Duration;

/** What the table tells this instance beside its answers. */
@Singleton
final class TableMetrics implements MeterBinder {
    private static final double MILLIS = Duration.ofSeconds(1).toMillis();

    private final TableClock clock;

    TableMetrics(TableClock clock) {
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "menuboard.table.clock.correction.seconds",
                        clock,
                        table -> table.correction().toMillis() / MILLIS)
                .description("How far this machine's clock is behind the table's")
                .register(registry);
    }
}
