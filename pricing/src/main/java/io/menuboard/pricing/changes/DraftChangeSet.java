package io.menuboard.pricing.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.rules.ChangeRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request for changes of prices as one thing.
 *
 * @param name what people call it, 1 to 200 characters
 * @param reason why, for people, 1 to 500 characters
 * @param effectiveDate from when on each store's own clock; null for at once
 * @param rules at least one
 */
public record DraftChangeSet(
        String name, String reason, @Nullable EffectiveDate effectiveDate, List<ChangeRule> rules) {
    /** Longest name, in characters. */
    public static final int MAX_NAME = 200;

    /** Longest reason, in characters. */
    public static final int MAX_REASON = 500;

    public DraftChangeSet {
        checkName(name);
        checkReason(reason);
        rules = List.copyOf(rules);
        if (rules.isEmpty()) {
            throw new InvalidInput("NO_LINES", "rules", "must have at least one");
        }
    }

    public static void checkName(String name) {
        Texts.check("INVALID_NAME", "name", name, MAX_NAME);
    }

    public static void checkReason(String reason) {
        Texts.check("INVALID_REASON", "reason", reason, MAX_REASON);
    }
}
