package io.menuboard.tasks;

/** Where a task is in its life. */
public enum TaskStatus {
    /** Its time has not come: it was submitted for later, waits before its next attempt, or is kept for one worker. */
    SCHEDULED,

    /** Whoever claims it first has it. */
    PENDING,

    /** A worker holds a lease on it. */
    RUNNING,

    /** Done. */
    COMPLETED,

    /** Failed as often as it may, or failed for good. */
    DEAD,

    /** Nobody is to do it any more. */
    CANCELLED;

    /** Whether it stays so unless somebody retries the task. */
    public boolean isFinished() {
        return this == COMPLETED || this == DEAD || this == CANCELLED;
    }

    /** Whether lists of such tasks are in the order of when they are due, or their leases end. */
    boolean isOrderedByTime() {
        return this == SCHEDULED || this == RUNNING;
    }
}
