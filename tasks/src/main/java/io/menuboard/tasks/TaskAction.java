package io.menuboard.tasks;

/** What a person can do with a task. {@link Task#allowed} says with which. */
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
