package io.menuboard.billing.reports;

import io.menuboard.billing.reports.DynamoRuns.Settled;
import io.menuboard.billing.reports.ReportBuilder.Named;
import io.menuboard.billing.reports.ReportBuilder.Reports;
import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskFailed;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskRun;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TaskWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes quarter hours and reports what came in: one run per range, which one of the instances makes as a task. Whoever
 * takes up a run makes the same files, because its ledger is stored once and the rest follows from it (ADR 15).
 * Thread-safe.
 */
public final class ReportRuns {
    /** The type of tasks that make reports; their payload has the {@code run} and the {@code version}. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "billing");

    private static final Logger log = LoggerFactory.getLogger(ReportRuns.class);
    private static final Actor SCHEDULE = new Actor(Actor.Kind.SYSTEM, "billing schedule", Actor.Source.SCHEDULER);
    private static final int RUNS_AT_ONCE = 1;
    private static final int UPLOADS_AT_ONCE = 8;
    private static final int LINES_BETWEEN_WORDS = 1000;

    /** How many may have begun before a quarter hour was sealed, and one more. */
    private static final int RUNS_TO_MEND = 3;

    /** Before another task takes the place of one that is over: what made it fail may last, and should not fill the list. */
    private static final Duration BETWEEN_TASKS = Duration.ofMinutes(1);

    private final DynamoRuns runs;
    private final DynamoQuarters quarters;
    private final LedgerLines lines;
    private final ReportFiles files;
    private final TaskSubmission submission;
    private final TaskReads tasks;
    private final Clock clock;
    private final ReportsConfig config;

    /** @param clock one that instances agree on, as far as they can */
    ReportRuns(
            DynamoRuns runs,
            DynamoQuarters quarters,
            LedgerLines lines,
            ReportFiles files,
            TaskSubmission submission,
            TaskReads tasks,
            Clock clock,
            ReportsConfig config) {
        this.runs = runs;
        this.quarters = quarters;
        this.lines = lines;
        this.files = files;
        this.submission = submission;
        this.tasks = tasks;
        this.clock = clock;
        this.config = config;
    }

    // ---- asking for runs

    /** How far reports are. One read unit, and one write unit the first time ever. */
    public Checkpoint checkpoint() {
        var known = runs.checkpoint();
        if (known.isPresent()) {
            return known.get();
        }
        runs.begin(lastClosed());
        return runs.checkpoint().orElseThrow();
    }

    /** The quarter hour up to which everything can be closed now. */
    private Quarter lastClosed() {
        return Quarter.of(clock.instant().minus(config.lag()));
    }

    /**
     * For how long a run has been due that is not committed: zero or less while all is well. Worth an alarm when it is more
     * than a run takes.
     */
    public Duration overdue() {
        return Duration.between(nextDue(), clock.instant());
    }

    /** When the next run is due, or the open one was: once its interval can be closed, or the month is over. */
    public Instant nextDue() {
        var checkpoint = checkpoint();
        var from = checkpoint.upTo();
        var covered = from.start().plus(checkpoint.interval());
        var month = Quarter.of(from.month().plusMonths(1)).start();
        return (covered.isBefore(month) ? covered : month).plus(config.lag());
    }

    /**
     * Sets how much time a run covers, from the next one on.
     *
     * @throws InvalidInput {@code INVALID_INTERVAL} on {@code interval} unless it is 15 minutes to 24 hours, in quarter
     *     hours
     */
    public Checkpoint setInterval(Duration interval, Actor actor) {
        if (!ReportsConfig.isInterval(interval)) {
            throw new InvalidInput(
                    "INVALID_INTERVAL", "interval", "interval must be 15 minutes to 24 hours, in steps of 15 minutes");
        }
        checkpoint();
        runs.setInterval(interval, actor);
        return checkpoint();
    }

    /** Closes now what can be closed, without waiting for the interval; at most 24 hours, and up to the end of a month. */
    public RunResult runNow(Actor actor) {
        var checkpoint = checkpoint();
        if (checkpoint.open() == null) {
            var next = next(checkpoint.upTo());
            if (next.isEmpty()) {
                return new RunResult.NothingToReport(checkpoint.upTo());
            }
            var id = next.get();
            if (runs.open(id, clock.instant(), actor)) {
                return new RunResult.Started(submitted(runs.find(id).orElseThrow(), Duration.ZERO));
            }
        }
        var open = checkpoint().open();
        return open == null
                ? new RunResult.NothingToReport(checkpoint().upTo())
                : new RunResult.Running(submitted(runs.find(open).orElseThrow(), Duration.ZERO));
    }

    /** What {@link #runNow} would close now; empty while a run is open, or where there is nothing to close. One read unit. */
    public Optional<RunId> next() {
        var checkpoint = checkpoint();
        return checkpoint.open() == null ? next(checkpoint.upTo()) : Optional.empty();
    }

    private Optional<RunId> next(Quarter from) {
        var end = end(from);
        return end.compareTo(from) > 0 ? Optional.of(new RunId(from, end)) : Optional.empty();
    }

