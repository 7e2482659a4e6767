package io.menuboard.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueuesConfigTest {
    /** As it is where nothing is configured. */
    private static final QueuesConfig DEFAULTS = new QueuesConfig(
            16,
            2,
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            Duration.ofMinutes(15),
            5,
            Duration.ofSeconds(20));

    /** Whenever in it a message comes first; the reconcilers see to what must not wait so long. */
    @Test
    void noMessageBecomesADeadLetterInTenMinutesWithoutTheTable() {
        var outage = Duration.ofMinutes(10);
        for (var first = Duration.ZERO; first.compareTo(outage) < 0; first = first.plusSeconds(1)) {
            var at = first;
            var receives = 1;
            while (at.compareTo(outage) < 0) {
                at = at.plus(DEFAULTS.backoffAfter(receives));
                receives++;
            }
            assertThat(receives).as("first received after %s", first).isLessThanOrEqualTo(DEFAULTS.maxReceives());
            assertThat(at.minus(outage)).isLessThanOrEqualTo(DEFAULTS.maxBackoff());
        }
    }
}
