package io.menuboard.app;

import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Recounts;
import io.menuboard.querydb.QueryDbException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;

/** Whether favorites are counted, and rightly; asking costs half a read unit. */
@Singleton
@Requires(beans = Rankings.class)
final class FavoritesMetrics implements MeterBinder {
    private static final double MILLIS = 1_000;

    private final Provider<Rankings> rankings;
    private final Provider<Recounts> recounts;

    /** @param rankings and recounts, which need the registry themselves, so they are asked for late */
    FavoritesMetrics(Provider<Rankings> rankings, Provider<Recounts> recounts) {
        this.rankings = rankings;
        this.recounts = recounts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("menuboard.favorites.feed.lag.seconds", rankings, all -> lag(all.get()))
                .description(
                        "How far counting marks is behind, three seconds at the least; not a number before the first")
                .register(registry);
        FunctionCounter.builder("menuboard.favorites.recount.corrections", recounts, all -> all.get()
                        .corrections())
                .description("Restaurants whose counts a recount of this instance has corrected")
                .register(registry);
    }

    private static double lag(Rankings rankings) {
        try {
            return rankings.lag().map(lag -> lag.toMillis() / MILLIS).orElse(Double.NaN);
        } catch (QueryDbException _) {
            return Double.NaN;
        }
    }
}
