package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.changes.ChangeSet.Applying;
import io.menuboard.pricing.changes.ChangeSet.Draft;
import io.menuboard.pricing.changes.ChangeSet.Previewed;
import io.menuboard.pricing.changes.ChangeSet.Scheduled;
import io.menuboard.pricing.changes.ChangeSet.Transition;
import io.menuboard.pricing.changes.ChangeSet.Unapplied;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.querydb.Consistency;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Clock;
import java.time.Instant;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of change sets that do not fit one transaction, each with a number of its own. A run belongs to the one task that
 * began it: the worker that takes up that task goes on where it stopped, and no other does. Only one run has a set at a time.
 *
 * <p>A worker asks once what whoever asked for the run may do by then. Nothing is begun without the permission for all stores of
 * the set. Where some of it was written before, what is left for other stores is refused, line by line; only what has begun
 * to be taken back is taken back, and written at its new time, whoever asked for that, because half of that would lose prices.
 * Thread-safe.
 */
final class ChangeSetRuns {
    private static final Logger log = LoggerFactory.getLogger(ChangeSetRuns.class);
    private static final int CONCURRENCY = 2;

    /** The reason, for people, why a run has ended that its principal may not do any more. */
    static final String NOT_PERMITTED =
            "whoever asked for this may not do it for all of its stores any more (PERMISSION_DENIED)";

    private final AccessibleSets accessible;
    private final DynamoChangeSets sets;
    private final ChangeSetPreviews previews;
    private final ChunkRunner chunks;
    private final ChunkWriter writer;
    private final Clock clock;

    ChangeSetRuns(
            AccessibleSets accessible,
            ChangeSetPreviews previews,
            ChunkRunner chunks,
            ChunkWriter writer,
            Clock clock) {
        this.accessible = accessible;
        this.sets = accessible.stored();
        this.previews = previews;
        this.chunks = chunks;
        this.writer = writer;
        this.clock = clock;
    }

    TaskWork work() {
        return new TaskWork(ChangeSets.TYPE, CONCURRENCY, task -> {
            run(accessible.now(task.task().submittedBy()), ChangeSetCommand.of(task.task()), task);
            return null;
        });
    }

    /**
     * Does the run, or goes on with it.
     *
     * @param access that whoever asked for it has now
     */
    void run(Access access, ChangeSetCommand command, TaskRun task) throws TaskFailed, InterruptedException {
        var found = sets.find(command.set(), Consistency.STRONG)
                .orElseThrow(() -> new TaskFailed("there is no change set " + command.set(), false));
        switch (command.action()) {
            case PREVIEW -> preview(access, found, command, task);
            case APPLY -> apply(access, found, command, task);
            case CANCEL -> cancel(access, found, command, task);
            case RESCHEDULE -> reschedule(access, found, command, task);
            case FINISH -> {}
        }
    }

    /** Begins the run, or finds that this task has begun it; empty where anything else has been begun. */
    Optional<ChangeSet> begin(Actor actor, ChangeSet found, ChangeSetCommand command, TaskId task) {
        if (isBegun(found, command, task)) {
            return Optional.of(found);
        }
        return beginning(actor, found, command, task)
                .<ChangeSet>flatMap(sets::save)
                // Who asked for the run, and who does it, both begin it.
                .or(() -> sets.find(command.set(), Consistency.STRONG).filter(now -> isBegun(now, command, task)));
    }

    private static boolean isBegun(ChangeSet set, ChangeSetCommand command, TaskId task) {
        return set.run() == command.run() && task.equals(set.task());
    }

