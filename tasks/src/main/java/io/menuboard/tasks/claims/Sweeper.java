package io.menuboard.tasks.claims;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sweeps in turn with all instances: one does it all the time, and where it is not heard of for {@link #TURN}, another one
 * takes over. Two may sweep at once for a moment, which does no harm: each task is moved by a conditional write.
 */
public final class Sweeper {
    static final Duration TURN = Duration.ofSeconds(3);
    private static final String NAME = "tasks sweep";

    private final TaskSweeper tasks;
    private final InstanceLeases turns;
    private final InstantSource clock;
    private final String holder;
    private Instant askAt = Instant.EPOCH;
    private boolean held;

    /** @param holder a name that no other instance has */
    Sweeper(TaskSweeper tasks, InstanceLeases turns, InstantSource clock, String holder) {
        this.tasks = tasks;
        this.turns = turns;
        this.clock = clock;
        this.holder = holder;
    }

    /**
     * Sweeps if it is this instance's turn. A write unit every second for who has the turn, and every two or three for others.
     *
     * @return how many tasks it moved
     */
    public int sweep() {
        return hasTurn() ? tasks.sweep(this::hasTurn) : 0;
    }

    private synchronized boolean hasTurn() {
        var now = clock.instant();
        if (now.isBefore(askAt)) {
            return held;
        }
        held = false;
        held = turns.hold(NAME, holder, TURN);
        var half = TURN.toMillis() / 2;
        askAt = now.plusMillis(
                held ? TURN.toMillis() / 3 : half + ThreadLocalRandom.current().nextLong(half));
        return held;
    }

    /** Leaves the turn to whoever asks next. */
    public synchronized void stop() {
        if (held) {
            turns.hold(NAME, holder, Duration.ZERO);
            held = false;
        }
    }
}
