package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.changes.ChangeSetData.Preview;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change set: prices that a person changes as one thing, in the state that it was in when it was read. States decide
 * what may be done and give the state that it leads to; {@link DynamoChangeSets} saves such a {@link Transition}.
 */
public sealed interface ChangeSet {

    ChangeSetData data();

    ChangeSetStatus status();

    /** The set as people see it at that instant: a scheduled change counts as in effect from its instant on, even if it was not applied yet. */
    default ChangeSet asOf(Instant now) {
        return this;
    }

    /** Actions that the set allows at that instant. */
    default Set<ChangeSetAction> allowed(Instant now) {
        return Stream.of(ChangeSetAction.values())
                .filter(action -> refusal(action, now).isEmpty())
                .collect(toUnmodifiableSet());
    }

    /** The rule, for people, that forbids the action at that instant; empty where it is allowed. */
    Optional<String> refusal(ChangeSetAction action, Instant now);

    default ChangeSetId id() {
        return data().id();
    }

    /** Name, for people. */
    default String name() {
        return data().name();
    }

    /** Why prices are changed, for people. */
    default String reason() {
        return data().attribution().reason();
    }

    /** The actor who drafted it. */
    default Actor actor() {
        return data().attribution().actor();
    }

    /** From when on each store's own clock; null for at once. */
    default @Nullable EffectiveDate effectiveDate() {
        return data().effectiveDate();
    }

    /** Summary of the last preview; null while none is finished. */
    default @Nullable ChangeSetSummary summary() {
        var preview = data().preview();
        return preview == null ? null : preview.summary();
    }

    /** Shows which preview is applied, or was; null while there is none to apply. */
    default @Nullable String token() {
        var preview = data().preview();
        return preview == null || !preview.isCurrent() ? null : preview.id();
    }

    /** What a second person was asked about the preview to apply, or the applied one, and has said; null where nobody was. */
    default @Nullable Approval approval() {
        var preview = data().preview();
        return preview == null || !preview.isCurrent() ? null : preview.approval();
    }

    /** The task that does what is being done with it, while it takes long; or null. */
    default @Nullable TaskId task() {
        return null;
    }

    /** Lines that could not be written, or that a later set has taken the place of. */
    default int failed() {
        return data().unwritten() + data().overtaken();
    }

    /** Since when every line that could be is in effect; or null. */
    default @Nullable Instant appliedAt() {
        return null;
    }

    /** The set that this one puts back; or null. */
    default @Nullable ChangeSetId undoes() {
        return data().origin().undoes();
    }

    /** The set that has put this one back; or null. */
    default @Nullable ChangeSetId undoneBy() {
        return data().undoneBy();
    }

    /** The set whose failed lines this one has; or null. */
    default @Nullable ChangeSetId retries() {
        return data().origin().retries();
    }

    /** The import that drafted it; or null. */
    default @Nullable ImportId imported() {
        return data().origin().imported();
    }

    /** Why the last thing that was done with it did not come to its end; or null. */
    default @Nullable String problem() {
        return data().problem();
    }

    default Instant createdAt() {
        return id().createdAt();
    }

    /** Number of the last thing that was begun with it. */
    default int run() {
        return data().run();
    }

    /**
     * One step of a set's life, to be saved if the set is still in the state that it leaves.
     *
     * @param from as it was read
     * @param by what somebody does with it, which makes that step; null where a task or nobody does
     */
    record Transition<T extends ChangeSet>(
            ChangeSet from, T to, @Nullable Event by) {
        Transition(ChangeSet from, T to) {
            this(from, to, null);
        }
    }

    /** A set that changes nothing, and that may still be previewed, applied or cancelled. */
    sealed interface Unapplied extends ChangeSet permits Draft, Previewed {
        @Override
        default ChangeSetStatus status() {
            return ChangeSetStatus.DRAFT;
        }

        /** Has that task preview it. */
        default Transition<Draft> previewing(int run, TaskId task) {
            return new Transition<>(this, new Draft(data().inRun(run).outdated().problem(null), task));
        }

        /** Has the finished preview of that run. */
        default Transition<Previewed> previewed(int run, Preview preview) {
            return new Transition<>(
                    this, new Previewed(data().inRun(run).with(preview).problem(null)));
        }

