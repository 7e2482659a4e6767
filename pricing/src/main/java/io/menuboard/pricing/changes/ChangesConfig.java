package io.menuboard.pricing.changes;

import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of price changes under {@code menuboard.pricing.changes.*}.
 *
 * @param maxLines most lines to which the rules of one change set may expand, default 1,000,000
 * @param inline most lines that are previewed or applied while the caller waits, default 1,000
 * @param suspiciousPercent a change of more percent is pointed out, default 50
 * @param approvalLines a set that writes more lines needs the approval of a second person; none does by default
 * @param approvalPercent so does one that changes a price by more percent; a deletion changes it by 100
 * @param approvalProducts so does one that changes a price of one of these products, combos or options
 */
@ConfigurationProperties("menuboard.pricing.changes")
record ChangesConfig(
        @Bindable(defaultValue = "1000000") int maxLines,
        @Bindable(defaultValue = "1000") int inline,
        @Bindable(defaultValue = "50") int suspiciousPercent,
        @Nullable Integer approvalLines,
        @Nullable Integer approvalPercent,
        @Nullable Set<String> approvalProducts) {

    ChangesConfig {
        if (inline < 0 || maxLines < 1) {
            throw new IllegalArgumentException("menuboard.pricing.changes must be positive");
        }
    }

    /** Which sets need the approval of a second person. */
    ApprovalPolicy approvals() {
        return new ApprovalPolicy(
                approvalLines, approvalPercent, approvalProducts == null ? Set.of() : approvalProducts);
    }
}
