package io.menuboard.app;

import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.SharedSettings;
import io.menuboard.querydb.requests.Workload;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, before this instance serves, the settings that instances share, and stops its start where data would not be
 * found. Where the table cannot be reached it starts all the same, because it may be that it is needed most then, compares them
 * as soon as it can, and ends where it would not have started. A command, which is no instance, is stopped in the same way,
 * and its other settings are nobody's concern.
 */
@Context
final class SettingsCheck implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(SettingsCheck.class);
    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SharedSettings shared;
    private final List<SharedSetting> settings;
    private final Runnable end;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("settings").factory());

    private volatile double different = Double.NaN;

    @Inject
    SettingsCheck(QueryDb db, List<SharedSetting> settings, MeterRegistry registry, Environment environment) {
        this(new SharedSettings(db), settings, SettingsCheck::exit);
        if (environment.getActiveNames().contains(ImportCommand.ENVIRONMENT)) {
            attempt(() -> shared.requireNotLowered(settings));
        } else {
            compare();
        }
        Gauge.builder("menuboard.settings.different", this::different)
                .description("Settings in which this instance differed, when it compared them, from the one that was"
                        + " started before it; not a number until it has")
                .register(registry);
    }

    /** @param end ends the process, from another thread */
    SettingsCheck(SharedSettings shared, List<SharedSetting> settings, Runnable end) {
        this.shared = shared;
        this.settings = List.copyOf(settings);
        this.end = end;
    }

    /** The number of settings that differed; not a number until they are compared. */
    double different() {
        return different;
    }

    /** @throws SharedSettings.Lowered where this instance must not serve */
    void compare() {
        attempt(() -> different = shared.compare(settings).size());
    }

    private static void attempt(Runnable comparison) {
        try {
            comparison.run();
        } catch (QueryDbException e) {
            log.warn("settings not compared with those of other instances: cause={}", e.getMessage());
        }
    }

    @Override
    public void start() {
        if (Double.isNaN(different)) {
            var _ = timer.scheduleWithFixedDelay(this::compareAgain, 0, EVERY.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void compareAgain() {
        try {
            Workload.interactive(PATIENCE).run(this::compare);
            if (!Double.isNaN(different)) {
                timer.shutdown();
            }
        } catch (SharedSettings.Lowered e) {
            log.error("this instance ends, because it would not have started: cause={}", e.getMessage());
            timer.shutdown();
            end.run();
        } catch (RuntimeException e) {
            // The edge of this thread, which must go on.
            log.error("settings not compared with those of other instances", e);
        }
    }

    /** In a thread of its own: what stops with the process waits for the one that compares. */
    private static void exit() {
        Thread.ofPlatform().name("exit").start(() -> System.exit(1));
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
