package io.menuboard.local;

import io.menuboard.messaging.PeriodicJob;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The application at moments of the past, on the table of one that goes by the real time: what a sample needs to have
 * happened before now. It serves nobody and does nothing by itself. Not thread-safe.
 */
final class Past implements AutoCloseable {
    private final ApplicationContext context;
    private final SettableClock clock;

    private Past(ApplicationContext context) {
        this.context = context;
        clock = (SettableClock) context.getBean(Clock.class);
    }

    /** @param properties of the application */
    static Past open(Map<String, Object> properties, Instant begin) {
        var all = new HashMap<>(properties);
        all.put(PastFactory.BEGIN, begin.toString());
        return new Past(ApplicationContext.builder().properties(all).start());
    }

    void setTime(Instant now) {
        clock.set(now);
    }

    /** Use cases, at the time that was set last. */
    <T> T get(Class<T> useCases) {
        return context.getBean(useCases);
    }

    /** Does now what instances do every so often. */
    void perform(String periodicWork) {
        context.getBean(PeriodicJob.class, Qualifiers.byName(periodicWork))
                .work()
                .run();
    }

    @Override
    public void close() {
        context.close();
    }
}
