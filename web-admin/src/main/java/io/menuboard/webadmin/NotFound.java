package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.querydb.InvalidInput;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.WorkerId;

/** What an address names and does not exist. */
final class NotFound {
    static final String CODE = "NOT_FOUND";

    private NotFound() {}

    static InvalidInput store(String id) {
        return new InvalidInput(CODE, "store", "There is no store " + id + ".");
    }

    static InvalidInput task(TaskId id) {
        return new InvalidInput(
                CODE, "task", "There is no task " + id + ". Finished tasks are kept for a limited time.");
    }

    static InvalidInput changeSet(ChangeSetId id) {
        return new InvalidInput(CODE, "changeSet", "There is no change set " + id + ".");
    }

    static InvalidInput worker(WorkerId id) {
        return new InvalidInput(
                CODE, "worker", "No worker " + id + " has asked for work within a day, and none holds a task.");
    }
}