    /** The transition with which the run begins; empty where it cannot from that state. */
    private Optional<Transition<? extends ChangeSet>> beginning(
            Actor actor, ChangeSet found, ChangeSetCommand command, TaskId task) {
        if (found.run() != command.run() - 1) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                switch (command.action()) {
                    case PREVIEW -> found instanceof Unapplied draft ? draft.previewing(command.run(), task) : null;
                    case APPLY ->
                        found instanceof Previewed previewed
                                ? previewed.applying(event(ChangeSetAction.APPLY, actor), command.run(), task)
                                : null;
                    case CANCEL -> takingBack(event(ChangeSetAction.CANCEL, actor), found, command, task);
                    case RESCHEDULE -> takingBack(event(ChangeSetAction.RESCHEDULE, actor), found, command, task);
                    case FINISH -> null;
                });
    }

    private static @Nullable Transition<? extends ChangeSet> takingBack(
            Event by, ChangeSet found, ChangeSetCommand command, TaskId task) {
        return switch (found) {
            case Scheduled scheduled -> scheduled.takingBack(by, command.run(), task);
            case Applying applying -> applying.takingBack(by, command.run(), task);
            default -> null;
        };
    }

    private Event event(ChangeSetAction action, Actor actor) {
        return Event.of(action, clock.instant(), actor);
    }

    private Optional<Applying> applying(ChangeSet found, ChangeSetCommand command, TaskRun task) {
        return begin(task.task().submittedBy(), found, command, task.task().id())
                .filter(Applying.class::isInstance)
                .map(Applying.class::cast);
    }

    private void end(Transition<? extends ChangeSet> end) {
        sets.save(end);
        var set = end.to();
        log.info(
                "change set ended a run: changeSet={} run={} status={} failed={}",
                set.id(),
                set.run(),
                set.status(),
                set.data().unwritten());
    }

    private static String moved(int lines) {
        return lines == 1
                ? "a price is not what it was when it was previewed"
                : lines + " prices are not what they were when they were previewed";
    }

    private void preview(Access access, ChangeSet found, ChangeSetCommand command, TaskRun task)
            throws TaskFailed, InterruptedException {
        var begun = begin(task.task().submittedBy(), found, command, task.task().id());
        if (begun.isEmpty() || !(begun.get() instanceof Draft draft)) {
            return;
        }
        if (!access.may(Permission.PRICES_DRAFT)) {
            sets.save(draft.previewFailed(NOT_PERMITTED));
            throw notPermitted();
        }
        try {
            var preview = previews.preview(
                    accessible.toPreview(access, draft),
                    draft,
                    Long.MAX_VALUE,
                    done -> task.progress(new TaskProgress(done, null, "lines previewed")));
            sets.save(draft.previewed(command.run(), preview));
        } catch (InvalidInput e) {
            var problem = String.valueOf(e.getMessage());
            sets.save(draft.previewFailed(problem));
            throw new TaskFailed(problem, false);
        }
    }

    private static TaskFailed notPermitted() {
        return new TaskFailed(NOT_PERMITTED, false);
    }

    private void apply(Access access, ChangeSet found, ChangeSetCommand command, TaskRun task)
            throws TaskFailed, InterruptedException {
        if (found.run() < command.run() && !Objects.equals(command.token(), found.token())) {
            return;
        }
        var begun = applying(found, command, task);
        if (begun.isEmpty()) {
            return;
        }
        var set = begun.get();
        var isPermitted = accessible.isPermitted(access, Permission.PRICES_APPLY, set);
        if (!set.isChecked()) {
            if (!isPermitted) {
                sets.save(set.outdated(NOT_PERMITTED));
                throw notPermitted();
            }
            var unchecked = set;
            var moved = chunks.each(set, task, chunk -> writer.countMoved(unchecked, chunk));
            if (moved > 0) {
                sets.save(set.outdated(moved(moved)));
                return;
            }
            var checked = sets.save(set.checked());
            if (checked.isEmpty()) {
                return;
            }
            set = checked.get();
        }
        if (isPermitted) {
            write(set, task, writer.writing(set), null);
        } else {
            var writing = writer.writing(
                    set, store -> access.may(Permission.PRICES_APPLY, Kind.STORES, store.value()), NOT_PERMITTED);
            write(set, task, writing, NOT_PERMITTED);
            throw notPermitted();
        }
    }

    /**
     * Writes every chunk that this run has not written, and then says so.
     *
     * @param problem what is known by now not to have been done; or null
     */
    private void write(Applying set, TaskRun task, ChunkWriter.Writing writing, @Nullable String problem)
            throws InterruptedException {
        var failed = chunks.each(set, task, writing::write);
        writing.release();
        var summary = Objects.requireNonNull(set.summary());
        var waits = summary.lastInstant() != null;
        if (failed < summary.written()) {
            sets.markUndone(set, task.task().submittedBy());
            end(
                    waits
                            ? set.scheduled(failed, problem)
                            : set.ended(
                                    failed == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED,
                                    failed,
                                    clock.instant(),
                                    problem));
        } else if (waits) {
            end(set.ended(ChangeSetStatus.FAILED, failed, clock.instant(), problem));
        } else {
            sets.save(set.outdated(problem == null ? moved(failed) : problem));
        }
    }

    private void cancel(Access access, ChangeSet found, ChangeSetCommand command, TaskRun task)
            throws TaskFailed, InterruptedException {
        var begun = applying(found, command, task);
        if (begun.isEmpty()) {
            return;
        }
        var set = begun.get();
        refuseToTakeBack(accessible.isPermitted(access, Permission.PRICES_APPLY, set), set);
        var left = takeBack(set, task);
        if (left == 0) {
            end(set.cancelled(ChangeSetStatus.CANCELLED, set.data().unwritten(), 0, null));
        } else {
            var missing = Objects.requireNonNull(set.summary()).written() - left;
            var status =
                    missing + set.data().overtaken() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
            var failed = missing == 0 ? 0 : countFailed(set);
            sets.markUndone(set, task.task().submittedBy());
            end(set.cancelled(status, failed, missing - failed, clock.instant()));
        }
    }

    /** Number of lines of the set that could not be written, whatever else was taken back. */
    private int countFailed(ChangeSet set) {
        try (var all = accessible.lines().chunks(set)) {
            return all.mapToInt(chunk -> chunk.failures().size()).sum();
        }
    }

    /**
     * Stops a run that may not take the set back, and has not begun to. A set that was written waits for its time again; of
     * another one the task is given up.
     */
    private void refuseToTakeBack(boolean isPermitted, Applying set) throws TaskFailed {
        if (isPermitted) {
            return;
        }
        try (var all = accessible.lines().chunks(set)) {
            var chunks = all.map(Written::of).toList();
            if (chunks.stream().anyMatch(chunk -> chunk.run == set.run())) {
                return;
            }
            var waits = Objects.requireNonNull(set.summary()).lastInstant() != null;
            if (waits && chunks.stream().allMatch(Written::isDone)) {
                var unwritten = chunks.stream().mapToInt(Written::failures).sum();
                sets.save(set.scheduled(unwritten, NOT_PERMITTED));
            }
        }
        throw notPermitted();
    }

    /** The work of the last run on a chunk. */
    private record Written(int run, boolean isDone, int failures) {
        static Written of(ChangeChunk chunk) {
            var isDone = chunk.state() == ChangeChunk.State.APPLIED
                    || (chunk.state() == ChangeChunk.State.WRITTEN
                            && !chunk.kind().isPacked());
            return new Written(chunk.run(), isDone, chunk.failures().size());
        }
    }

    /** Takes chunks back; the number of lines whose time had come. */
    private int takeBack(ChangeSet set, TaskRun task) throws InterruptedException {
        return chunks.each(set, task, chunk -> writer.takeBack(set.id(), chunk, set.run()));
    }

    private void reschedule(Access access, ChangeSet found, ChangeSetCommand command, TaskRun task)
            throws TaskFailed, InterruptedException {
        var date = Objects.requireNonNull(command.date());
        var moved = isMoved(found, command, task) ? Optional.of((Applying) found) : move(access, found, command, task);
        if (moved.isEmpty()) {
            return;
        }
        var late = countLate(moved.get(), date);
        write(
                moved.get(),
                task,
                writer.writing(moved.get()),
                late == 0
                        ? null
                        : (late == 1 ? "the time of a price" : "the time of " + late + " prices")
                                + " had come before it could be moved");
    }

    /** True where this task has taken the set back, and is to write it at its new time. */
    private static boolean isMoved(ChangeSet found, ChangeSetCommand command, TaskRun task) {
        return found instanceof Applying
                && found.run() == command.run() + 1
                && task.task().id().equals(found.task());
    }

    private Optional<Applying> move(Access access, ChangeSet found, ChangeSetCommand command, TaskRun task)
            throws TaskFailed, InterruptedException {
        var begun = applying(found, command, task);
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        var set = begun.get();
        refuseToTakeBack(accessible.mayMove(access, set), set);
        var date = Objects.requireNonNull(command.date());
        var failed = set.data().unwritten();
        if (isTooLate(set, date)) {
            end(set.scheduled(failed, "the new time had come before the set could be moved; it stays at its time"));
            return Optional.empty();
        }
        var written = Objects.requireNonNull(set.summary()).written() - failed;
        if (takeBack(set, task) == written) {
            var status = set.failed() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED;
            end(set.ended(status, failed, clock.instant(), "its time had come before it could be moved"));
            return Optional.empty();
        }
        var by = event(ChangeSetAction.RESCHEDULE, task.task().submittedBy());
        return sets.save(set.moved(by, date, at(set, date)));
    }

    private boolean isTooLate(ChangeSet set, EffectiveDate date) {
        try (var all = accessible.lines().chunks(set)) {
            return writer.isTooLate(all, date, set.run());
        }
    }

    /** Number of lines that are in effect as they were before the set was moved. */
    private int countLate(ChangeSet set, EffectiveDate date) {
        try (var all = accessible.lines().chunks(set)) {
            return all.mapToInt(chunk -> writer.countLate(chunk, date)).sum();
        }
    }

    /** The set's summary for that date, which some stores reach first and others last; what was not taken back counts as it did. */
    private ChangeSetSummary at(ChangeSet set, EffectiveDate date) {
        try (var all = accessible.lines().chunks(set)) {
            var first = Instant.MAX;
            var last = Instant.MIN;
            for (Iterator<ChangeChunk> each = all.iterator(); each.hasNext(); ) {
                var at = writer.movedTo(each.next(), date);
                first = at.isBefore(first) ? at : first;
                last = at.isAfter(last) ? at : last;
            }
            return Objects.requireNonNull(set.summary()).at(first, last);
        }
    }
}
