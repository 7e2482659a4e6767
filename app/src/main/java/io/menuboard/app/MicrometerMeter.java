package io.menuboard.app;

import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the table per access pattern, with the tags {@code access}, {@code index} ({@code table} for none) and
 * {@code outcome}: {@code menuboard.table.requests} (count and time, retries included), {@code menuboard.table.retries},
 * {@code menuboard.table.read.units} and {@code menuboard.table.write.units} (capacity units).
 */
final class MicrometerMeter implements Meter {
    private final MeterRegistry registry;
    private final ConcurrentMap<Series, Instruments> instruments = new ConcurrentHashMap<>();

    MicrometerMeter(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void record(Usage usage) {
        var series = new Series(usage.operation(), usage.index(), usage.outcome());
        var of = instruments.get(series);
        if (of == null) {
            of = instruments.computeIfAbsent(series, this::register);
        }
        of.requests.record(usage.duration());
        of.retries.increment(usage.attempts() - 1.0);
        of.readUnits.increment(usage.readUnits());
        of.writeUnits.increment(usage.writeUnits());
    }

    private Instruments register(Series series) {
        var tags = Tags.of(
                "access",
                series.operation,
                "index",
                series.index == null ? "table" : series.index,
                "outcome",
                series.outcome.name().toLowerCase(Locale.ROOT));
        return new Instruments(
                registry.timer("menuboard.table.requests", tags),
                registry.counter("menuboard.table.retries", tags),
                registry.counter("menuboard.table.read.units", tags),
                registry.counter("menuboard.table.write.units", tags));
    }

    private record Series(String operation, @Nullable String index, Usage.Outcome outcome) {}

    private record Instruments(Timer requests, Counter retries, Counter readUnits, Counter writeUnits) {}
}
