package io.menuboard.webadmin.changes;

import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.approvals.ApprovalReason;
import io.menuboard.pricing.changes.ChangeSetApprovals.Standing;
import io.menuboard.webadmin.ui.Badge;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Approval of a change set by a second person, as its page shows it. Who asked and decided is among its events.
 *
 * @param why it is needed, in a sentence; null where it is not any more
 * @param approvers names of people who may approve it; null where that is decided
 */
record ApprovalPanel(
        Badge status, @Nullable String why, @Nullable String approvers) {

    /** @param approvers names of people who may approve it */
    static ApprovalPanel of(Standing standing, List<String> approvers) {
        return new ApprovalPanel(
                badge(standing.status()),
                why(standing),
                standing.isOpen() ? approvers.isEmpty() ? "nobody yet" : String.join(", ", approvers) : null);
    }

    static Badge badge(Approval.Status status) {
        return switch (status) {
            case NEEDED -> new Badge("badge-warn", "Needs approval");
            case REQUESTED -> new Badge("badge-info", "Waits for approval");
            case APPROVED -> new Badge("badge-good", "Approved");
            case REJECTED -> new Badge("badge-bad", "Rejected");
        };
    }

    private static @Nullable String why(Standing standing) {
        return standing.reasons().isEmpty()
                ? null
                : standing.reasons().stream().map(ApprovalPanel::sentence).collect(Collectors.joining(" "));
    }

    private static String sentence(ApprovalReason reason) {
        return switch (reason) {
            case LINES -> "It changes more prices than one person may change alone.";
            case PERCENT -> "It changes a price by more than one person may change it alone.";
            case PRODUCTS -> "It changes the price of a product that needs approval.";
            case PREVIEWED_BEFORE -> "It was previewed before approvals were asked for: preview it again.";
        };
    }
}
