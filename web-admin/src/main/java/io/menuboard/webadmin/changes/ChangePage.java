package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetAction;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.tasks.TaskProgressBar;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Refresh;
import io.menuboard.webadmin.ui.Submission;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/show}: what a change set would change, or has changed.
 *
 * @param approval null where the set needs none, and nobody was asked
 * @param editHref address of the form that edits this set; null where it is no draft with rules of its own
 * @param likeHref address of the form filled in like this set; null where the set has no rules of its own
 * @param lines null before it was previewed
 * @param first the first prices of stores, which are no lines of the list; null for none
 */
record ChangePage(
        Header header,
        Refresh refresh,
        ActionOutcome outcome,
        State state,
        @Nullable ApprovalPanel approval,
        List<Action> actions,
        @Nullable String editHref,
        @Nullable String likeHref,
        @Nullable Lines lines,
        @Nullable FirstPrices first) {

    private static final int SECONDS = 1;

    /** Where nobody works on the set, and time alone makes it go on. */
    private static final int SECONDS_WHILE_TAKING_EFFECT = 60;

    /** Findings in the order in which lines are listed: those that need attention first. */
    private static final List<Finding> ORDER = List.of(
            Finding.CONFLICT,
            Finding.SUSPICIOUS,
            Finding.MIXED_CURRENCIES,
            Finding.UNKNOWN_PRODUCT,
            Finding.DELETION,
            Finding.WILL_CHANGE,
            Finding.NEW,
            Finding.NOT_FOUND,
            Finding.INVALID,
            Finding.NO_CHANGE);

    static ChangePage of(
            Access access,
            ChangeSet set,
            @Nullable Task task,
            Set<ChangeSetAction> allowed,
            @Nullable ApprovalPanel approval,
            ActionOutcome outcome,
            Link here,
            @Nullable Lines lines,
            @Nullable FirstPrices first) {
        var hasRules = access.may(Permission.PRICES_DRAFT) && set.undoes() == null && set.retries() == null;
        return new ChangePage(
                Header.of(set),
                refresh(access, set, task, here),
                outcome,
                State.of(access, set, task),
                approval,
                Stream.of(ChangeAction.values())
                        .filter(action -> action.isOffered(access, set, allowed, task))
                        .map(action -> Action.of(action, set))
                        .toList(),
                hasRules && set.imported() == null && ChangeWords.isEditable(allowed)
                        ? ChangeWords.edit(set.id()).toString()
                        : null,
                hasRules ? ChangeWords.another(set.id()).toString() : null,
                lines,
                first);
    }

    /** Whoever may not read the set's task would only hear of its end. */
    private static Refresh refresh(Access access, ChangeSet set, @Nullable Task task, Link here) {
        var seconds = ChangeWords.isTakingEffect(set) ? SECONDS_WHILE_TAKING_EFFECT : SECONDS;
        var refresh = Refresh.of(here, ChangeWords.isOpen(set, task), seconds);
        return access.isForAll(Permission.TASKS_READ)
                ? TaskWords.onUpdates(refresh, true, task)
                        .onUpdatesOf(Refresh.Subscription.CHANGE_SET, set.id().value())
                : refresh;
    }

    /** @param href address of the set */
    record Header(String id, String name, String href, Submission drafted, String reason) {
        static Header of(ChangeSet set) {
            return new Header(
                    set.id().value(),
                    set.name(),
                    ChangeWords.link(set.id()).toString(),
                    Submission.of(set.createdAt(), set.actor()),
                    set.reason());
        }
    }

    /**
     * State of the set.
     *
     * @param effect what becomes of what, in a sentence; or null
     * @param problem why the last thing that was done did not come to its end, or null
     * @param progress null where nothing takes long
     */
    record State(
            Badge status,
            String summary,
            @Nullable String effect,
            @Nullable String problem,
            @Nullable TaskProgressBar progress,
            List<Fact> facts) {

        static State of(Access access, ChangeSet set, @Nullable Task task) {
            var summary = set.summary();
            return new State(
                    ChangeWords.badge(set.status()),
                    ChangeWords.summary(set, task),
                    summary == null ? null : ChangeWords.effect(summary),
                    problem(set, task),
                    ChangeWords.isOpen(set, task) && task != null ? TaskProgressBar.of(task) : null,
                    ChangePage.facts(access, set, summary, task));
        }

        private static @Nullable String problem(ChangeSet set, @Nullable Task task) {
            if (ChangeWords.isGivenUp(set, task)) {
                return (task == null
                                ? "Its task is no longer kept and was not done. Cancel the set: what is"
                                : "Its task has ended before it was done. Retry the task to go on, or cancel the set: what is")
                        + " not in effect yet is taken back, and the rest can be undone.";
            }
            return ChangeWords.isPreviewGivenUp(set, task)
                    ? "Its preview has ended before it was done. Preview it again, or cancel the set."
                    : set.problem();
        }
    }

    /**
     * Lines by finding.
     *
     * @param finding that they are filtered by, empty for all
     */
    record Lines(List<Tab> tabs, String finding, Listing list, List<ChangeLineRow> rows) {

        /** Null before the set was previewed. */
        static @Nullable Lines of(ChangeSet set, @Nullable Finding finding, Listing list, List<ChangeLineRow> rows) {
            var summary = set.summary();
            return summary == null
                    ? null
                    : new Lines(
                            ChangePage.tabs(set.id(), summary, finding),
                            finding == null ? "" : finding.name(),
                            list,
                            rows);
        }
    }

    private static List<Fact> facts(
            Access access, ChangeSet set, @Nullable ChangeSetSummary summary, @Nullable Task task) {
        var facts = new ArrayList<Fact>();
        var date = set.effectiveDate();
        facts.add(new Fact(
                "In effect from",
                date != null
                        ? EffectiveDates.text(date) + " on each store's own clock"
                        : ChangeWords.hasDatesOfItsOwn(set)
                                ? "The date of each row, on its store's own clock"
                                : "The moment it is applied",
                null));
        if (summary != null) {
            if (summary.firstInstant() != null && summary.lastInstant() != null) {
                facts.add(new Fact("First store", Moments.utc(summary.firstInstant()), null));
                facts.add(new Fact("Last store", Moments.utc(summary.lastInstant()), null));
            }
            facts.add(new Fact("Time zones", Counts.of(summary.timeZones()), null));
            facts.add(new Fact("Stores that change", Counts.of(summary.stores()), null));
            facts.add(new Fact("Prices looked at", Counts.of(summary.lines()), null));
        }
        if (set.appliedAt() != null) {
            facts.add(new Fact("Applied", Moments.utcSeconds(set.appliedAt()), null));
        }
        set.data()
                .events()
                .forEach(event -> facts.add(new Fact(
                        ChangeWords.done(event.action()),
                        Actors.text(event.actor()) + ", " + Moments.utcSeconds(event.at())
                                + (event.reason() == null ? "" : ": " + event.reason()),
                        null)));
        if (set.undoes() != null) {
            facts.add(new Fact(
                    "Puts back",
                    "what another set changed",
                    ChangeWords.link(set.undoes()).toString()));
        }
        if (set.retries() != null) {
            facts.add(new Fact(
                    "Tries again",
                    "what failed of another set",
                    ChangeWords.link(set.retries()).toString()));
        }
        if (set.undoneBy() != null) {
            facts.add(new Fact(
                    "Put back by",
                    "another set",
                    ChangeWords.link(set.undoneBy()).toString()));
        }
        if (task != null) {
            facts.add(new Fact(
                    "Task",
                    TaskWords.shortId(task),
                    access.isForAll(Permission.TASKS_READ)
                            ? Link.to("tasks", task.id().value()).toString()
                            : null));
        }
        return facts;
    }

    private static List<Tab> tabs(ChangeSetId id, ChangeSetSummary summary, @Nullable Finding asked) {
        return Stream.concat(
                        Stream.of(new Tab(
                                ChangeWords.link(id).toString(), "All", Counts.of(summary.lines()), asked == null)),
                        ORDER.stream()
                                .filter(finding -> summary.count(finding) > 0 || finding == asked)
                                .map(finding -> new Tab(
                                        ChangeWords.link(id)
                                                .with("finding", finding.name())
                                                .toString(),
                                        ChangeWords.badge(finding).label(),
                                        Counts.of(summary.count(finding)),
                                        finding == asked)))
                .toList();
    }

    /**
     * @param note their number, and where all are
     * @param export address of the file that has all
     */
    record FirstPrices(String note, String export, List<ChangeLineRow> rows) {

        /**
         * @param more whether there are more than the rows, or may be
         * @param total how many there are; empty where that is not known
         */
        static FirstPrices of(List<ChangeLineRow> rows, boolean more, OptionalInt total, Link export) {
            var all = total.isEmpty() ? "" : ChangeWords.prices(total.getAsInt()) + " in all. ";
            var where = rows.isEmpty()
                    ? "The CSV has all."
                    : "The first " + Counts.of(rows.size()) + " are listed here; the CSV has all.";
            var note = more ? all + where : ChangeWords.prices(rows.size()) + " in all.";
            return new FirstPrices(note, export.toString(), rows);
        }
    }

    /** @param count number of its lines */
    record Tab(String href, String label, String count, boolean current) {}

    /**
     * @param id of its element, so that the focus stays on it when the page refreshes itself
     * @param asked whether it links to a question; otherwise it is done at once
     * @param token of the preview that it is about, where it is done at once; or null
     */
    record Action(
            String id,
            String href,
            String label,
            boolean asked,
            @Nullable String token,
            boolean primary) {
        static Action of(ChangeAction action, ChangeSet set) {
            return new Action(
                    "action-" + action.path(),
                    Link.to("changes", set.id().value(), action.path()).toString(),
                    action.label(),
                    action.isAsked(set),
                    action.isAsked(set) ? null : set.token(),
                    action == ChangeAction.APPLY || action == ChangeAction.APPROVE);
        }
    }
}
