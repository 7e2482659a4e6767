package io.menuboard.tasks;

/** A handler could not do its task. */
public final class TaskFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    /**
     * @param reason for people; cut to {@value Tasks#MAX_REASON} characters
     * @param retryable whether another attempt may succeed
     */
    public TaskFailed(String reason, boolean retryable) {
        super(reason.length() > Tasks.MAX_REASON ? reason.substring(0, Tasks.MAX_REASON) : reason);
        this.retryable = retryable;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    boolean retryable() {
        return retryable;
    }
}
