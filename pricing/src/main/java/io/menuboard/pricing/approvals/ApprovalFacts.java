package io.menuboard.pricing.approvals;

import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What a preview has found that may need approval, of the lines that applying the set writes.
 *
 * @param largestPercent the largest change of a price in percent of what it was, rounded up, at most {@value #MOST_PERCENT},
 *     which is also what another currency counts as; 0 where there were no prices before. Where a channel has none of its own, the
 *     price is that of all channels
 * @param namesProduct whether one is of a product that was named in the settings then
 */
public record ApprovalFacts(int largestPercent, boolean namesProduct) {
    public static final ApprovalFacts NONE = new ApprovalFacts(0, false);

    private static final int MOST_PERCENT = 1_000_000;

    /** These and what another line has. */
    public ApprovalFacts and(@Nullable Money before, @Nullable Money after, boolean isNamed) {
        return new ApprovalFacts(Math.max(largestPercent, percent(before, after)), namesProduct || isNamed);
    }

    private static int percent(@Nullable Money before, @Nullable Money after) {
        if (before == null) {
            return 0;
        }
        if (after == null) {
            return 100;
        }
        if (!after.currency().equals(before.currency())) {
            return MOST_PERCENT;
        }
        var change = after.amount().subtract(before.amount()).abs();
        if (change.signum() == 0) {
            return 0;
        }
        if (before.amount().signum() == 0) {
            return MOST_PERCENT;
        }
        return change.movePointRight(2)
                .divide(before.amount(), 0, RoundingMode.UP)
                .min(BigDecimal.valueOf(MOST_PERCENT))
                .intValueExact();
    }

    /** The facts as a cell of a text. */
    public String text() {
        return largestPercent + (namesProduct ? "+" : "");
    }

    /** The facts that {@link #text} wrote. */
    public static ApprovalFacts of(String text) {
        var named = text.endsWith("+");
        return new ApprovalFacts(Integer.parseInt(named ? text.substring(0, text.length() - 1) : text), named);
    }
}