    /** No run is of two months, so that a month's statement is whole runs. */
    private Quarter end(Quarter from) {
        var longest = from.plus(ReportsConfig.LONGEST.dividedBy(Quarter.LENGTH));
        var month = Quarter.of(from.month().plusMonths(1));
        return Stream.of(lastClosed(), longest, month)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Makes another version of a run, with the commission rules of now, that counts instead of the one before. */
    public RunResult runAgain(RunId id, Actor actor) {
        var run = runs.find(id);
        if (run.isEmpty()) {
            return new RunResult.NotFound(id);
        }
        var reopened = run.get().status() == Status.COMMITTED && runs.reopen(run.get(), clock.instant(), actor);
        var now = submitted(runs.find(id).orElseThrow(), Duration.ZERO);
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
                    if (submitted(run, BETWEEN_TASKS).status() == Status.COMMITTED) {
                        runs.made(run);
                    }
                })));
        orLeave(() -> settle(checkpoint.upTo()));
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
            open(checkpoint);
        } else {
            var open = submitted(runs.find(id).orElseThrow(), BETWEEN_TASKS);
            if (overdue().compareTo(checkpoint.interval()) > 0) {
                log.warn("billing is overdue: run={} task={} by={}", open.id(), open.task(), overdue());
            }
        }
    }

    private void open(Checkpoint checkpoint) {
        var closed = lastClosed();
        var from = checkpoint.upTo();
        var waited = Duration.between(from.start(), closed.start());
        var monthIsOver = Quarter.of(from.month().plusMonths(1)).compareTo(closed) <= 0;
        if (waited.compareTo(checkpoint.interval()) >= 0 || monthIsOver) {
            runNow(SCHEDULE);
        }
    }

    /**
     * Counts the quarter hours that differ, and seals those that leave the look-back: one that is sealed and differs stays
     * in it for some runs, which report what arrived there however late (ADR 21). After each run once, a read unit for each
     * quarter hour of twice the look-back, and one for each shard of it; two write units for each counter of each quarter
     * hour that is sealed.
     */
    private void settle(Quarter upTo) {
        var before = runs.settled();
        if (before.filter(settled -> settled.upTo().compareTo(upTo) >= 0).isPresent()) {
            return;
        }
        var first = upTo.plus(-2 * config.quartersBack());
        var usual = upTo.plus(-config.quartersBack());
        var from = before.map(Settled::from).orElse(first);
        var held = 0;
        var differing = 0;
        for (var quarter = earliest(from, first); quarter.compareTo(upTo) < 0; quarter = quarter.next()) {
            var leaves = quarter.equals(from) && quarter.compareTo(usual) < 0;
            if (leaves) {
                quarters.seal(quarter);
            }
            var counts = quarters.find(quarter);
            if (leaves) {
                held = counts.unreported().isEmpty() ? 0 : heldBefore(before, quarter) + 1;
                if (held > RUNS_TO_MEND) {
                    log.error("no report has all of a quarter hour: quarter={}", quarter);
                    held = 0;
                }
                from = held == 0 ? quarter.next() : from;
            }
            if (!counts.allIngested().agreesWith(counts.allReported())) {
                differing++;
            }
        }
        if (differing > 0) {
            log.warn("quarter hours differ: count={} before={}", differing, upTo);
        }
        runs.settle(new Settled(from, upTo, held, differing));
    }

    private static int heldBefore(Optional<Settled> before, Quarter quarter) {
        return before.filter(settled -> settled.from().equals(quarter))
                .map(Settled::held)
                .orElse(0);
    }

    private static Quarter earliest(Quarter one, Quarter other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Where the look-back of a run begins. */
    private Quarter lookFrom(RunId run) {
        var usual = run.from().plus(-config.quartersBack());
        return runs.settled().map(settled -> earliest(settled.from(), usual)).orElse(usual);
    }

    /**
     * How many closed quarter hours, of twice the look-back, had reports that differ from what came in, when it was looked at
     * last, after a run: none while all is well, and none for longer than until the next run. One read unit.
     */
    public int differingQuarterHours() {
        return runs.settled().map(Settled::differing).orElse(0);
    }

    /**
     * The run with its task, which is submitted unless it was; and anew where it is over and the run is not: dead,
     * cancelled, completed by somebody else, or gone. Everybody who sees that asks for the same task, and two tasks of one
     * run would do no harm, because its ledger is stored once.
     *
     * @param pause for how long a task must have been over
     */
    private ReportRun submitted(ReportRun run, Duration pause) {
        var before = run.task();
        if (run.status() == Status.COMMITTED || (before != null && !isOver(before, pause))) {
            return run;
        }
        var payload = Json.of(Map.of("run", run.id().toString(), "version", run.making()));
        var key = "billing " + run.id() + " " + (before == null ? "v" + run.making() : before);
        var submitted = submission.submit(SubmitTask.operation(TYPE, payload).idempotencyKey(key), SCHEDULE);
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
            return tasks.find(id)
                    .map(task -> task.status().isFinished()
                            && !task.changedAt().plus(pause).isAfter(clock.instant()))
                    .orElse(true);
        } catch (UnreadableItem _) {
            return false; // whoever wrote it is to decide
        }
    }

    // ---- reading

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

    // ---- making reports

    TaskWork work() {
        return new TaskWork(TYPE, RUNS_AT_ONCE, this::handle);
    }

    private Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        if (!(task.payload().tree() instanceof Map<?, ?> payload)
                || !(payload.get("run") instanceof String id)
                || !(payload.get("version") instanceof Number version)) {
            throw TaskFailed.ofAnotherVersion("a payload without a run and a version");
        }
        var run = runs.find(UnreadableItem.read("run " + id, () -> RunId.parse(id)))
                .orElseThrow(() -> new TaskFailed("there is no run " + id, false));
        if (run.making() == version.intValue() && run.status() == Status.RUNNING) {
            make(run, task::progress);
        }
        return Json.of(Map.of("run", id, "version", version.intValue()));
    }

    /** Makes the version that is to be made. Doing it again, or cutting it off anywhere and doing it again, is the same. */
    void make(ReportRun run, Consumer<TaskProgress> progress) throws InterruptedException {
        var names = new RunFiles(run.id(), run.making());
        try (var folder = WorkFolder.open()) {
            var reports = reports(run, names, folder, progress);
            upload(reports);
            if (run.making() == 1) {
                quarters.save(reports.parts());
            } else {
                runs.saveParts(run.making(), reports.parts());
                compare(run, names, folder);
            }
            runs.saveAgencies(reports.agencies());
            var totals = ReportBuilder.sum(reports.agencies());
            var result = new Result(clock.instant(), reports.agencies().size(), totals);
            if (runs.commit(run, result)) {
                log.info("report run committed: run={} version={} lines={}", run.id(), run.making(), result.lines());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports of run " + run.id() + " could not be written here", e);
        }
    }

    /** Of what is stored as the run's ledger, by whomever; or of what the table says, which is the ledger from then on. */
    private Reports reports(ReportRun run, RunFiles names, WorkFolder folder, Consumer<TaskProgress> progress)
            throws IOException, InterruptedException {
        var stored = stored(run, names, folder, progress);
        if (stored.isPresent()) {
            return stored.get();
        }
        var made = new ReportBuilder(names, folder.folder("made"));
        LedgerLines.Sink sink = line -> {
            made.add(line);
            say(made, run, progress);
        };
        if (run.making() == 1) {
            lines.ofRange(run.id(), lookFrom(run.id()), sink);
        } else {
            lines.ofVersion(run.id(), run.version(), sink);
        }
        var reports = made.finish();
        return files.create(names.ledger(), reports.ledger().path(), RunFiles.CSV)
                ? reports
                : stored(run, names, folder, progress).orElseThrow();
    }

    private Optional<Reports> stored(ReportRun run, RunFiles names, WorkFolder folder, Consumer<TaskProgress> progress)
            throws IOException, InterruptedException {
        var ledger = files.open(names.ledger());
        if (ledger.isEmpty()) {
            return Optional.empty();
        }
        try (var stored = LedgerReader.file(ledger.get())) {
            var again = new ReportBuilder(names, folder.folder("stored"));
            for (var line = stored.next(); line.isPresent(); line = stored.next()) {
                again.add(line.get());
                say(again, run, progress);
            }
            return Optional.of(again.finish());
        }
    }

    private static void say(ReportBuilder builder, ReportRun run, Consumer<TaskProgress> progress)
            throws InterruptedException {
        if (builder.lines() % LINES_BETWEEN_WORDS == 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            progress.accept(new TaskProgress(
                    builder.lines(), null, String.format(Locale.ROOT, "%,d lines of %s", builder.lines(), run.id())));
        }
    }

    /** Several at a time. */
    private void upload(Reports reports) {
        var left = reports.others().iterator();
        var uploads = new ArrayList<CompletableFuture<Void>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < UPLOADS_AT_ONCE; i++) {
                uploads.add(CompletableFuture.runAsync(() -> uploadAll(left), threads));
            }
        }
        try {
            uploads.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** What is there already is the same, byte by byte. */
    private void uploadAll(Iterator<Named> left) {
        for (var file = next(left); file != null; file = next(left)) {
            files.create(file.name(), file.path(), file.mediaType());
        }
    }

    private static @Nullable Named next(Iterator<Named> left) {
        synchronized (left) {
            return left.hasNext() ? left.next() : null;
        }
    }

    private void compare(ReportRun run, RunFiles names, WorkFolder folder) throws IOException {
        var difference =
                new ReportFile(folder.file("difference"), new ReportFile.Unwritten(ReportBuilder.MOST_UNWRITTEN));
        try (var before = LedgerReader.file(lines.ledger(run.id(), run.version()));
                var after = LedgerReader.file(lines.ledger(run.id(), run.making()))) {
            Difference.write(before, after, difference);
        }
        difference.finish();
        files.create(names.difference(), difference.path(), RunFiles.CSV);
    }
}
