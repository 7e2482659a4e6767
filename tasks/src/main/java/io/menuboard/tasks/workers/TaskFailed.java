package io.menuboard.tasks.workers;

import io.menuboard.kernel.Texts;
import io.menuboard.tasks.TaskEvent;

/** A handler could not do its task. */
public final class TaskFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final boolean givenBack;

    /**
     * @param reason for people; cut to {@value TaskEvent#MAX_REASON} characters, and without those that no text may have
     * @param retryable whether another attempt may succeed
     */
    public TaskFailed(String reason, boolean retryable) {
        this(reason, retryable, false);
    }

    private TaskFailed(String reason, boolean retryable, boolean givenBack) {
        super(Texts.fitted(reason, TaskEvent.MAX_REASON));
        this.retryable = retryable;
        this.givenBack = givenBack;
    }

    /**
     * A task of a kind that only another version of the application knows: it is released, which is
     * no failure, and tried again after half a minute, by an instance of that version as like as not.
     *
     * @param what is not known
     */
    public static TaskFailed ofAnotherVersion(String what) {
        return new TaskFailed("not known to this version: " + what, true, true);
    }

    /** The reason, for people. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    /** True if the task is released undone, which is no failure. */
    public boolean givenBack() {
        return givenBack;
    }

    /** True if another attempt may succeed. */
    public boolean retryable() {
        return retryable;
    }
}
