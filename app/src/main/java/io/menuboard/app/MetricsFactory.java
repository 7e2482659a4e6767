package io.menuboard.app;

import io.menuboard.access.Access;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Recounts;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.batches.PriceReconciler;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.claims.WorkerProtocol;
import io.menuboard.tasks.statistics.TaskBacklog;
import io.menuboard.tasks.statistics.TaskStatistics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Metrics of the table and of the contexts. Counters hold on to what they ask only through these beans. */
@Factory
final class MetricsFactory {
    private static final Access METRICS = Access.ofSystem("metrics", Actor.Source.SCHEDULER);

    private static final String OVERDUE = "overdue";
    private static final String DIFFERING = "differing";
    private static final String LAG = "lag";

    private static final double MILLIS = Duration.ofSeconds(1).toMillis();

    /** Metrics of requests to the table. */
    @Singleton
    MeterBinder tableMetrics(TableClock clock, Provider<QueryDb> db) {
        return registry -> {
            new Meters<>(registry, () -> clock)
                    .gauge(
                            "menuboard.table.clock.correction.seconds",
                            of -> seconds(of.correction()),
                            "How far this machine's clock is behind the table's");
            new Meters<>(registry, db)
                    .counter(
                            "menuboard.table.unreadable",
                            QueryDb::unreadable,
                            "Reads of items that another version has written and this one leaves alone");
        };
    }

    /** Contention among this instance's claims, and the backlog of work. */
    @Singleton
    MeterBinder taskMetrics(Provider<WorkerProtocol> protocol, Provider<TaskStatistics> tasks) {
        return registry -> {
            new Meters<>(registry, protocol)
                    .counter(
                            "menuboard.tasks.claim.attempts",
                            all -> all.claimCounts().attempts(),
                            "Conditional writes of claims")
                    .counter("menuboard.tasks.claims", all -> all.claimCounts().wins(), "Claims that won their task");
            var meters = new Meters<>(registry, tasks)
                    .knownGauge(
                            "menuboard.tasks.operations.dead",
                            all -> all.backlog(METRICS).map(backlog -> (double) backlog.deadOperations()),
                            "Menuboard's own operations that gave up, where this instance has looked lately")
                    .knownGauge(
                            "menuboard.tasks.overdue.seconds",
                            all -> all.backlog(METRICS).map(backlog -> age(backlog.at(), backlog.overdue())),
                            "For how long the next task had been due, or its lease had ended, and it was not moved when this"
                                    + " instance looked, where it has lately; 0 where there is none");
            pendingAge(meters, "client", TaskBacklog::clients);
            pendingAge(meters, "operation", TaskBacklog::operations);
        };
    }

    private static void pendingAge(
            Meters<TaskStatistics> meters, String of, Function<TaskBacklog, @Nullable Instant> since) {
        meters.knownGauge(
                "menuboard.tasks.pending.age.seconds",
                Tags.of("of", of),
                all -> all.backlog(METRICS).map(backlog -> age(backlog.at(), since.apply(backlog))),
                "For how long the next task had been ready and not claimed when this instance looked, where it has lately;"
                        + " 0 where nothing waits");
    }

    private static double age(Instant now, @Nullable Instant since) {
        return since == null ? 0 : Math.max(0, seconds(Duration.between(since, now)));
    }

    /** Findings of the last reconciliation of price changes. */
    @Singleton
    @Requires(beans = PriceReconciler.class)
    MeterBinder pricingMetrics(Provider<PriceReconciler> reconciler) {
        return registry -> new Meters<>(registry, reconciler)
                .knownGauge(
                        "menuboard.pricing.overdue.batches",
                        of -> of.lately().map(found -> (double) found.overdueBatches()),
                        "Batches of price changes whose events were not delivered in time")
                .knownGauge(
                        "menuboard.pricing.overdue.change.sets",
                        of -> of.lately().map(found -> (double) found.stuckSets()),
                        "Change sets in progress, or being previewed, without a worker");
    }

    @Singleton
    @Bean(preDestroy = "close")
    Measurements measurements(List<Measured> all) {
        return new Measurements(all);
    }

    @Singleton
    @Named(OVERDUE)
    @Requires(beans = ReportRuns.class)
    Measured overdue(TableClock clock, ReportRuns runs) {
        return new Measured(clock, () -> Optional.of((double) runs.overdue().toSeconds()));
    }

    @Singleton
    @Named(DIFFERING)
    @Requires(beans = ReportRuns.class)
    Measured differing(TableClock clock, ReportRuns runs) {
        return new Measured(clock, () -> Optional.of((double) runs.differingQuarterHours(METRICS)));
    }

    @Singleton
    @Named(LAG)
    @Requires(beans = Rankings.class)
    Measured lag(TableClock clock, Rankings rankings) {
        return new Measured(clock, () -> rankings.lag().map(MetricsFactory::seconds));
    }

    /** Punctuality and completeness of reports. */
    @Singleton
    @Requires(beans = ReportRuns.class)
    MeterBinder billingMetrics(
            @Named(OVERDUE) Provider<Measured> overdue,
            @Named(DIFFERING) Provider<Measured> differing,
            Provider<Transactions> transactions) {
        return registry -> {
            new Meters<>(registry, overdue)
                    .knownGauge(
                            "menuboard.billing.overdue.seconds",
                            Measured::lately,
                            "For how long a report run has been due that is not committed; zero or less while all is"
                                    + " well");
            new Meters<>(registry, differing)
                    .knownGauge(
                            "menuboard.billing.differing.quarter.hours",
                            Measured::lately,
                            "Closed quarter hours of which reports had not what came in, after the last run");
            new Meters<>(registry, transactions)
                    .counter(
                            "menuboard.billing.slow.writes",
                            Transactions::slowWrites,
                            "Calls that recorded transactions and took longer than the lag");
        };
    }

    /** Lag and correctness of counted favorites. */
    @Singleton
    @Requires(beans = Rankings.class)
    MeterBinder favoritesMetrics(@Named(LAG) Provider<Measured> lag, Provider<Recounts> recounts) {
        return registry -> {
            new Meters<>(registry, lag)
                    .knownGauge(
                            "menuboard.favorites.feed.lag.seconds",
                            Measured::lately,
                            "How far counting marks is behind, three seconds at the least; not a number before the"
                                    + " first");
            new Meters<>(registry, recounts)
                    .counter(
                            "menuboard.favorites.recount.corrections",
                            Recounts::corrections,
                            "Restaurants whose counts a recount of this instance has corrected");
        };
    }

    private static double seconds(Duration time) {
        return time.toMillis() / MILLIS;
    }
}
