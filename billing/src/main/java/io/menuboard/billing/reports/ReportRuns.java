package io.menuboard.billing.reports;

import io.menuboard.billing.reports.ReportRun.Action;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes quarter hours and reports what came in: one run per range, which one of the instances makes as a task. Thread-safe.
 */
public final class ReportRuns {
    /** The type of tasks that make reports; their payload has the {@code run} and the {@code version}. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "billing");

    private static final Logger log = LoggerFactory.getLogger(ReportRuns.class);

    /** Pause before another task takes the place of one that is over: what made it fail may last, and should not fill the list. */
    private static final Duration BETWEEN_TASKS = Duration.ofMinutes(1);

    private final DynamoRuns runs;
    private final RunTasks tasks;
    private final ReportSchedule schedule;
    private final LookBack lookBack;
    private final Clock clock;

    ReportRuns(DynamoRuns runs, RunTasks tasks, ReportSchedule schedule, LookBack lookBack, Clock clock) {
        this.runs = runs;
        this.tasks = tasks;
        this.schedule = schedule;
        this.lookBack = lookBack;
        this.clock = clock;
    }

    /** The checkpoint that reports have reached. One read unit, and one write unit the first time ever. */
    public Checkpoint checkpoint() {
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
    public Checkpoint setInterval(Duration interval, Actor actor) {
        return schedule.setInterval(interval, actor);
    }

    /** Closes now what can be closed, without waiting for the interval; at most 24 hours, and up to the end of a month. */
    public RunResult runNow(Actor actor) {
        var checkpoint = checkpoint();
        if (checkpoint.open() == null) {
            var next = schedule.next(checkpoint.upTo());
            if (next.isEmpty()) {
                return new RunResult.NothingToReport(checkpoint.upTo());
            }
            var id = next.get();
            if (runs.open(id, clock.instant(), actor)) {
                return new RunResult.Started(tasks.submitted(runs.find(id).orElseThrow(), Duration.ZERO));
            }
        }
        var open = checkpoint().open();
        return open == null
                ? new RunResult.NothingToReport(checkpoint().upTo())
                : new RunResult.Running(tasks.submitted(runs.find(open).orElseThrow(), Duration.ZERO));
    }

    /** The range that {@link #runNow} would close now; empty while a run is open, or where there is nothing to close. One read unit. */
    public Optional<RunId> next() {
        var checkpoint = checkpoint();
        return checkpoint.open() == null ? schedule.next(checkpoint.upTo()) : Optional.empty();
    }

    /** Makes another version of a run, with the commission rules of now, that counts instead of the one before. */
    public RunResult runAgain(RunId id, Actor actor) {
        var run = runs.find(id);
        if (run.isEmpty()) {
            return new RunResult.NotFound(id);
        }
        var reopened = run.get().allowed().contains(Action.RUN_AGAIN) && runs.reopen(run.get(), clock.instant(), actor);
        var now = tasks.submitted(runs.find(id).orElseThrow(), Duration.ZERO);
        return reopened ? new RunResult.Started(now) : new RunResult.Running(now);
    }

    /**
     * Opens a run if it is time for one, sees to it that every run which is being made has a task that may still do it, and
     * settles what is behind. Each of these is left to other instances where only their version can read what it takes, and
     * keeps none of the others waiting.
     */
    void due() {
        var checkpoint = checkpoint();
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
            var open = tasks.submitted(runs.find(id).orElseThrow(), BETWEEN_TASKS);
            if (overdue().compareTo(checkpoint.interval()) > 0) {
                log.warn("billing is overdue: run={} task={} by={}", open.id(), open.task(), overdue());
            }
        }
    }

    /**
     * Number of closed quarter hours, of twice the look-back, whose reports differed from what came in after the last run: none while all is well, and none for longer than until the next run. One read unit.
     */
    public int differingQuarterHours() {
        return lookBack.differingQuarterHours();
    }

    /**
     * One read unit.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<ReportRun> find(RunId id) {
        return runs.find(id);
    }

    /** Latest range first; half a read unit per 4 KB, which is about eight. */
    public Page<ReportRun> list(PageRequest page) {
        return runs.list(page);
    }

    /** The run that a task of {@link #TYPE} makes, as its payload says; empty where it says none. */
    public static Optional<RunId> runOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> fields && fields.get("run") instanceof String run
                ? Optional.of(RunId.parse(run))
                : Optional.empty();
    }
}
