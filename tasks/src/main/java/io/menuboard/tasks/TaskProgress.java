package io.menuboard.tasks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a long task.
 *
 * @param done units done so far, whatever the type counts; not negative
 * @param total units there will be, or null while that is not known; not less than {@code done}
 * @param message what is being done, for people, at most {@value #MAX_MESSAGE} characters; or null
 */
public record TaskProgress(
        long done, @Nullable Long total, @Nullable String message) {
    /** Longest message. */
    public static final int MAX_MESSAGE = 200;

    public TaskProgress {
        if (done < 0) {
            throw new InvalidInput("INVALID_PROGRESS", "done", "must not be negative, as " + done + " is");
        }
        if (total != null && total < done) {
            throw new InvalidInput("INVALID_PROGRESS", "total", "must be at least done, which is " + done);
        }
        if (message != null && message.length() > MAX_MESSAGE) {
            throw new InvalidInput("INVALID_PROGRESS", "message", "must have at most " + MAX_MESSAGE + " characters");
        }
    }

    /** As a worker reports it: refuses with {@link InvalidInput} {@code INVALID_PROGRESS} what {@link Texts} refuses, too. */
    public static TaskProgress reported(long done, @Nullable Long total, @Nullable String message) {
        if (message != null) {
            Texts.checkOptional("INVALID_PROGRESS", "message", message, MAX_MESSAGE);
        }
        return new TaskProgress(done, total, message);
    }
}
