package io.menuboard.tasks;

/** An action that a person can take on a task, where {@link Task#allowed} has it. */
public enum TaskAction {
    /** End it. */
    CANCEL,
    /** Let it be tried again. */
    RETRY,
    /** Keep it for another worker. */
    REASSIGN,
    /** Make a new one like it. */
    CLONE
}
