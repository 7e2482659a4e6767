package io.menuboard.webadmin.changes;

import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form filled in as an earlier set has it, as far as the form can say that.
 *
 * @param name of that set
 * @param href address of that set
 * @param left why its prices are not filled in; null where they are
 * @param replaces id of that set, where it is a draft whose place the new one takes; otherwise empty
 */
record LikeForm(
        NewChangeForm form,
        String name,
        String href,
        @Nullable String left,
        String replaces) {

    /**
     * @param rules those of the set, or at least two of them
     * @param edits whether the new set is to take its place, and may
     */
    static LikeForm of(ChangeSet set, List<ChangeRule> rules, boolean edits) {
        var about = ChangeAbout.of(set);
        var left = left(set, rules);
        return new LikeForm(
                left == null ? NewChangeForm.like(about, rules.getFirst()) : NewChangeForm.about(about),
                set.name(),
                ChangeWords.link(set.id()).toString(),
                left,
                edits && left == null ? set.id().value() : "");
    }

    private static @Nullable String left(ChangeSet set, List<ChangeRule> rules) {
        if (rules.isEmpty()) {
            return set.imported() == null
                    ? "It has no rule of its own: it puts prices back, or tries again what failed."
                    : "It came from a file of prices: import another one.";
        }
        if (rules.size() > 1) {
            return "It has several rules, and this form has one. Draft each of them here, or all of them from a CSV file.";
        }
        var rule = rules.getFirst();
        if (!rule.subjects().stream().allMatch(PriceSubject.Product.class::isInstance)) {
            return "It changes swap prices, which this form has no place for. Draft it from a CSV file.";
        }
        return rule.operation() instanceof PriceOperation.SetTo(var _, var currency) && currency != null
                ? "It sets an amount in " + currency.getCurrencyCode()
                        + " only, and this form sets one in the currency of each price."
                : null;
    }
}
