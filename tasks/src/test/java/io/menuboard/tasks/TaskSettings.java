package io.menuboard.tasks;

import java.time.Duration;

/**
 * Settings of a test's instance; the others are as in production, but for the number of types.
 *
 * @param pollInterval of operations, too
 */
public record TaskSettings(
        int shards,
        Duration lease,
        Duration pollInterval,
        Duration sweepInterval,
        Duration backoff,
        Duration maxBackoff) {

    /** Most types of tasks that clients have. */
    public static final int MAX_TYPES = 20;

    /** Settings that few tests care about. */
    public static final TaskSettings USUAL = new TaskSettings(
            4,
            Duration.ofSeconds(60),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMinutes(10));

    /** Short leases and pauses, for tests on real time. */
    public static final TaskSettings QUICK = new TaskSettings(
            2,
            Duration.ofSeconds(2),
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofMillis(10),
            Duration.ofMillis(100));

    /** The same with so many shards. */
    public TaskSettings shards(int other) {
        return new TaskSettings(other, lease, pollInterval, sweepInterval, backoff, maxBackoff);
    }

    /** The same with another lease. */
    public TaskSettings lease(Duration other) {
        return new TaskSettings(shards, other, pollInterval, sweepInterval, backoff, maxBackoff);
    }

    /** The same with another interval between polls for tasks of other instances. */
    public TaskSettings pollInterval(Duration other) {
        return new TaskSettings(shards, lease, other, sweepInterval, backoff, maxBackoff);
    }

    TasksConfig tasks() {
        return new TasksConfig(
                shards,
                MAX_TYPES,
                1000,
                65_536,
                backoff,
                maxBackoff,
                Duration.ofSeconds(60),
                Duration.ofHours(24),
                Duration.ofDays(7),
                10_000);
    }
}
