package io.menuboard.tasks.claims;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sweeps in one of all instances: the one that holds the lease does it, and where it does not renew it for {@link #LEASE},
 * another one takes over. Two may sweep at once for a moment, which does no harm: each task is moved by a conditional write.
 */
public final class Sweeper {
    static final Duration LEASE = Duration.ofSeconds(3);
    private static final String NAME = "tasks sweep";

    private final TaskSweeper tasks;
    private final InstanceLeases leases;
    private final InstantSource clock;
    private final String holder;
    private Instant askAt = Instant.EPOCH;
    private boolean held;

    /** @param holder a name that no other instance has */
    Sweeper(TaskSweeper tasks, InstanceLeases leases, InstantSource clock, String holder) {
        this.tasks = tasks;
        this.leases = leases;
        this.clock = clock;
        this.holder = holder;
    }

    /**
     * Sweeps if this instance holds the lease. A write unit every second for the holder, and every two or three for others.
     *
     * @return how many tasks it moved
     */
    public int sweep() {
        return holdsLease() ? tasks.sweep(this::holdsLease) : 0;
    }

    private synchronized boolean holdsLease() {
        var now = clock.instant();
        // Later than ever: the clock was set back since.
        if (now.isBefore(askAt) && askAt.isBefore(now.plus(LEASE))) {
            return held;
        }
        held = false;
        held = leases.hold(NAME, holder, LEASE);
        var half = LEASE.toMillis() / 2;
        askAt = now.plusMillis(
                held ? LEASE.toMillis() / 3 : half + ThreadLocalRandom.current().nextLong(half));
        return held;
    }

    /** Releases the lease. */
    public synchronized void stop() {
        if (held) {
            leases.hold(NAME, holder, Duration.ZERO);
            held = false;
        }
    }
}
