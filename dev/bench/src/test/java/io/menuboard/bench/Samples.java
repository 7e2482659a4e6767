package io.menuboard.bench;

import java.time.Duration;
import java.util.Arrays;

/** What one kind of request took, in one run. */
final class Samples {
    private final long[] nanos;
    private final Duration wall;
    private final Duration cpu;

    Samples(long[] nanos, Duration wall, Duration cpu) {
        this.nanos = nanos.clone();
        this.wall = wall;
        this.cpu = cpu;
        Arrays.sort(this.nanos);
    }

    double percentileMillis(double percentile) {
        var rank = (int) Math.ceil(percentile / 100 * nanos.length) - 1;
        return nanos[Math.max(0, rank)] / 1e6;
    }

    double perSecond() {
        return nanos.length / (wall.toNanos() / 1e9);
    }

    double cpuMillisEach() {
        return cpu.toNanos() / 1e6 / nanos.length;
    }

    Samples and(Samples other) {
        var both = Arrays.copyOf(nanos, nanos.length + other.nanos.length);
        System.arraycopy(other.nanos, 0, both, nanos.length, other.nanos.length);
        return new Samples(both, wall.plus(other.wall), cpu.plus(other.cpu));
    }
}
