package io.menuboard.pricing.approvals;

import io.menuboard.pricing.PriceSubject;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which change sets need the approval of a second person; none where every part is absent.
 *
 * @param lines those that write more lines than that; null for none
 * @param percent those that change a price by more percent than that; null for none
 * @param products those that change a price of one of these products, or of one of these combos and options
 */
public record ApprovalPolicy(
        @Nullable Integer lines, @Nullable Integer percent, Set<String> products) {
    /** No set needs approval. */
    public static final ApprovalPolicy NONE = new ApprovalPolicy(null, null, Set.of());

    public ApprovalPolicy {
        products = Set.copyOf(products);
        if ((lines != null && lines < 0) || (percent != null && percent < 0)) {
            throw new IllegalArgumentException("bounds of what needs no approval must not be negative");
        }
    }

    public boolean isNone() {
        return lines == null && percent == null && products.isEmpty();
    }

    /** Whether a change of that price needs approval because of what it is the price of. */
    public boolean names(PriceSubject subject) {
        return switch (subject) {
            case PriceSubject.Product(var product) -> products.contains(product.value());
            case PriceSubject.Swap(var combo, var option) ->
                products.contains(combo.value()) || products.contains(option.value());
        };
    }

    /**
     * Why a set needs approval; empty where it does not.
     *
     * @param written number of lines that applying it writes
     * @param facts null where a version has previewed it that did not look for them: then it needs approval
     */
    public Set<ApprovalReason> reasons(int written, @Nullable ApprovalFacts facts) {
        var reasons = EnumSet.noneOf(ApprovalReason.class);
        if (lines != null && written > lines) {
            reasons.add(ApprovalReason.LINES);
        }
        if (facts == null) {
            if (percent != null || !products.isEmpty()) {
                reasons.add(ApprovalReason.PREVIEWED_BEFORE);
            }
            return reasons;
        }
        if (percent != null && facts.largestPercent() > percent) {
            reasons.add(ApprovalReason.PERCENT);
        }
        if (!products.isEmpty() && facts.namesProduct()) {
            reasons.add(ApprovalReason.PRODUCTS);
        }
        return reasons;
    }
}
