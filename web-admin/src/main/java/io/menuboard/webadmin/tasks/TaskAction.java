package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import java.util.Optional;
import java.util.stream.Stream;

/** Action of a person on one task, as pages say it. The task queue decides which is allowed. */
public enum TaskAction {
    CANCEL(
            "cancel",
            "Cancel",
            "Cancel this task?",
            "Nobody will do it any more. A worker that is at it loses its lease. It can be retried later.",
            "Cancel the task",
            "The task is cancelled."),
    RETRY(
            "retry",
            "Retry",
            "Retry this task?",
            "It is pending again, or scheduled where its time is still to come, and may fail as often as a new one. Its"
                    + " history goes on.",
            "Retry the task",
            "The task will be tried again."),
    REASSIGN(
            "reassign",
            "Reassign",
            "Reassign this task?",
            "If another worker has it, that one loses it. It is kept for the worker that you name for a while; then anybody"
                    + " may have it. If it is scheduled, it waits for its time no longer.",
            "Reassign the task",
            "The task is kept for another worker."),
    CLONE(
            "clone",
            "Clone",
            "Clone this task?",
            "A new task with the same type, payload, priority and number of attempts is pending at once.",
            "Clone the task",
            "This is the new task.");

    private final String path;
    private final String label;
    private final String question;
    private final String consequence;
    private final String confirmation;
    private final String done;

    TaskAction(String path, String label, String question, String consequence, String confirmation, String done) {
        this.path = path;
        this.label = label;
        this.question = question;
        this.consequence = consequence;
        this.confirmation = confirmation;
        this.done = done;
    }

    /** The action with that last segment of its address. */
    static Optional<TaskAction> of(String path) {
        return Stream.of(values()).filter(action -> action.path.equals(path)).findFirst();
    }

    /** Tells whether the task's page has a link to it. */
    boolean isOffered(Task task) {
        return task.allowed().contains(io.menuboard.tasks.TaskAction.valueOf(name()));
    }

    public String path() {
        return path;
    }

    String label() {
        return label;
    }

    String question() {
        return question;
    }

    String consequence() {
        return consequence;
    }

    String confirmation() {
        return confirmation;
    }

    String done() {
        return done;
    }
}
