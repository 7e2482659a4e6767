package io.menuboard.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.inject.Provider;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Registers meters that ask one object whenever they are read.
 *
 * @param registry that they are registered with
 * @param asked the object; it needs the registry itself, so it is made late
 */
record Meters<T>(MeterRegistry registry, Provider<T> asked) {

    /** A number that rises and falls. */
    Meters<T> gauge(String name, ToDoubleFunction<T> value, String description) {
        return gauge(name, Tags.empty(), value, description);
    }

    /** A number that this instance does not always know; not a number while it is empty. */
    Meters<T> knownGauge(String name, Function<T, Optional<Double>> value, String description) {
        return knownGauge(name, Tags.empty(), value, description);
    }

    Meters<T> knownGauge(String name, Tags tags, Function<T, Optional<Double>> value, String description) {
        return gauge(name, tags, of -> value.apply(of).orElse(Double.NaN), description);
    }

    /** A number that only rises. */
    Meters<T> counter(String name, ToDoubleFunction<T> value, String description) {
        FunctionCounter.builder(name, asked, of -> value.applyAsDouble(of.get()))
                .description(description)
                .register(registry);
        return this;
    }

    private Meters<T> gauge(String name, Tags tags, ToDoubleFunction<T> value, String description) {
        Gauge.builder(name, () -> value.applyAsDouble(asked.get()))
                .tags(tags)
                .description(description)
                .register(registry);
        return this;
    }
}
