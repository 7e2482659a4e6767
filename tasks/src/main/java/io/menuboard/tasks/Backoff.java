package io.menuboard.tasks;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: doubled with each failure, and then between half of that and all of it.
 *
 * @param first longest pause after the first failure
 * @param longest longest pause of all
 */
record Backoff(Duration first, Duration longest, RandomGenerator random) {

    Duration after(int failures) {
        var most = first.toMillis();
        var limit = longest.toMillis();
        for (var i = 1; i < failures && most < limit; i++) {
            most *= 2;
        }
        most = Math.min(most, limit);
        return Duration.ofMillis(most - (most > 1 ? random.nextLong(most / 2) : 0));
    }
}
