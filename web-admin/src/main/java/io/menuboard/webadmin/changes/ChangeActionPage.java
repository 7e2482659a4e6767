package io.menuboard.webadmin.changes;

import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/action}: the question before something is done with a change set.
 *
 * @param effect what becomes of what, in a sentence; or null
 * @param left which lines are left as they are, in a sentence; or null
 * @param risks what is risky about it, a sentence each
 * @param suspicious how many prices have to be meant, in words; null where none have
 * @param takesMoment whether there are fields for the time
 * @param takesReason whether there is a field for the reason
 * @param token shows which preview is applied; empty without one
 * @param key makes two submissions of this form one
 * @param problem what is wrong with what was sent, or null
 */
record ChangeActionPage(
        String id,
        String name,
        String href,
        String action,
        Badge status,
        String effective,
        @Nullable String effect,
        String question,
        String consequence,
        String confirmation,
        boolean danger,
        @Nullable String left,
        List<String> risks,
        @Nullable String suspicious,
        boolean takesMoment,
        boolean takesReason,
        String token,
        String key,
        ChangeMoment moment,
        String reason,
        int maxReason,
        @Nullable Problem problem,
        String sampleNote,
        List<ChangeLineRow> sample) {

    /** What was sent with the form, or its empty fields. */
    record Sent(String key, String token, ChangeMoment moment, String reason) {}

    static ChangeActionPage of(
            ChangeAction action, ChangeSet set, Sent sent, @Nullable Problem problem, List<ChangeLineRow> sample) {
        var summary = set.summary();
        var count = summary == null ? "the set" : ChangeWords.prices(summary.written());
        var applied = action == ChangeAction.APPLY ? summary : null;
        var doubtful = applied == null ? 0 : applied.needsAcceptance();
        return new ChangeActionPage(
                set.id().value(),
                set.name(),
                ChangeWords.link(set.id()).toString(),
                Link.to("changes", set.id().value(), action.path()).toString(),
                ChangeWords.badge(set.status()),
                ChangeWords.effective(set),
                applied == null ? null : ChangeWords.effect(applied),
                question(action, count),
                consequence(action, set),
                confirmation(action, count),
                action == ChangeAction.CANCEL,
                applied == null ? null : ChangeWords.left(applied),
                applied == null ? List.of() : ChangeWords.risks(applied),
                doubtful == 0
                        ? null
                        : doubtful == 1 ? "This price is meant" : "These " + Counts.of(doubtful) + " prices are meant",
                action == ChangeAction.RESCHEDULE,
                action == ChangeAction.UNDO,
                sent.token(),
                sent.key(),
                sent.moment(),
                sent.reason(),
                DraftChangeSet.MAX_REASON,
                problem,
                sampleNote(summary, sample.size()),
                sample);
    }

    private static String question(ChangeAction action, String count) {
        return switch (action) {
            case APPLY -> "Change " + count + "?";
            case PREVIEW -> "Preview this set again?";
            case RESCHEDULE -> "Change " + count + " at another time?";
            case CANCEL -> "Cancel this change set?";
            case RETRY -> "Try again what failed?";
            case UNDO -> "Undo this change set?";
        };
    }

    private static String consequence(ChangeAction action, ChangeSet set) {
        return switch (action) {
            case APPLY ->
                set.effectiveDate() != null
                        ? "The new prices count from " + Moments.of(set.effectiveDate())
                                + " on each store's own clock. Until then the set can be cancelled or moved."
                        : ChangeWords.hasDatesOfItsOwn(set)
                                ? "Each new price counts from the date of its row, on its store's own clock; one that has"
                                        + " begun, at once. They can be put back afterwards."
                                : "The new prices count at once, in every store. They can be put back afterwards.";
            case PREVIEW -> "It changes nothing.";
            case RESCHEDULE -> "The same prices, from another moment on, which must be to come in every store.";
            case CANCEL -> "None of its prices will change. It stays listed, and cannot be applied any more.";
            case RETRY ->
                "A new draft has the lines that failed, each with the price that it was to have. You see what it would change"
                        + " before it does.";
            case UNDO ->
                "A new draft puts each price back as it was before, except those that have changed since. You see what it"
                        + " would change before it does.";
        };
    }

    private static String confirmation(ChangeAction action, String count) {
        return switch (action) {
            case APPLY -> "Change " + count;
            case PREVIEW -> "Preview again";
            case RESCHEDULE -> "Move it to then";
            case CANCEL -> "Cancel the change set";
            case RETRY -> "Draft the retry";
            case UNDO -> "Draft the undo";
        };
    }

    private static String sampleNote(@Nullable ChangeSetSummary summary, int shown) {
        return summary != null && shown < summary.lines()
                ? shown + " of its " + ChangeWords.prices(summary.lines()) + ", those that need attention first"
                : "All of its prices";
    }

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
