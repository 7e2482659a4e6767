package io.menuboard.webadmin.ui;

import org.jspecify.annotations.Nullable;

/**
 * Result of the action that led to a page, for {@code components :: outcome}.
 *
 * @param notice what was just done, or null
 * @param refusal why what was asked for was not done, or null
 */
public record ActionOutcome(
        @Nullable String notice, @Nullable String refusal) {
    public static final ActionOutcome NONE = new ActionOutcome(null, null);

    public static ActionOutcome done(@Nullable String notice) {
        return new ActionOutcome(notice, null);
    }

    public static ActionOutcome refused(String refusal) {
        return new ActionOutcome(null, refusal);
    }
}
