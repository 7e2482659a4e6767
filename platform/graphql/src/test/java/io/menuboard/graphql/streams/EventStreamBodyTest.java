package io.menuboard.graphql.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventStreamBodyTest {
    private static final StreamsConfig CONFIG = OpenStreamsTest.CONFIG;

    @Test
    void isGivenUpWhereNobodyTakesIt() {
        var left = new AtomicInteger();
        var body = new EventStreamBody(CONFIG, null, 0, left::incrementAndGet);
        var tick = Duration.ofMillis(250).toNanos();

        for (var now = tick; now < CONFIG.writeTimeout().toNanos(); now += tick) {
            body.tick(now);
        }
        assertThat(left).hasValue(0);
        body.tick(CONFIG.writeTimeout().toNanos());

        assertThat(left).hasValue(1);
    }
}
