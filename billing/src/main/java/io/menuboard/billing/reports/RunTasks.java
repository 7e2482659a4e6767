package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that each run which is being made has a task that makes it. Thread-safe. */
final class RunTasks {
    private static final Access SYSTEM = Access.ofSystem("billing schedule", Actor.Source.SCHEDULER);
    static final Actor SCHEDULE = SYSTEM.actor();

    private static final Logger log = LoggerFactory.getLogger(RunTasks.class);

    private final DynamoRuns runs;
    private final TaskSubmission submission;
    private final TaskReads tasks;
    private final Clock clock;

    RunTasks(DynamoRuns runs, TaskSubmission submission, TaskReads tasks, Clock clock) {
        this.runs = runs;
        this.submission = submission;
        this.tasks = tasks;
        this.clock = clock;
    }

    /**
     * The run with its task, which is submitted unless it was; and anew where it is over and the run is not: dead,
     * cancelled, completed by somebody else, or gone. Everybody who sees that asks for the same task, and two tasks of one
     * run would do no harm, because its ledger is stored once.
     *
     * @param pause for how long a task must have been over
     */
    ReportRun submitted(ReportRun run, Duration pause) {
        var before = run.task();
        if (!run.isOpen() || (before != null && !isOver(before, pause))) {
            return run;
        }
        var payload = Json.of(Map.of("run", run.id().toString(), "version", run.latestVersion()));
        var key = "billing " + run.id() + " " + (before == null ? "v" + run.latestVersion() : before);
        var submitted = submission.submit(
                SYSTEM, SubmitTask.operation(ReportRuns.TYPE, payload).sharedKey(key));
        var task =
                switch (submitted) {
                    case SubmitResult.Created(var created, var _) -> created;
                    case SubmitResult.Replayed(var earlier, var _) -> earlier;
                    case SubmitResult.Conflict conflict -> throw new IllegalStateException(conflict.toString());
                    case SubmitResult.Invalid(var refusal) -> throw refusal;
                };
        if (before != null) {
            log.warn("a report run has another task: run={} task={} before={}", run.id(), task.id(), before);
        }
        runs.setTask(run, task.id());
        return runs.find(run.id()).orElseThrow();
    }

    private boolean isOver(TaskId id, Duration pause) {
        try {
            return tasks.find(SYSTEM, id)
                    .map(task -> task.status().isFinished()
                            && !task.changedAt().plus(pause).isAfter(clock.instant()))
                    .orElse(true);
        } catch (UnreadableItem _) {
            return false; // the version that wrote it decides
        }
    }
}