        default Transition<Ended> cancelled(Event by) {
            var after = data().inRun(run() + 1).outdated().problem(null).did(by);
            return new Transition<>(this, new Ended(after, ChangeSetStatus.CANCELLED, null, true), by);
        }
    }

    /**
     * A set that has no preview to apply: none yet, or prices have changed since.
     *
     * @param task previews it; or null
     */
    record Draft(ChangeSetData data, @Nullable TaskId task) implements Unapplied {

        /** A new one, of which nothing is known yet. */
        static Draft of(
                Attribution attribution, String name, @Nullable EffectiveDate date, ChangeSetData.Origin origin) {
            return new Draft(ChangeSetData.fresh(attribution, name, date, origin), null);
        }

        Draft withId(ChangeSetId id) {
            return of(new Attribution(id, actor(), reason()), name(), effectiveDate(), data.origin());
        }

        Transition<Draft> previewFailed(String problem) {
            return new Transition<>(this, new Draft(data.problem(problem), null));
        }

        @Override
        public Optional<String> refusal(ChangeSetAction action, Instant now) {
            return action == ChangeSetAction.APPLY
                    ? Optional.of("changeSet must be previewed before it is applied")
                    : action.refusalOfDraft(this);
        }
    }

    /** A draft with a preview that may be applied. */
    record Previewed(ChangeSetData data) implements Unapplied {

        @Override
        public ChangeSetSummary summary() {
            return Objects.requireNonNull(data.preview()).summary();
        }

        @Override
        public String token() {
            return Objects.requireNonNull(data.preview()).id();
        }

        /** A second person is asked, or has decided. */
        Transition<Previewed> with(Approval approval, Event by) {
            var preview = Objects.requireNonNull(data.preview()).with(approval);
            return new Transition<>(this, new Previewed(data.with(preview).did(by)), by);
        }

        /** Needs another preview, because prices have changed since. */
        Transition<Draft> outdated(String problem) {
            return new Transition<>(this, new Draft(data.outdated().problem(problem), null));
        }

        /** Everything is written, by nobody but the transition. */
        Transition<? extends ChangeSet> applied(Event by, Instant at, int overtaken) {
            return new Transition<>(
                    this, new Ended(data.done(by, 0, overtaken), ChangeSetStatus.APPLIED, at, false), by);
        }

        /** Everything is written, and waits for its time. */
        Transition<? extends ChangeSet> scheduled(Event by, int overtaken) {
            return new Transition<>(this, new Scheduled(data.done(by, 0, overtaken), false), by);
        }

        Transition<Applying> applying(Event by, int run, TaskId task) {
            return begun(this, by, run, task);
        }

        @Override
        public Optional<String> refusal(ChangeSetAction action, Instant now) {
            if (action == ChangeSetAction.APPLY) {
                return summary().written() == 0
                        ? Optional.of("changeSet must have a line that changes a price")
                        : Optional.empty();
            }
            return action.refusalOfDraft(this);
        }
    }

    /**
     * A set that is written, and waits for its time.
     *
     * @param hasStarted whether that has come for some of its stores, as people see it
     */
    record Scheduled(ChangeSetData data, boolean hasStarted) implements ChangeSet {

        @Override
        public ChangeSetStatus status() {
            return hasStarted ? ChangeSetStatus.APPLYING : ChangeSetStatus.SCHEDULED;
        }

        @Override
        public ChangeSet asOf(Instant now) {
            var summary = summary();
            var first = summary == null ? null : summary.firstInstant();
            var last = summary == null ? null : summary.lastInstant();
            if (first == null || last == null || now.isBefore(first)) {
                return this;
            }
            if (now.isBefore(last)) {
                return new Scheduled(data, true);
            }
            var status = failed() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
            return new Ended(data, status, last, false);
        }

        /** Is taken back, but for lines in effect since then; null where there are none. Applied, where these are all. */
        Transition<Ended> cancelled(Event by, int takenBack, int overtaken, @Nullable Instant at) {
            var after = data.done(by, data.unwritten(), overtaken).takenBack(takenBack);
            var applied = after.missing().count() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
            var status = at == null ? ChangeSetStatus.CANCELLED : applied;
            return new Transition<>(this, new Ended(after, status, at, true), by);
        }

        Transition<Applying> takingBack(Event by, int run, TaskId task) {
            return begun(this, by, run, task);
        }

