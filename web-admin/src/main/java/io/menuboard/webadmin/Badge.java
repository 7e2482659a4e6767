package io.menuboard.webadmin;

import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * A short coloured label; the text says everything that the colour does.
 *
 * @param kind CSS class: {@code badge-good}, {@code badge-warn}, {@code badge-bad}, {@code badge-info} or empty
 */
record Badge(String kind, String label) {

    static Badge of(ImportState state) {
        return switch (state) {
            case WAITING -> new Badge("", "Waiting");
            case RUNNING -> new Badge("badge-info", "Running");
            case FINISHED -> new Badge("badge-good", "Finished");
            case REFUSED -> new Badge("badge-bad", "Refused");
            case FAILED -> new Badge("badge-bad", "Failed");
            case INTERRUPTED -> new Badge("badge-warn", "Interrupted");
        };
    }

    static Badge of(TaskStatus status) {
        return switch (status) {
            case SCHEDULED -> new Badge("", "Scheduled");
            case PENDING -> new Badge("", "Pending");
            case RUNNING -> new Badge("badge-info", "Running");
            case COMPLETED -> new Badge("badge-good", "Completed");
            case DEAD -> new Badge("badge-bad", "Dead");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
        };
    }

    static Badge of(TaskEvent.Kind kind) {
        return switch (kind) {
            case SUBMITTED -> new Badge("", "Submitted");
            case DUE -> new Badge("", "Due");
            case CLAIMED -> new Badge("badge-info", "Claimed");
            case COMPLETED -> new Badge("badge-good", "Completed");
            case FAILED -> new Badge("badge-bad", "Failed");
            case RELEASED -> new Badge("badge-warn", "Given back");
            case LEASE_EXPIRED -> new Badge("badge-bad", "Lease expired");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case RETRIED -> new Badge("", "Retried");
            case REASSIGNED -> new Badge("", "Reassigned");
            case UNKNOWN -> new Badge("", "Of another version");
        };
    }

    static Badge of(ChangeSetStatus status) {
        return switch (status) {
            case DRAFT -> new Badge("", "Draft");
            case SCHEDULED -> new Badge("badge-info", "Scheduled");
            case APPLYING -> new Badge("badge-info", "In progress");
            case APPLIED -> new Badge("badge-good", "Applied");
            case PARTLY_APPLIED -> new Badge("badge-warn", "Partly applied");
            case FAILED -> new Badge("badge-bad", "Failed");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case UNDONE -> new Badge("badge-warn", "Undone");
        };
    }

    static Badge of(Finding finding) {
        return switch (finding) {
            case CONFLICT -> new Badge("badge-warn", "Conflict");
            case SUSPICIOUS -> new Badge("badge-warn", "Suspicious");
            case MIXED_CURRENCIES -> new Badge("badge-warn", "Several currencies");
            case UNKNOWN_PRODUCT -> new Badge("badge-warn", "Unknown product");
            case DELETION -> new Badge("badge-warn", "Deletion");
            case NEW -> new Badge("badge-good", "New");
            case WILL_CHANGE -> new Badge("badge-good", "Will change");
            case NO_CHANGE -> new Badge("", "No change");
            case NOT_FOUND -> new Badge("badge-bad", "Not found");
            case INVALID -> new Badge("badge-bad", "Invalid");
        };
    }

    /** Null while nothing has become of the line. */
    static @Nullable Badge of(ChangeLine.Outcome outcome) {
        return switch (outcome) {
            case NONE -> null;
            case SCHEDULED -> new Badge("badge-info", "Scheduled");
            case APPLIED -> new Badge("badge-good", "Applied");
            case SUPERSEDED -> new Badge("badge-warn", "Overtaken");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case FAILED -> new Badge("badge-bad", "Failed");
            case UNKNOWN -> new Badge("", "Of another version");
        };
    }

    static Badge of(StoreStatus status) {
        return switch (status) {
            case OPEN -> new Badge("badge-good", "Open");
            case TEMPORARILY_CLOSED -> new Badge("badge-warn", "Temporarily closed");
            case CLOSED -> new Badge("", "Closed");
        };
    }
}
