package io.menuboard.app;

import io.menuboard.pricing.batches.PriceReconciler;
import io.menuboard.pricing.batches.PriceReconciler.Found;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.function.ToIntFunction;

/** What the instance that looks after price changes found the last time; not a number where it was another one. */
@Singleton
@Requires(beans = PriceReconciler.class)
final class PricingMetrics implements MeterBinder {
    private final Provider<PriceReconciler> reconciler;

    /** @param reconciler which needs the registry itself, so it is asked for late */
    PricingMetrics(Provider<PriceReconciler> reconciler) {
        this.reconciler = reconciler;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("menuboard.pricing.overdue.batches", () -> lately(Found::overdueBatches))
                .description("Batches of price changes that nobody was told of in time")
                .register(registry);
        Gauge.builder("menuboard.pricing.overdue.change.sets", () -> lately(Found::stuckSets))
                .description("Change sets in progress with which nobody goes on")
                .register(registry);
    }

    private double lately(ToIntFunction<Found> what) {
        var found = reconciler.get().lately();
        return found.isPresent() ? what.applyAsInt(found.get()) : Double.NaN;
    }
}
