package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.billing.reports.ReportRun.Action;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes quarter hours and reports what came in: one run per range, which one of the instances makes as a task. To run takes
 * {@link Permission#BILLING_RUN}, also when the task begins, and when it has made the reports and commits them; to read takes {@link Permission#BILLING_READ}. Whoever has that for
 * some agencies finds in each run what those have there, for a read unit more for each run and each of them. Thread-safe.
 */
public final class ReportRuns {
    /** The type of tasks that make reports; their payload has the {@code run} and the {@code version}. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "billing");

    private static final Logger log = LoggerFactory.getLogger(ReportRuns.class);

    /** Pause before another task takes the place of one that is over: what made it fail may last, and should not fill the list. */
    private static final Duration BETWEEN_TASKS = Duration.ofMinutes(1);

    private final DynamoRuns runs;
    private final VisibleRuns visible;
    private final RunTasks tasks;
    private final ReportSchedule schedule;
    private final LookBack lookBack;
    private final Clock clock;

    ReportRuns(
            DynamoRuns runs,
            VisibleRuns visible,
            RunTasks tasks,
            ReportSchedule schedule,
            LookBack lookBack,
            Clock clock) {
        this.runs = runs;
        this.visible = visible;
        this.tasks = tasks;
        this.schedule = schedule;
        this.lookBack = lookBack;
        this.clock = clock;
    }

    /** The checkpoint that reports have reached. One read unit, and one write unit the first time ever. */
    public Checkpoint checkpoint(Access access) {
        access.require(Permission.BILLING_READ);
        return schedule.checkpoint();
    }

    /**
     * Time for which a run has been due that is not committed: zero or less while all is well. Worth an alarm when it is more
     * than a run takes.
     */
    public Duration overdue() {
        return schedule.overdue();
    }

    /** The instant at which the next run is due, or the open one was: once its interval can be closed, or the month is over. */
    public Instant nextDue() {
        return schedule.nextDue();
    }

    /**
     * Sets how much time a run covers, from the next one on.
     *
     * @throws InvalidInput {@code INVALID_INTERVAL} on {@code interval} unless it is 15 minutes to 24 hours, in quarter
     *     hours
     */
    public Checkpoint setInterval(Access access, Duration interval) {
        access.requireForAll(Permission.BILLING_RUN);
        return schedule.setInterval(interval, access.actor());
    }

    /**
     * Closes now what can be closed, without waiting for the interval; at most 24 hours, up to the end of a month, and
     * {@code menuboard.billing.max-run-lines} transactions.
     */
    public RunResult runNow(Access access) {
        access.requireForAll(Permission.BILLING_RUN);
        return runFrom(access, schedule.checkpoint().upTo());
    }

    /**
     * Does {@link #runNow} once for each place that reports have reached: where a run has begun there, it is the answer. Whoever
     * did not hear the first answer can ask again.
     *
     * @param from the checkpoint that the caller knows, {@link Checkpoint#upTo}
     * @throws InvalidInput {@code INVALID_FROM} on {@code from} where reports are not there, and no run has begun there
     */
    public RunResult runFrom(Access access, Quarter from) {
        return run(access, from, null);
    }

    /**
     * As {@link #runFrom}, of no other range than that.
     *
     * @param range as {@link #next} answered it
     * @throws InvalidInput also {@code INVALID_RUN} on {@code run} where another range would be closed from there by now
     */
    public RunResult run(Access access, RunId range) {
        return run(access, range.from(), range);
    }

    /** @param only null for whatever can be closed */
    private RunResult run(Access access, Quarter from, @Nullable RunId only) {
        access.requireForAll(Permission.BILLING_RUN);
        while (true) {
            var checkpoint = schedule.checkpoint();
            if (!checkpoint.upTo().equals(from)) {
                return runs.beginningAt(from)
                        .<RunResult>map(RunResult.AlreadyStarted::new)
                        .orElseThrow(() -> new InvalidInput(
                                "INVALID_FROM",
                                "from",
                                "must be where reports are, "
                                        + checkpoint.upTo().start() + ", or where a run has begun"));
            }
            if (checkpoint.open() != null) {
                var open = runs.findOpen(checkpoint.open());
                return new RunResult.AlreadyStarted(tasks.submittedFor(access, open, Duration.ZERO));
            }
            var next = schedule.next(from);
            if (next.isEmpty()) {
                return new RunResult.NothingToReport(from);
            }
            if (only != null && !next.get().equals(only)) {
                throw new InvalidInput("INVALID_RUN", "run", "must be what would be closed now, " + next.get());
            }
            if (runs.open(next.get(), clock.instant(), access.actor())) {
                return new RunResult.Started(submitted(access, next.get()));
            }
        }
    }

    private ReportRun submitted(Access access, RunId id) {
        return tasks.submittedFor(access, runs.find(id).orElseThrow(), Duration.ZERO);
    }

    /** The range that {@link #runNow} would close now; empty while a run is open, or where there is nothing to close. One read unit, and of each quarter hour of the range one, and one for each shard. */
    public Optional<RunId> next(Access access) {
        access.requireForAll(Permission.BILLING_RUN);
        var checkpoint = schedule.checkpoint();
        return checkpoint.open() == null ? schedule.next(checkpoint.upTo()) : Optional.empty();
    }

    /** Makes another version of a run, with the commission rules of now, that counts instead of the one before. */
    public RunResult runAgain(Access access, RunId id) {
        return runAgain(access, id, null);
    }

    /**
     * Does {@link #runAgain(Access, RunId)} once for each version: where another one has taken the place of this one, or is on its way
     * to, that is the answer. Whoever did not hear the first answer can ask again; where the version that was begun was given up, one
     * more is begun.
     *
     * @param version to be replaced, which counts as far as the caller knows; null for the one that counts
     * @throws InvalidInput {@code INVALID_VERSION} on {@code version} for one that has never counted
     */
    public RunResult runAgain(Access access, RunId id, @Nullable Integer version) {
        access.requireForAll(Permission.BILLING_RUN);
        var found = runs.find(id);
        if (found.isEmpty()) {
            return new RunResult.NotFound(id);
        }
        var run = found.get();
        var replaced = version == null ? run.effectiveVersion() : version;
        if (version != null && !hasCounted(run, version)) {
            throw new InvalidInput(
                    "INVALID_VERSION",
                    "version",
                    "must be one that counts or has counted: version " + run.effectiveVersion() + " counts");
        }
        var reopened = replaced == run.effectiveVersion()
                && run.allowed().contains(Action.RUN_AGAIN)
                && runs.reopen(run, clock.instant(), access.actor());
        var now = submitted(access, id);
        return reopened ? new RunResult.Started(now) : new RunResult.AlreadyStarted(now);
    }

    /** Tells whether the version counts or has counted: not each before the one that counts has, as some were given up. */
    private boolean hasCounted(ReportRun run, int version) {
        return version >= 1
                && (version == run.effectiveVersion()
                        || (version < run.effectiveVersion()
                                && runs.version(run.id(), version).isPresent()));
    }

    /**
     * Opens a run if it is time for one, sees to it that every run which is being made has a task that may still do it, and
     * settles what is behind. A first version that was asked for by somebody who may not run billing any more is left until its
     * range, or more, is due in any case, and then taken over: what an earlier attempt has written of the range stays right, and
     * nothing waits longer than without it. Each of these is left to other instances where only their version can read what it
     * takes, and keeps none of the others waiting.
     */
    void due() {
        var checkpoint = schedule.checkpoint();
        orLeave(() -> goOn(checkpoint));
        runs.reopened()
                .forEach(again -> orLeave(() -> runs.find(again).ifPresent(run -> {
                    if (!tasks.submitted(run, BETWEEN_TASKS).isOpen()) {
                        runs.made(run);
                    }
                })));
        orLeave(() -> lookBack.settle(checkpoint.upTo()));
    }

    private static void orLeave(Runnable work) {
        try {
            work.run();
        } catch (UnreadableItem e) {
            log.warn("reports are left to instances of another version: {}", e.getMessage());
        }
    }

    private void goOn(Checkpoint checkpoint) {
        var id = checkpoint.open();
        if (id == null) {
            if (schedule.isDue(checkpoint)) {
                runNow(RunTasks.SCHEDULE);
            }
        } else {
            var found = runs.findOpen(id);
            if (!schedule.isDue(checkpoint) && tasks.isRefused(found)) {
                return;
            }
            var open = tasks.submittedFor(RunTasks.SCHEDULE, found, BETWEEN_TASKS);
            if (overdue().compareTo(checkpoint.interval()) > 0) {
                log.warn("billing is overdue: run={} task={} by={}", open.id(), open.task(), overdue());
            }
        }
    }

    /**
     * Number of closed quarter hours, of all agencies and of twice the look-back, whose reports differed from what came in after
     * the last run: none while all is well. One with something late counts until the next run has reported it, and one that no run
     * mends until it is behind twice the look-back. One read unit.
     */
    public int differingQuarterHours(Access access) {
        access.requireForAll(Permission.BILLING_READ);
        return lookBack.differingQuarterHours();
    }

    /**
     * One read unit.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<ReportRun> find(Access access, RunId id) {
        return visible.find(access, id);
    }

    /** Those that there are, as {@link #find}. */
    public List<ReportRun> findAll(Access access, List<RunId> ids) {
        return visible.findAll(access, ids);
    }

    /** Latest range first; half a read unit per 4 KB, which is about eight. */
    public Page<ReportRun> list(Access access, PageRequest page) {
        return visible.list(access, page);
    }

    /** As {@link #list}; results have neither agencies nor totals for who may see some agencies, and cost no more for them. */
    Page<ReportRun> listWithoutTotals(Access access, PageRequest page) {
        return visible.listWithoutTotals(access, page);
    }

    /** The run that a task of {@link #TYPE} makes, as its payload says; empty where it says none. */
    public static Optional<RunId> runOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> fields && fields.get("run") instanceof String run
                ? Optional.of(RunId.parse(run))
                : Optional.empty();
    }
}
