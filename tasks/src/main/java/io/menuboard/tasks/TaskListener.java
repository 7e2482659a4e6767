package io.menuboard.tasks;

/** Learns what this instance has done to tasks, right after it was saved. Thread-safe, and quick: callers wait for it. */
public interface TaskListener {

    /** A task was made. */
    default void submitted(Task task) {}

    /** A worker of this instance was given a task, in whatever way it claimed it. */
    default void claimed(Task task) {}

    /**
     * A transition other than a claim was saved.
     *
     * @param task as it is now
     */
    default void changed(TaskTransition transition, Task task) {}
}
