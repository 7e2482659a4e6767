package io.menuboard.app;

import io.menuboard.tasks.Tasks;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;

/** How hard claims of this instance have it. */
@Singleton
final class TaskMetrics implements MeterBinder {
    private final Provider<Tasks> tasks;

    /** @param tasks which need the registry themselves, so they are asked for late */
    TaskMetrics(Provider<Tasks> tasks) {
        this.tasks = tasks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("menuboard.tasks.claim.attempts", tasks, all -> all.get()
                        .claimCounts()
                        .attempts())
                .description("Conditional writes of claims")
                .register(registry);
        FunctionCounter.builder("menuboard.tasks.claims", tasks, all -> all.get()
                        .claimCounts()
                        .wins())
                .description("Claims that won their task")
                .register(registry);
    }
}
