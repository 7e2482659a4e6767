package io.menuboard.tasks.claims;

import io.menuboard.tasks.Task;
import java.util.List;

/**
 * How many bytes of payloads the claims of one request may still win: of an answer that is too long, its worker would hear
 * nothing. Thread-safe.
 */
final class PayloadBudget {
    /** Half of the longest answer, which has more than payloads in it. */
    private static final long BYTES = 8_000_000;

    private final int longest;
    private long left = BYTES;

    /** @param longest bytes of the longest payload that a task may have */
    PayloadBudget(int longest) {
        this.longest = Math.max(1, longest);
    }

    /** How many more tasks a claim may try, each of which may have the longest payload: one at least where it has got none. */
    synchronized int room(ClaimTasks claim, List<Task> got) {
        var fitting = Math.max(got.isEmpty() ? 1 : 0, left / longest);
        return (int) Math.min(fitting, claim.max() - got.size());
    }

    /** Counts a task that is answered; a payload that is yet to be read as the longest. */
    synchronized void spend(Task task) {
        var payload = task.payload();
        left -= payload == null ? longest : payload.bytes();
    }
}
