package io.menuboard.webadmin;

import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.favorites.RecountId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
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

    static InvalidInput run(RunId id) {
        return new InvalidInput(CODE, "run", "There is no report run " + id + ".");
    }

    static InvalidInput version(RunId id, int version) {
        return new InvalidInput(CODE, "version", "Run " + id + " has no version " + version + " that was made.");
    }

    static InvalidInput file(String name) {
        return new InvalidInput(CODE, "file", "There is no file " + name + " of this version.");
    }

    static InvalidInput report(RunId run, AgencyId agency) {
        return new InvalidInput(CODE, "agency", "Agency " + agency + " has nothing in run " + run + ".");
    }

    static InvalidInput agency(AgencyId id) {
        return new InvalidInput(CODE, "agency", "There is no agency " + id + ": nothing was ever recorded for it.");
    }

    static InvalidInput transaction(TransactionId id) {
        return new InvalidInput(CODE, "transaction", "There is no transaction " + id + ".");
    }

    static InvalidInput rule(String id) {
        return new InvalidInput(CODE, "commissionRule", "There is no commission rule " + id + ".");
    }

    static InvalidInput recount(RecountId id) {
        return new InvalidInput(CODE, "recount", "There is no recount " + id + ". They are kept for 90 days.");
    }
}