        @Override
        public Optional<String> refusal(ChangeSetAction action, Instant now) {
            return asOf(now) instanceof Scheduled scheduled
                    ? action.refusalOfScheduled(scheduled)
                    : asOf(now).refusal(action, now);
        }
    }

    /**
     * A set of which a task writes lines, or takes them back.
     *
     * @param task null where another version has written none
     * @param isChecked whether the run has found that prices are as the preview saw them
     */
    record Applying(ChangeSetData data, @Nullable TaskId task, boolean isChecked) implements ChangeSet {

        @Override
        public ChangeSetStatus status() {
            return ChangeSetStatus.APPLYING;
        }

        /** Is taken back, after its task was given up. */
        Transition<Applying> takingBack(Event by, int run, TaskId next) {
            return begun(this, by, run, next);
        }

        Transition<Applying> checked() {
            return new Transition<>(this, new Applying(data, task, true));
        }

        /** Goes on at another time, in the next run. */
        Transition<Applying> moved(Event by, EffectiveDate date, ChangeSetSummary summary) {
            var preview = Objects.requireNonNull(data.preview()).at(summary);
            var after = data.inRun(data.run() + 1).at(date).with(preview);
            return new Transition<>(this, new Applying(after, task, isChecked), by);
        }

        Transition<Scheduled> scheduled(int unwritten, @Nullable String problem) {
            return new Transition<>(
                    this, new Scheduled(data.failed(unwritten, data.overtaken()).problem(problem), false));
        }

        /** @param at since when what is written is in effect; null where nothing is */
        Transition<Ended> ended(ChangeSetStatus status, int unwritten, @Nullable Instant at, @Nullable String problem) {
            var after = data.failed(unwritten, data.overtaken()).problem(problem);
            return new Transition<>(this, new Ended(after, status, at, false));
        }

        /** Is taken back, as far as that could be. */
        Transition<Ended> cancelled(ChangeSetStatus status, int unwritten, int takenBack, @Nullable Instant at) {
            var after = data.failed(unwritten, data.overtaken())
                    .takenBack(takenBack)
                    .problem(null);
            return new Transition<>(this, new Ended(after, status, at, true));
        }

        /** Needs another preview, because prices have changed since. */
        Transition<Draft> outdated(String problem) {
            return new Transition<>(this, new Draft(data.outdated().problem(problem), null));
        }

        @Override
        public Optional<String> refusal(ChangeSetAction action, Instant now) {
            return switch (action) {
                case PREVIEW, APPLY, REQUEST_APPROVAL, APPROVE, REJECT -> ChangeSetAction.mustBeDraft(this);
                case CANCEL, RESCHEDULE -> ChangeSetAction.beforeItsTime(this);
                case RETRY -> ChangeSetAction.mustHaveFailed(this);
                case UNDO -> ChangeSetAction.mustBeApplied(this);
            };
        }
    }

    /**
     * A set with which nothing more happens by itself.
     *
     * @param appliedAt since when what is written is in effect; null where nothing is, or it is not known
     * @param byCancel whether a cancel ended it, which may have left lines in effect whose time had come
     */
    record Ended(
            ChangeSetData data,
            ChangeSetStatus status,
            @Nullable Instant appliedAt,
            boolean byCancel) implements ChangeSet {

        @Override
        public Optional<String> refusal(ChangeSetAction action, Instant now) {
            return switch (action) {
                case PREVIEW, APPLY, REQUEST_APPROVAL, APPROVE, REJECT -> ChangeSetAction.mustBeDraft(this);
                case CANCEL, RESCHEDULE -> ChangeSetAction.beforeItsTime(this);
                case RETRY ->
                    data.unwritten() > 0
                                    && (status == ChangeSetStatus.PARTLY_APPLIED || status == ChangeSetStatus.FAILED)
                            ? Optional.empty()
                            : ChangeSetAction.mustHaveFailed(this);
                case UNDO ->
                    status == ChangeSetStatus.APPLIED || status == ChangeSetStatus.PARTLY_APPLIED
                            ? Optional.empty()
                            : ChangeSetAction.mustBeApplied(this);
            };
        }
    }

    private static Transition<Applying> begun(ChangeSet from, Event by, int run, TaskId task) {
        var after = from.data().inRun(run).problem(null).did(by);
        return new Transition<>(from, new Applying(after, task, false), by);
    }
}
