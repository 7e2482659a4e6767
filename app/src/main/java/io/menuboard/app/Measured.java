package io.menuboard.app;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A number in the table, as this instance last read it, so that whoever reads metrics makes no request. Thread-safe. */
final class Measured {
    private static final Duration VALIDITY = Duration.ofMinutes(2);

    private final Clock clock;
    private final Supplier<Optional<Double>> number;
    private volatile Reading last = new Reading(Instant.MIN, null);

    private record Reading(Instant at, @Nullable Double number) {}

    /** @param number reads it; empty where there is none yet */
    Measured(Clock clock, Supplier<Optional<Double>> number) {
        this.clock = clock;
        this.number = number;
    }

    /** Reads it. */
    void measure() {
        var read = number.get();
        last = new Reading(clock.instant(), read.orElse(null));
    }

    /** The number; empty where there was none, or none was read in the last two minutes, because the table was away. No request. */
    Optional<Double> lately() {
        var known = last;
        return clock.instant().minus(VALIDITY).isBefore(known.at())
                ? Optional.ofNullable(known.number())
                : Optional.empty();
    }
}
