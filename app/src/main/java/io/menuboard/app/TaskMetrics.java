package io.menuboard.app;

import io.menuboard.tasks.TaskBacklog;
import io.menuboard.tasks.TaskStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How hard claims of this instance have it, and how far behind the work is. */
@Singleton
final class TaskMetrics implements MeterBinder {
    private final Provider<TaskStatistics> tasks;

    /** @param tasks which need the registry themselves, so they are asked for late */
    TaskMetrics(Provider<TaskStatistics> tasks) {
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
        pendingAge(registry, "client", TaskBacklog::clients);
        pendingAge(registry, "operation", TaskBacklog::operations);
        Gauge.builder("menuboard.tasks.operations.dead", tasks, all -> all.get()
                        .backlog()
                        .map(backlog -> (double) backlog.deadOperations())
                        .orElse(Double.NaN))
                .description("Menuboard's own operations that gave up, where this instance has looked lately")
                .register(registry);
    }

    private void pendingAge(MeterRegistry registry, String of, Function<TaskBacklog, @Nullable Instant> since) {
        Gauge.builder("menuboard.tasks.pending.age.seconds", tasks, all -> all.get()
                        .backlog()
                        .map(backlog -> age(all.get().now(), since.apply(backlog)))
                        .orElse(Double.NaN))
                .tag("of", of)
                .description("For how long the next task has been ready and not claimed, where this instance has looked"
                        + " lately; 0 where nothing waits")
                .register(registry);
    }

    private static double age(Instant now, @Nullable Instant since) {
        return since == null ? 0 : Math.max(0, Duration.between(since, now).toMillis() / 1000.0);
    }
}
