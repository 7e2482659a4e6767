package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetAction;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.prices.EffectiveDates;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Action of a person on one change set, as pages say it. Pricing decides which is allowed. */
enum ChangeAction {
    APPLY(ChangeSetAction.APPLY, "apply", "Apply"),
    PREVIEW(ChangeSetAction.PREVIEW, "preview", "Preview again"),
    RESCHEDULE(ChangeSetAction.RESCHEDULE, "reschedule", "Reschedule"),
    CANCEL(ChangeSetAction.CANCEL, "cancel", "Cancel"),
    RETRY(ChangeSetAction.RETRY, "retry", "Retry what failed"),
    UNDO(ChangeSetAction.UNDO, "undo", "Undo"),
    REQUEST_APPROVAL(ChangeSetAction.REQUEST_APPROVAL, "request-approval", "Request approval"),
    APPROVE(ChangeSetAction.APPROVE, "approve", "Approve"),
    REJECT(ChangeSetAction.REJECT, "reject", "Reject");

    private final ChangeSetAction action;
    private final String path;
    private final String label;

    ChangeAction(ChangeSetAction action, String path, String label) {
        this.action = action;
        this.path = path;
        this.label = label;
    }

    /** The action with that last segment of its address. */
    static Optional<ChangeAction> of(String path) {
        return Stream.of(values()).filter(action -> action.path.equals(path)).findFirst();
    }

    /**
     * Tells whether the set's page offers it to whoever sees that.
     *
     * @param allowed actions that the set allows
     * @param task what is being done with the set, or was; or null
     */
    boolean isOffered(Access access, ChangeSet set, Set<ChangeSetAction> allowed, @Nullable Task task) {
        return access.may(permission()) && isOffered(set, allowed, task);
    }

    private boolean isOffered(ChangeSet set, Set<ChangeSetAction> allowed, @Nullable Task task) {
        return switch (this) {
            case PREVIEW -> allowed.contains(action) && !ChangeWords.isBeingPreviewed(set, task);
            case CANCEL -> allowed.contains(action) || ChangeWords.isGivenUp(set, task);
            case APPLY, RESCHEDULE, RETRY, UNDO, REQUEST_APPROVAL, APPROVE, REJECT -> allowed.contains(action);
        };
    }

    /** As the mutation that does the same. */
    Permission permission() {
        return action.permission();
    }

    ChangeSetAction action() {
        return action;
    }

    /** Why it is not {@linkplain #isOffered offered}. */
    String refusal(ChangeSet set, @Nullable Task task) {
        var isDraft = set.status() == ChangeSetStatus.DRAFT;
        var rule =
                switch (this) {
                    case APPLY -> {
                        if (isDraft && ChangeWords.isBeingPreviewed(set, task)) {
                            yield "It is still being previewed, and can be applied after that.";
                        }
                        if (isDraft && set.token() == null) {
                            yield "It needs a new preview before it can be applied.";
                        }
                        if (isDraft && Objects.requireNonNull(set.summary()).written() > 0) {
                            yield "A second person has to approve it before it can be applied.";
                        }
                        yield isDraft ? "There is nothing to apply." : "Only a draft can be applied.";
                    }
                    case PREVIEW -> isDraft ? "It is being previewed already." : "Only a draft can be previewed.";
                    case RESCHEDULE -> {
                        if (set.status() != ChangeSetStatus.SCHEDULED) {
                            yield "Only a set that waits for its time can be rescheduled.";
                        }
                        yield set.effectiveDate() == null
                                ? "Each of its prices has a time of its own, so they cannot be moved together."
                                : "It was approved for its time, so only a person who could have approved it can move it."
                                        + " It can be cancelled instead.";
                    }
                    case CANCEL -> "Only a draft, or a set that waits for its time, can be cancelled.";
                    case RETRY ->
                        set.data().unwritten() == 0
                                ? "None of its prices has failed."
                                : "What failed can be tried again only after the set was applied.";
                    case UNDO -> "Only a set that is applied, in whole or in part, can be undone.";
                    case REQUEST_APPROVAL ->
                        "Approval is requested for a draft that needs it, and once for each preview.";
                    case APPROVE, REJECT ->
                        set.approval() != null && set.approval().decision() == null
                                ? "Another person than the one who drafted it has to decide."
                                : "Nobody has asked for approval of it, or somebody has decided.";
                };
        return rule + " The set is: " + ChangeWords.badge(set.status()).label().toLowerCase(Locale.ROOT) + ".";
    }

