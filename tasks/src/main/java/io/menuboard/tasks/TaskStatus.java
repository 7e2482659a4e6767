package io.menuboard.tasks;

/** State of a task in its life cycle. */
public enum TaskStatus {
    /** Its time has not come: it was submitted for later, waits before its next attempt, or is kept for one worker. */
    SCHEDULED,

    /** Ready: the first worker to claim it has it. */
    PENDING,

    /** A worker holds a lease on it. */
    RUNNING,

    /** Done. */
    COMPLETED,

    /** Failed as often as it may, or failed for good. */
    DEAD,

    /** Cancelled: no worker is to do it any more. */
    CANCELLED;

    /** True if it stays so unless somebody retries the task. */
    public boolean isFinished() {
        return this == COMPLETED || this == DEAD || this == CANCELLED;
    }

    /** True if lists of such tasks are ordered by the time at which they are due, or their leases end. */
    boolean isOrderedByTime() {
        return this == SCHEDULED || this == RUNNING;
    }
}
