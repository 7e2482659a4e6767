package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.Rankings;
import io.menuboard.querydb.MovingClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class MeasurementsTest {
    private final MovingClock clock = new MovingClock();

    @Test
    void whoAsksForANumberReadsNothing() {
        var reads = new AtomicInteger();
        var measured = new Measured(clock, () -> Optional.of((double) reads.incrementAndGet()));

        assertThat(measured.lately()).isEmpty();
        new Measurements(List.of(measured)).measure();

        assertThat(measured.lately()).contains(1.0);
        assertThat(measured.lately()).contains(1.0);
        assertThat(reads).hasValue(1);
    }

    @Test
    void aNumberThatCannotBeReadHoldsForTwoMinutesAndKeepsNoOtherFromBeingRead() {
        var reads = new AtomicInteger();
        var failing = new Measured(clock, () -> {
            if (reads.incrementAndGet() > 1) {
                throw new IllegalStateException("cannot be read");
            }
            return Optional.of(7.0);
        });
        var other = new Measured(clock, () -> Optional.of(8.0));
        var measurements = new Measurements(List.of(failing, other));

        measurements.measure();
        clock.advance(Duration.ofSeconds(119));
        measurements.measure();
        assertThat(failing.lately()).contains(7.0);
        clock.advance(Duration.ofSeconds(1));

        assertThat(failing.lately()).isEmpty();
        assertThat(other.lately()).contains(8.0);
    }

    @Test
    void gaugesHaveWhatWasMeasured() {
        try (var server = ApplicationServer.start(Map.of())) {
            var lag = server.bean(MeterRegistry.class)
                    .get("menuboard.favorites.feed.lag.seconds")
                    .gauge();
            server.bean(Measurements.class).measure();

            assertThat(Double.isNaN(lag.value()))
                    .isEqualTo(server.bean(Rankings.class).lag().isEmpty());
        }
    }
}
