package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.requests.Usage;
import io.menuboard.querydb.requests.Usage.Outcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerMeterTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMeter meter = new MicrometerMeter(registry);

    @Test
    void countsTimeRetriesAndCapacityUnitsPerAccessPattern() {
        meter.record(new Usage("base prices", "gsi1", 1.5, 0, Duration.ofMillis(3), 1, Outcome.DONE));
        meter.record(new Usage("base prices", "gsi1", 0.5, 0, Duration.ofMillis(4), 3, Outcome.DONE));
        meter.record(new Usage("save", null, 0, 2, Duration.ofMillis(5), 1, Outcome.REFUSED));

        var requests = registry.get("menuboard.table.requests")
                .tags("access", "base prices", "index", "gsi1", "outcome", "done")
                .timer();
        assertThat(requests.count()).isEqualTo(2);
        assertThat(requests.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(7);
        assertThat(units("menuboard.table.read.units", "base prices")).isEqualTo(2);
        assertThat(units("menuboard.table.retries", "base prices")).isEqualTo(2);
        assertThat(units("menuboard.table.write.units", "save")).isEqualTo(2);
        assertThat(registry.get("menuboard.table.requests")
                        .tags("access", "save", "index", "table", "outcome", "refused")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    private double units(String name, String access) {
        return registry.get(name).tag("access", access).counter().count();
    }
}
