package io.menuboard.messaging.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code menuboard.feed.age} (count and time of changes when listeners have been told), {@code .failed}, and
 * {@code .deaf}, for how long this instance has not heard anything because it could not. Thread-safe.
 */
final class FeedMetrics {
    private final Clock clock;
    private final Timer age;
    private final Counter failed;
    private volatile @Nullable Instant deafSince;

    FeedMetrics(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        age = Timer.builder("menuboard.feed.age")
                .description("How old messages were when listeners had been told; its maximum is the oldest's age")
                .register(registry);
        failed = Counter.builder("menuboard.feed.failed")
                .description("Changes that a listener failed at, or that could not be read")
                .register(registry);
        TimeGauge.builder("menuboard.feed.deaf", this, TimeUnit.SECONDS, FeedMetrics::deafSeconds)
                .description("How long this instance has not been able to hear of changes")
                .strongReference(true)
                .register(registry);
    }

    /** A message of that age has been handled. */
    void told(Duration messageAge) {
        age.record(messageAge.isNegative() ? Duration.ZERO : messageAge);
    }

    void failed() {
        failed.increment();
    }

    void hears() {
        deafSince = null;
    }

    void isDeaf() {
        if (deafSince == null) {
            deafSince = clock.instant();
        }
    }

    private double deafSeconds() {
        var since = deafSince;
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1000.0);
    }
}
