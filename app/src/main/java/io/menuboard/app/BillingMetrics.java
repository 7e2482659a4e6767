package io.menuboard.app;

import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.transactions.Transactions;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;

/** Whether reports are made in time, and have everything; asking costs two read units. */
@Singleton
@Requires(beans = ReportRuns.class)
final class BillingMetrics implements MeterBinder {
    private final Provider<ReportRuns> runs;
    private final Provider<Transactions> billing;

    /** @param runs which need the registry themselves, so they are asked for late, and so does {@code billing} */
    BillingMetrics(Provider<ReportRuns> runs, Provider<Transactions> billing) {
        this.runs = runs;
        this.billing = billing;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("menuboard.billing.overdue.seconds", runs, all -> all.get()
                        .overdue()
                        .toSeconds())
                .description(
                        "For how long a report run has been due that is not committed; zero or less while all is well")
                .register(registry);
        Gauge.builder("menuboard.billing.differing.quarter.hours", runs, all -> all.get()
                        .differingQuarterHours())
                .description("Closed quarter hours of which reports had not what came in, after the last run")
                .register(registry);
        FunctionCounter.builder("menuboard.billing.slow.writes", billing, all -> all.get()
                        .slowWrites())
                .description("Calls that recorded transactions and took longer than the lag")
                .register(registry);
    }
}
