package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetAction;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Texts about changes of prices, as pages write them. */
public final class ChangeWords {
    /** As far as a preview counts different prices. */
    private static final int COUNTED = 1_000;

    private ChangeWords() {}

    public static Link link(ChangeSetId id) {
        return Link.to("changes", id.value());
    }

    /** The form that edits a draft: filled in like it, for one that takes its place. */
    static Link edit(ChangeSetId draft) {
        return Link.to("changes", "new").with("edit", draft.value());
    }

    /** The form of a new set, filled in like that one. */
    static Link another(ChangeSetId like) {
        return Link.to("changes", "new").with("like", like.value());
    }

    /** The product, or {@code MENU: FRIES-L} for what is swapped into a combo. */
    static String subject(PriceSubject subject) {
        return switch (subject) {
            case PriceSubject.Product(var product) -> product.value();
            case PriceSubject.Swap(var combo, var option) -> combo + ": " + option;
        };
    }

    /** When a set takes effect, in a word or two. */
    static String effective(ChangeSet set) {
        var date = set.effectiveDate();
        if (date != null) {
            return EffectiveDates.text(date);
        }
        return hasDatesOfItsOwn(set) ? "The date of each row" : "At once";
    }

    /** Tells whether its lines come from a file in which each has a date of its own, some of them to come. */
    static boolean hasDatesOfItsOwn(ChangeSet set) {
        var summary = set.summary();
        return set.effectiveDate() == null && summary != null && summary.firstInstant() != null;
    }

    /** Tells whether its time has come for some of its stores or rows, and not for all: for hours, or for as long as a file says. */
    static boolean isTakingEffect(ChangeSet set) {
        return set instanceof ChangeSet.Scheduled scheduled && scheduled.hasStarted();
    }

    /**
     * Tells whether something is being done with it that ends by itself.
     *
     * @param task what that is, or was; or null
     */
    static boolean isOpen(ChangeSet set, @Nullable Task task) {
        return set.status() == ChangeSetStatus.APPLYING ? !isGivenUp(set, task) : isBeingPreviewed(set, task);
    }

    /**
     * Tells whether what was being done with it has come to an end that nobody goes on from.
     *
     * @param task what that was; null where it is no longer kept, too
     */
    static boolean isGivenUp(ChangeSet set, @Nullable Task task) {
        return set.status() == ChangeSetStatus.APPLYING && set.task() != null && (task == null || isGivenUp(task));
    }

    private static boolean isGivenUp(Task task) {
        return task.status() == TaskStatus.CANCELLED || task.status() == TaskStatus.DEAD;
    }

    /** @param task that previews it, or did last; or null */
    static boolean isBeingPreviewed(ChangeSet set, @Nullable Task task) {
        // A task may be completed since the set was read.
        return isWithoutPreview(set) && task != null && !isGivenUp(task);
    }

    /** Tells whether its preview was begun, or to be, and nobody does it. */
    static boolean isPreviewGivenUp(ChangeSet set, @Nullable Task task) {
        return isWithoutPreview(set) && !isBeingPreviewed(set, task);
    }

    private static boolean isWithoutPreview(ChangeSet set) {
        return set.status() == ChangeSetStatus.DRAFT && set.token() == null && set.problem() == null;
    }

    /** Tells whether an edited set may take its place: whatever may still be previewed has changed nothing. */
    static boolean isEditable(Set<ChangeSetAction> allowed) {
        return allowed.contains(ChangeSetAction.PREVIEW);
    }

    /**
     * Summary of the state, in a sentence.
     *
     * @param task that is done with it, or was last; or null, also for any set that is no draft
     */
    public static String summary(ChangeSet set, @Nullable Task task) {
        var summary = set.summary();
        var prices = summary == null ? "" : prices(summary.written());
        return switch (set.status()) {
            case DRAFT -> draft(set, summary, task);
            case SCHEDULED -> "Waits for its time: " + prices + " will change.";
            case APPLYING -> applying(set, prices);
            case APPLIED -> prices + (written(summary) == 1 ? " is" : " are") + " changed.";
            case PARTLY_APPLIED ->
                Counts.of(written(summary) - set.data().missing().count()) + " of " + prices
                        + " changed, the others could not be written, were taken back"
                        + " or were overtaken by another set.";
            case FAILED -> "No price could be written.";
            case CANCELLED ->
                // Cancelling a draft takes its preview from it; a set that was applied keeps it.
                set.token() == null ? "Cancelled as a draft: no price was changed." : "Taken back before its time.";
            case UNDONE -> "Another set has put back what this one changed.";
        };
    }

    private static String applying(ChangeSet set, String prices) {
        if (isBegun(ChangeSetAction.CANCEL, set)) {
            return "Being taken back: " + prices + ".";
        }
        return isBegun(ChangeSetAction.RESCHEDULE, set)
                ? "Being moved: " + prices + "."
                : "In progress: " + prices + " to change.";
    }

    /** Tells whether that is what somebody has begun with it last, and a task has not done it yet. */
    static boolean isBegun(ChangeSetAction action, ChangeSet set) {
        var events = set.data().events();
        return set instanceof ChangeSet.Applying
                && !events.isEmpty()
                && events.getLast().action() == action;
    }