    /** Tells whether a question comes before it: a request changes nothing, nor does a preview where no approval is lost by it. */
    boolean isAsked(ChangeSet set) {
        return this == PREVIEW ? !state(set).isEmpty() : this != REQUEST_APPROVAL;
    }

    /** State of the set on which depends what the action does to it; empty where that is always the same. */
    String state(ChangeSet set) {
        return switch (this) {
            case PREVIEW -> {
                var approval = set.approval();
                yield approval == null || approval.status() == Approval.Status.REJECTED
                        ? ""
                        : approval.status().name();
            }
            case CANCEL -> set.status().name();
            case APPLY, RESCHEDULE, RETRY, UNDO, REQUEST_APPROVAL, APPROVE, REJECT -> "";
        };
    }

    String path() {
        return path;
    }

    String label() {
        return label;
    }

    /** Result of the action, as the set is now; null where the set is not as that action leaves it. */
    @Nullable
    String said(ChangeSet set, @Nullable Task task) {
        var status = set.status();
        return switch (this) {
            case APPLY -> applied(set);
            case PREVIEW ->
                status != ChangeSetStatus.DRAFT || ChangeWords.isPreviewGivenUp(set, task)
                        ? null
                        : ChangeWords.isBeingPreviewed(set, task)
                                ? "It is being previewed."
                                : "It was previewed again.";
            case RESCHEDULE -> ChangeWords.isBegun(action, set) ? ChangeWords.summary(set, task) : rescheduled(set);
            case CANCEL -> ChangeWords.isBegun(action, set) ? ChangeWords.summary(set, task) : cancelled(set);
            case RETRY ->
                status == ChangeSetStatus.DRAFT && set.retries() != null
                        ? "This set has what failed. Look at it, and apply it."
                        : null;
            case UNDO ->
                status == ChangeSetStatus.DRAFT && set.undoes() != null
                        ? "This set puts everything back, once it is applied."
                        : null;
            case REQUEST_APPROVAL -> isAt(set, Approval.Status.REQUESTED) ? "Approval is requested." : null;
            case APPROVE -> isAt(set, Approval.Status.APPROVED) ? "Approved: it can be applied now." : null;
            case REJECT -> isAt(set, Approval.Status.REJECTED) ? "Rejected." : null;
        };
    }

    private static boolean isAt(ChangeSet set, Approval.Status status) {
        return set.approval() != null && set.approval().status() == status;
    }

    private static @Nullable String rescheduled(ChangeSet set) {
        return set.status() == ChangeSetStatus.SCHEDULED && set.effectiveDate() != null
                ? "Rescheduled: takes effect " + EffectiveDates.text(set.effectiveDate())
                        + " on each store's own clock."
                : null;
    }

    private static @Nullable String cancelled(ChangeSet set) {
        if (!(set instanceof ChangeSet.Ended ended) || !ended.byCancel()) {
            return null;
        }
        return switch (ended.status()) {
            case CANCELLED -> "Cancelled.";
            case PARTLY_APPLIED ->
                "Cancelled: what was not in effect yet is taken back. The rest stays, and can be undone.";
            case APPLIED -> "All of it was in effect already, and stays. It can be undone.";
            default -> null;
        };
    }

    private static @Nullable String applied(ChangeSet set) {
        return switch (set.status()) {
            case APPLIED -> "Applied.";
            case PARTLY_APPLIED -> "Partly applied.";
            case APPLYING -> "It is being applied.";
            case SCHEDULED ->
                set.effectiveDate() == null
                        ? "Scheduled: each price takes effect at its own time."
                        : "Scheduled: takes effect " + EffectiveDates.text(set.effectiveDate())
                                + " on each store's own clock.";
            case DRAFT, FAILED, CANCELLED, UNDONE -> null;
        };
    }
}
