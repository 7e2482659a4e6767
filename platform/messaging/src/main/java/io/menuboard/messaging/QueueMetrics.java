package io.menuboard.messaging;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** {@code menuboard.queue.received}, {@code .handled} (count and time by outcome) and {@code .age} of one queue. */
final class QueueMetrics {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter received;
    private final Timer age;

    QueueMetrics(MeterRegistry registry, String queue) {
        this.registry = registry;
        tags = Tags.of("queue", queue);
        received = Counter.builder("menuboard.queue.received")
                .description("Messages received, repetitions included")
                .tags(tags)
                .register(registry);
        age = Timer.builder("menuboard.queue.age")
                .description("How old messages were when they were received; its maximum is the oldest's age")
                .tags(tags)
                .register(registry);
    }

    void received(Duration messageAge) {
        received.increment();
        age.record(messageAge);
    }

    void handled(String outcome, Duration time) {
        registry.timer("menuboard.queue.handled", tags.and("outcome", outcome)).record(time);
    }
}
