package io.menuboard.billing.reports;

import io.menuboard.access.CurrentAccess;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the tasks that make reports, where who asked for them still may, at the beginning and at the end. Thread-safe. */
final class RunWork {
    private static final Logger log = LoggerFactory.getLogger(RunWork.class);
    private static final int RUNS_AT_ONCE = 1;

    private final DynamoRuns runs;
    private final RunMaker maker;
    private final CurrentAccess current;

    RunWork(DynamoRuns runs, RunMaker maker, CurrentAccess current) {
        this.runs = runs;
        this.maker = maker;
        this.current = current;
    }

    TaskWork work() {
        return new TaskWork(ReportRuns.TYPE, RUNS_AT_ONCE, this::handle);
    }

    private Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        if (!(task.payload().tree() instanceof Map<?, ?> payload)
                || !(payload.get("run") instanceof String id)
                || !(payload.get("version") instanceof Number version)) {
            throw TaskFailed.ofAnotherVersion("a payload without a run and a version");
        }
        make(UnreadableItem.read("run " + id, () -> RunId.parse(id)), version.intValue(), task);
        return Json.of(Map.of("run", id, "version", version.intValue()));
    }

    private void make(RunId id, int version, TaskRun task) throws TaskFailed, InterruptedException {
        var run = find(id);
        if (!run.isMaking(version)) {
            return;
        }
        requireAllowed(run);
        var result = maker.make(run, task::progress);
        // That took its time: roles may be others by now, and so may be who answers for the run.
        var made = find(id);
        if (!made.isMaking(version)) {
            return;
        }
        requireAllowed(made);
        if (runs.commit(made, result)) {
            log.info("report run committed: run={} version={} lines={}", id, version, result.lines());
        }
    }

    private ReportRun find(RunId id) throws TaskFailed {
        return runs.find(id).orElseThrow(() -> new TaskFailed("there is no run " + id, false));
    }

    private void requireAllowed(ReportRun run) throws TaskFailed {
        if (run.isRefused(current)) {
            throw refused(run);
        }
    }

    /**
     * The range of a first version stays open, because something of it may be written, and whoever may goes on with it; of a later
     * version nothing counts, so that it is given up.
     */
    private TaskFailed refused(ReportRun run) {
        var reason = run.startedBy().name() + ", who asked for it, may not run billing any more";
        return new TaskFailed(reason, !run.isFirstVersion() && !runs.giveUp(run, reason));
    }
}
