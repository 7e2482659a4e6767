package io.menuboard.app;

import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;

/** What the table tells this instance beside its answers. */
@Singleton
final class TableMetrics implements MeterBinder {
    private static final double MILLIS = Duration.ofSeconds(1).toMillis();

    private final TableClock clock;
    private final Provider<QueryDb> db;

    /** @param db which needs the registry itself, so it is asked for late */
    TableMetrics(TableClock clock, Provider<QueryDb> db) {
        this.clock = clock;
        this.db = db;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "menuboard.table.clock.correction.seconds",
                        clock,
                        table -> table.correction().toMillis() / MILLIS)
                .description("How far this machine's clock is behind the table's")
                .register(registry);
        FunctionCounter.builder(
                        "menuboard.table.unreadable", db, table -> table.get().unreadable())
                .description("Reads of items that another version has written and this one leaves alone")
                .register(registry);
    }
}