    private static String draft(ChangeSet set, @Nullable ChangeSetSummary summary, @Nullable Task task) {
        if (isBeingPreviewed(set, task)) {
            return "Prices are being looked at.";
        }
        if (set.token() == null || summary == null) {
            return "Nothing is changed. It needs a new preview.";
        }
        return written(summary) == 0
                ? "It would change nothing."
                : prices(summary.written()) + " in " + Counts.of(summary.stores())
                        + (summary.stores() == 1 ? " store" : " stores") + " would change.";
    }

    private static int written(@Nullable ChangeSetSummary summary) {
        return summary == null ? 0 : summary.written();
    }

    /** Why lines are left as they are, such as {@code 5 will not change: 5 invalid}; null where all change. */
    static @Nullable String left(ChangeSetSummary summary) {
        return summary.left() == 0
                ? null
                : Counts.of(summary.left()) + " will not change: "
                        + Stream.of(Finding.values())
                                .filter(finding -> !finding.isWritten() && summary.count(finding) > 0)
                                .map(finding -> Counts.of(summary.count(finding)) + " "
                                        + badge(finding).label().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    /** Risks of a set, a sentence each; empty where nothing is. */
    static List<String> risks(ChangeSetSummary summary) {
        return Stream.of(
                        risk(summary.deletions(), "1 price will be deleted.", "%s prices will be deleted."),
                        risk(
                                summary.suspicious(),
                                "1 price would change more than prices mostly do.",
                                "%s prices would change more than prices mostly do."),
                        risk(
                                summary.unknownProducts(),
                                "1 price is of a product that no store has.",
                                "%s prices are of products that no store has."),
                        risk(
                                summary.mixedCurrencies(),
                                "1 price gets an amount that may be meant for another currency.",
                                "%s prices get an amount that may be meant for another currency."))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> risk(int count, String one, String many) {
        return count == 0 ? Optional.empty() : Optional.of(count == 1 ? one : many.formatted(Counts.of(count)));
    }

    /** {@code 1,240 prices}. */
    public static String prices(int count) {
        return Counts.of(count) + (count == 1 ? " price" : " prices");
    }

    /** Effect on prices, in a sentence; null where nothing does. */
    static @Nullable String effect(ChangeSetSummary summary) {
        var before = summary.replaced();
        var after = summary.replacing();
        if (summary.written() == 0) {
            return null;
        }
        if (after == 0) {
            return "It takes prices away: afterwards there are none.";
        }
        if (before == 0) {
            return "There were no prices before.";
        }
        if (before == 1 && after == 1) {
            return "One price becomes another one.";
        }
        if (after == 1) {
            return "This one value replaces " + different(before) + ".";
        }
        return different(before) + (before == 1 ? " becomes " : " become ") + different(after) + ".";
    }

    private static String different(int count) {
        if (count == 1) {
            return "1 price";
        }
        return Counts.of(count) + (count >= COUNTED ? " or more" : "") + " different prices";
    }

    static Badge badge(ChangeSetStatus status) {
        return switch (status) {
            case DRAFT -> new Badge("", "Draft");
            case SCHEDULED -> new Badge("badge-info", "Scheduled");
            case APPLYING -> new Badge("badge-info", "In progress");
            case APPLIED -> new Badge("badge-good", "Applied");
            case PARTLY_APPLIED -> new Badge("badge-warn", "Partly applied");
            case FAILED -> new Badge("badge-bad", "Failed");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case UNDONE -> new Badge("badge-warn", "Undone");
        };
    }

    static Badge badge(Finding finding) {
        return switch (finding) {
            case CONFLICT -> new Badge("badge-warn", "Conflict");
            case SUSPICIOUS -> new Badge("badge-warn", "Suspicious");
            case MIXED_CURRENCIES -> new Badge("badge-warn", "Another currency?");
            case UNKNOWN_PRODUCT -> new Badge("badge-warn", "Unknown product");
            case DELETION -> new Badge("badge-warn", "Deletion");
            case NEW -> new Badge("badge-good", "New");
            case WILL_CHANGE -> new Badge("badge-good", "Will change");
            case NO_CHANGE -> new Badge("", "No change");
            case NOT_FOUND -> new Badge("badge-bad", "Not found");
            case INVALID -> new Badge("badge-bad", "Invalid");
        };
    }

    /** Null while nothing has become of the line. */
    static @Nullable Badge badge(ChangeLine.Outcome outcome) {
        return switch (outcome) {
            case NONE -> null;
            case SCHEDULED -> new Badge("badge-info", "Scheduled");
            case APPLIED -> new Badge("badge-good", "Applied");
            case SUPERSEDED -> new Badge("badge-warn", "Overtaken");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case FAILED -> new Badge("badge-bad", "Failed");
            case UNKNOWN -> new Badge("", "Of another version");
        };
    }

    /** Of something that somebody began with a set. */
    static String done(ChangeSetAction action) {
        return switch (action) {
            case PREVIEW -> "Previewed by";
            case APPLY -> "Applied by";
            case CANCEL -> "Cancelled by";
            case RESCHEDULE -> "Moved by";
            case RETRY -> "Tried again by";
            case UNDO -> "Put back by";
            case REQUEST_APPROVAL -> "Approval requested by";
            case APPROVE -> "Approved by";
            case REJECT -> "Rejected by";
        };
    }

    static InvalidInput notFound(ChangeSetId id) {
        return NotFound.of("changeSet", "There is no change set " + id + ".");
    }
}
