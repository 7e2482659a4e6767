package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeSet;
import io.menuboard.pricing.ChangeSetStatus;
import io.menuboard.tasks.Task;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a person can do with one change set, as pages say it. What is allowed, pricing decides. */
enum ChangeAction {
    APPLY("apply", "Apply", "It is being applied, or waits for its time."),
    PREVIEW("preview", "Preview again", "It was previewed again."),
    RESCHEDULE("reschedule", "Reschedule", "It takes effect at another time."),
    CANCEL("cancel", "Cancel", "It is cancelled."),
    RETRY("retry", "Retry what failed", "This set has what failed. Look at it, and apply it."),
    UNDO("undo", "Undo", "This set puts everything back, once it is applied.");

    private final String path;
    private final String label;
    private final String done;

    ChangeAction(String path, String label, String done) {
        this.path = path;
        this.label = label;
        this.done = done;
    }

    /** The action with that last segment of its address. */
    static Optional<ChangeAction> of(String path) {
        return Stream.of(values()).filter(action -> action.path.equals(path)).findFirst();
    }

    /**
     * Whether the set's page offers it.
     *
     * @param task what is being done with the set, or was; or null
     */
    boolean isOffered(ChangeSet set, @Nullable Task task) {
        var status = set.status();
        var summary = set.summary();
        return switch (this) {
            case APPLY ->
                status == ChangeSetStatus.DRAFT && set.token() != null && summary != null && summary.written() > 0;
            case PREVIEW -> status == ChangeSetStatus.DRAFT && !ChangeWords.isBeingPreviewed(set);
            case RESCHEDULE -> status == ChangeSetStatus.SCHEDULED;
            case CANCEL ->
                status == ChangeSetStatus.DRAFT
                        || status == ChangeSetStatus.SCHEDULED
                        || ChangeWords.isGivenUp(set, task);
            case RETRY ->
                set.failed() > 0
                        && (status == ChangeSetStatus.SCHEDULED
                                || status == ChangeSetStatus.PARTLY_APPLIED
                                || status == ChangeSetStatus.FAILED);
            case UNDO -> status == ChangeSetStatus.APPLIED || status == ChangeSetStatus.PARTLY_APPLIED;
        };
    }

    /** Whether it is asked before it is done: a preview changes nothing. */
    boolean isAsked() {
        return this != PREVIEW;
    }

    String path() {
        return path;
    }

    String label() {
        return label;
    }

    String done() {
        return done;
    }
}
