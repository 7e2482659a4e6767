package io.menuboard.pricing.rules;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.PriceSubject;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds changes that look like mistakes.
 *
 * @param percent a change of more is suspicious
 */
public record Suspicion(int percent) {

    /** The reason, for people, why a change is suspicious; null where it is not. */
    @Nullable
    public String of(PriceSubject subject, @Nullable Money before, @Nullable Money after) {
        if (after == null) {
            return null; // a finding of its own
        }
        if (after.amount().signum() == 0) {
            // Many swaps cost nothing from the beginning.
            return before == null && subject instanceof PriceSubject.Swap ? null : "would cost nothing";
        }
        if (before == null) {
            return null;
        }
        if (!after.currency().equals(before.currency())) {
            return "would be in " + after.currency().getCurrencyCode();
        }
        if (before.amount().signum() == 0) {
            return null;
        }
        for (var digits : List.of(1, 2)) {
            if (after.amount().compareTo(before.amount().movePointRight(digits)) == 0) {
                return digits == 1 ? "would cost 10 times as much" : "would cost 100 times as much";
            }
            if (before.amount().compareTo(after.amount().movePointRight(digits)) == 0) {
                return digits == 1 ? "would cost a tenth" : "would cost a hundredth";
            }
        }
        var change = after.amount().subtract(before.amount()).abs().movePointRight(2);
        return change.compareTo(before.amount().multiply(BigDecimal.valueOf(percent))) > 0
                ? "would change by more than " + percent + " percent"
                : null;
    }
}
