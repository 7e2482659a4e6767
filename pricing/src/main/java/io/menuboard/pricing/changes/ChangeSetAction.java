package io.menuboard.pricing.changes;

import io.menuboard.access.Permission;
import java.util.Optional;

/** Actions that a person takes on a change set. */
public enum ChangeSetAction {
    /** Previews a draft again. */
    PREVIEW,
    /** Applies the latest preview of a draft. */
    APPLY,
    /** Cancels a draft, or takes back what waits for its time. */
    CANCEL,
    /** Moves a set that waits for its time to another one. */
    RESCHEDULE,
    /** Drafts a set of the lines that could not be written. */
    RETRY,
    /** Drafts a set that puts back what this one changed. */
    UNDO,
    /** Asks a second person to approve the latest preview of a draft that needs it. */
    REQUEST_APPROVAL,
    /** Approves the latest preview, by somebody else than who drafted it. */
    APPROVE,
    /** Refuses to approve the latest preview, and says why. */
    REJECT;

    /** What it takes, for all stores that the set touches. */
    public Permission permission() {
        return switch (this) {
            case APPLY, CANCEL, RESCHEDULE -> Permission.PRICES_APPLY;
            case PREVIEW, RETRY, UNDO, REQUEST_APPROVAL -> Permission.PRICES_DRAFT;
            case APPROVE, REJECT -> Permission.PRICES_APPROVE;
        };
    }

    /** The rule, for people, that forbids the action on a draft with a preview; empty where it is allowed. */
    Optional<String> refusalOfDraft(ChangeSet draft) {
        return switch (this) {
            case PREVIEW, APPLY, CANCEL -> Optional.empty();
            case RESCHEDULE -> Optional.of("changeSet must be scheduled; draft another one with the other time");
            case RETRY -> mustHaveFailed(draft);
            case UNDO -> mustBeApplied(draft);
            case REQUEST_APPROVAL -> refusalToRequestApproval(draft);
            case APPROVE, REJECT -> refusalToDecide(draft);
        };
    }

    /** The rule, for people, that forbids the action on a set that waits for its time; empty where it is allowed. */
    Optional<String> refusalOfScheduled(ChangeSet.Scheduled set) {
        return switch (this) {
            case PREVIEW, APPLY, REQUEST_APPROVAL, APPROVE, REJECT -> mustBeDraft(set);
            case CANCEL -> Optional.empty();
            case RESCHEDULE -> refusalToMove(set);
            case RETRY -> set.data().unwritten() > 0 && !set.hasStarted() ? Optional.empty() : mustHaveFailed(set);
            case UNDO ->
                set.hasStarted()
                        ? Optional.of("changeSet must not have prices that are to come; cancel those before")
                        : mustBeApplied(set);
        };
    }

    private static Optional<String> refusalToRequestApproval(ChangeSet draft) {
        if (draft.token() == null) {
            return Optional.of("changeSet must be previewed before somebody is asked to approve it");
        }
        return draft.approval() == null
                ? Optional.empty()
                : Optional.of("changeSet must not be asked about twice, but approval is "
                        + draft.approval().status());
    }

    private static Optional<String> refusalToDecide(ChangeSet draft) {
        var approval = draft.approval();
        if (approval == null) {
            return Optional.of("changeSet must wait until approval of its latest preview is requested");
        }
        return approval.decision() == null
                ? Optional.empty()
                : Optional.of("changeSet must not be decided about twice, but is " + approval.status());
    }

    static Optional<String> mustBeDraft(ChangeSet set) {
        return Optional.of("changeSet must be a draft, but it is " + set.status());
    }

    static Optional<String> mustBeApplied(ChangeSet set) {
        return Optional.of("changeSet must be applied, but it is " + set.status());
    }

    static Optional<String> mustHaveFailed(ChangeSet set) {
        return Optional.of("changeSet must have lines that failed, but it is " + set.status() + " with "
                + set.data().unwritten());
    }

    private static Optional<String> refusalToMove(ChangeSet.Scheduled set) {
        if (set.hasStarted()) {
            return beforeItsTime(set);
        }
        return set.effectiveDate() == null
                ? Optional.of("changeSet must have one time, and each of its lines has its own; cancel it instead")
                : Optional.empty();
    }

    static Optional<String> beforeItsTime(ChangeSet set) {
        return Optional.of(mustWait(set));
    }

    /** The rule that forbids what is done before a set's time. */
    static String mustWait(ChangeSet set) {
        return set.status() == ChangeSetStatus.APPLYING
                ? "changeSet must not be in progress; try again when it is done, or cancel its task before"
                : "changeSet must wait for its time, but it is " + set.status();
    }
}
