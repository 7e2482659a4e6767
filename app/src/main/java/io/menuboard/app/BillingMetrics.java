package io.menuboard.app;

import io.menuboard.billing.ReportRuns;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;

/** Whether reports are made in time; asking costs a read unit. */
@Singleton
@Requires(beans = ReportRuns.class)
final class BillingMetrics implements MeterBinder {
    private final Provider<ReportRuns> runs;

    /** @param runs which need the registry themselves, so they are asked for late */
    BillingMetrics(Provider<ReportRuns> runs) {
        this.runs = runs;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("menuboard.billing.overdue.seconds", runs, all -> all.get()
                        .overdue()
                        .toSeconds())
                .description(
                        "For how long a report run has been due that is not committed; zero or less while all is well")
                .register(registry);
    }
}
