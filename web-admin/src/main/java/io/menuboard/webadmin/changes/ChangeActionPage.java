package io.menuboard.webadmin.changes;

import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/action}: the question before something is done with a change set.
 *
 * @param effect what becomes of what, in a sentence; or null
 * @param left which lines are left as they are, in a sentence; or null
 * @param moment null where there are no fields for the time
 * @param reason null where there is no field for one
 * @param problem what is wrong with what was sent, or null
 * @param refusal why it was not done, or null
 */
record ChangeActionPage(
        Confirmation confirmation,
        Reference changeSet,
        Badge status,
        String effective,
        @Nullable String effect,
        @Nullable String left,
        Risks risks,
        @Nullable ChangeMoment moment,
        @Nullable ReasonField reason,
        @Nullable Problem problem,
        Examples examples,
        @Nullable String refusal) {

    /** Field with the {@linkplain ChangeAction#state state} that the question is about. */
    static final String ASKED = "asked";

    /**
     * Fields of the form, as they were sent or empty.
     *
     * @param key makes two submissions of the form one
     * @param token says which preview is applied; empty without one
     */
    record Sent(String key, String token, ChangeMoment moment, String reason) {}

    static ChangeActionPage of(
            ChangeAction action, ChangeSet set, Sent sent, @Nullable Problem problem, List<ChangeLineRow> sample) {
        var summary = set.summary();
        var applied = action == ChangeAction.APPLY || action == ChangeAction.APPROVE ? summary : null;
        return new ChangeActionPage(
                confirmation(action, set, sent),
                Reference.of(set.name(), ChangeWords.link(set.id())),
                ChangeWords.badge(set.status()),
                ChangeWords.effective(set),
                applied == null ? null : ChangeWords.effect(applied),
                applied == null ? null : ChangeWords.left(applied),
                applied == null ? Risks.NONE : Risks.of(action, applied),
                action == ChangeAction.RESCHEDULE ? sent.moment() : null,
                ReasonField.of(action, sent.reason()),
                problem,
                Examples.of(summary, sample),
                null);
    }

    /** The same question, after its answer was refused. */
    ChangeActionPage refused(String why) {
        return new ChangeActionPage(
                confirmation,
                changeSet,
                status,
                effective,
                effect,
                left,
                risks,
                moment,
                reason,
                problem,
                examples,
                why);
    }

    private static Confirmation confirmation(ChangeAction action, ChangeSet set, Sent sent) {
        var summary = set.summary();
        var count = summary == null ? "the set" : ChangeWords.prices(summary.written());
        var page = ChangeWords.link(set.id());
        var question = Confirmation.of(
                        List.of(Reference.of("Price changes", Link.to("changes")), Reference.of(set.name(), page)),
                        question(action, count),
                        consequence(action, set),
                        confirmation(action, count),
                        Link.to("changes", set.id().value(), action.path()),
                        Reference.of("Back to the change set", page))
                .with("key", sent.key())
                .dangerous(action == ChangeAction.CANCEL || action == ChangeAction.REJECT);
        var state = action.state(set);
        var about = state.isEmpty() ? question : question.with(ASKED, state);
        return sent.token().isEmpty() ? about : about.with("token", sent.token());
    }

    /**
     * Everything that is risky about it, a sentence each.
     *
     * @param suspicious how many prices have to be meant, in words; null where none have
     */
    record Risks(List<String> all, @Nullable String suspicious) {
        static final Risks NONE = new Risks(List.of(), null);

        static Risks of(ChangeAction action, ChangeSetSummary summary) {
            // Who applies the set says what is meant.
            var doubtful = action == ChangeAction.APPLY ? summary.needsAcceptance() : 0;
            return new Risks(
                    ChangeWords.risks(summary),
                    switch (doubtful) {
                        case 0 -> null;
                        case 1 -> "This price is meant";
                        default -> "These " + Counts.of(doubtful) + " prices are meant";
                    });
        }
    }

    /** Field for a reason. */
    record ReasonField(String label, String value, int max) {

        /** Null where there is none. */
        static @Nullable ReasonField of(ChangeAction action, String value) {
            return switch (action) {
                case UNDO -> new ReasonField("Reason, for the history of each price", value, DraftChangeSet.MAX_REASON);
                case REJECT -> new ReasonField("Reason, for who drafted it", value, DraftChangeSet.MAX_REASON);
                case APPLY, PREVIEW, RESCHEDULE, CANCEL, RETRY, REQUEST_APPROVAL, APPROVE -> null;
            };
        }
    }

    /** Some of the set's lines. */
    record Examples(String note, List<ChangeLineRow> rows) {
        static Examples of(@Nullable ChangeSetSummary summary, List<ChangeLineRow> rows) {
            return new Examples(
                    summary != null && rows.size() < summary.lines()
                            ? rows.size() + " of its " + ChangeWords.prices(summary.lines())
                                    + ", those that need attention first"
                            : "All of its prices",
                    rows);
        }
    }

    private static String question(ChangeAction action, String count) {
        return switch (action) {
            case APPLY -> "Change " + count + "?";
            case PREVIEW -> "Preview this set again?";
            case RESCHEDULE -> "Change " + count + " at another time?";
            case CANCEL -> "Cancel this change set?";
            case RETRY -> "Try again what failed?";
            case UNDO -> "Undo this change set?";
            case REQUEST_APPROVAL -> "Request approval?";
            case APPROVE -> "Approve the change of " + count + "?";
            case REJECT -> "Reject the change of " + count + "?";
        };
    }

    private static String consequence(ChangeAction action, ChangeSet set) {
        return switch (action) {
            case APPLY ->
                set.effectiveDate() != null
                        ? "The new prices count from " + EffectiveDates.text(set.effectiveDate())
                                + " on each store's own clock. Until then the set can be cancelled or moved."
                        : ChangeWords.hasDatesOfItsOwn(set)
                                ? "Each new price counts from the date of its row, on its store's own clock; one that has"
                                        + " begun, at once. They can be put back afterwards."
                                : "The new prices count at once, in every store. They can be put back afterwards.";
            case PREVIEW ->
                set.approval() == null
                        ? "It changes nothing."
                        : "No price changes. What was said of the earlier preview counts for that alone: approval has to be"
                                + " requested again.";
            case RESCHEDULE -> "The same prices, from another moment on, which must be to come in every store.";
            case CANCEL ->
                // Where each row has a date of its own, some may have begun before the set was applied.
                set.status() == ChangeSetStatus.APPLYING
                                || (set.status() == ChangeSetStatus.SCHEDULED && ChangeWords.hasDatesOfItsOwn(set))
                        ? "What is not in effect yet is taken back. What is in effect stays, and can be undone afterwards."
                        : "None of its prices will change. It stays listed, and cannot be applied any more.";
            case RETRY ->
                "A new draft has the lines that failed, each with the price that it was to have. You see what it would change"
                        + " before it does.";
            case REQUEST_APPROVAL -> "A second person is asked. It changes nothing.";
            case APPROVE -> "It can be applied then, as it was previewed. No price changes by that alone.";
            case REJECT ->
                "It cannot be applied as it is. Who drafted it sees why, and can preview it again and ask again, or cancel it.";
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
            case REQUEST_APPROVAL -> "Request approval";
            case APPROVE -> "Approve " + count;
            case REJECT -> "Reject the change set";
        };
    }
}
