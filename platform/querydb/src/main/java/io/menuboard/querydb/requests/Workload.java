package io.menuboard.querydb.requests;

import java.time.Duration;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Purpose of a thread's work, and the time for which somebody waits for it: {@link Requests} chooses the {@link Bulkhead} by
 * it, and gives up by it. What a thread begins with is interactive, without a deadline. Threads that one creates that
 * works in the background do so, too; a deadline is not handed on, because a thread may live longer than the request that it
 * was made for.
 */
public final class Workload {

    /** Background work, with no caller that waits: imports, report runs, recounts, sweeps, messages of queues, downloads. No deadline. */
    public static final Workload BACKGROUND = new Workload(true, null);

    private static final Workload INTERACTIVE = new Workload(false, null);

    // Inherited, unlike a ScopedValue, by the threads of every executor that is filled from here.
    private static final InheritableThreadLocal<@Nullable Workload> CURRENT = new InheritableThreadLocal<>() {
        @Override
        protected @Nullable Workload childValue(@Nullable Workload ofParent) {
            return ofParent == BACKGROUND ? BACKGROUND : null;
        }
    };

    private final boolean background;
    /** By {@link System#nanoTime}. */
    private final @Nullable Long deadline;

    private final LongAdder requests;
    private final DoubleAdder units;

    private Workload(boolean background, @Nullable Long deadline) {
        this(background, deadline, new LongAdder(), new DoubleAdder());
    }

    private Workload(boolean background, @Nullable Long deadline, LongAdder requests, DoubleAdder units) {
        this.background = background;
        this.deadline = deadline;
        this.requests = requests;
        this.units = units;
    }

    /** Interactive work for somebody who has gone after that time from now: no request to the table begins later. */
    public static Workload interactive(Duration atMost) {
        return new Workload(false, System.nanoTime() + atMost.toNanos());
    }

    /** The same with another deadline, that time from now. What is requested counts for both. */
    public Workload goingOn(Duration atMost) {
        return new Workload(background, System.nanoTime() + atMost.toNanos(), requests, units);
    }

    /**
     * This, or the same with that time from now where less is left until its deadline: for what must follow from something that
     * is done.
     */
    public Workload withAtLeast(Duration time) {
        return isOverAfter(time) ? goingOn(time) : this;
    }

    /** Workload of the calling thread. */
    public static Workload current() {
        var current = CURRENT.get();
        return current == null ? INTERACTIVE : current;
    }

    /** Does some work as this. */
    public void run(Runnable work) {
        call(() -> {
            work.run();
            return true;
        });
    }

    /** Does some work as this, and returns what it returns. */
    public <T extends @Nullable Object> T call(Supplier<T> work) {
        var before = CURRENT.get();
        CURRENT.set(this);
        try {
            return work.get();
        } finally {
            restore(before);
        }
    }

    static void restore(@Nullable Workload before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Requests to the table for work with a deadline so far, by whatever thread; 0 for other work. */
    public long requests() {
        return requests.sum();
    }

    /** Capacity units that these consumed, of reads and writes together. */
    public double units() {
        return units.sum();
    }

    void record(double consumed) {
        if (deadline != null) {
            requests.increment();
            units.add(consumed);
        }
    }

    /** True of work for somebody who has gone after some time. */
    public boolean hasDeadline() {
        return deadline != null;
    }

    /** True for work that no caller waits for. */
    public boolean isBackground() {
        return background;
    }

    /**
     * How long to wait for others who do the same: that time, or half of what is left until the deadline where that is less, so that
     * the caller can still do it itself. Never negative.
     */
    public Duration patience(Duration most) {
        if (deadline == null) {
            return most;
        }
        var half = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()) / 2);
        return half.compareTo(most) < 0 ? half : most;
    }

    /** True if the deadline is over after that time from now. */
    boolean isOverAfter(Duration time) {
        return deadline != null && System.nanoTime() + time.toNanos() - deadline >= 0;
    }
}
