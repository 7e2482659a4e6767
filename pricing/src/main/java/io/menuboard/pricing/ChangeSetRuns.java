package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangePreview.Wish;
import io.menuboard.pricing.DynamoChangeSets.Stored;
import io.menuboard.pricing.DynamoPriceChanges.Terms;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.InvalidInput;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFailed;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskRun;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.Tasks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with change sets, each time as a run with a number of its own: whoever takes it up again after a crash
 * goes on with the chunks that it has not written, and finds those that it has. Thread-safe.
 */
final class ChangeSetRuns {
    private static final Logger log = LoggerFactory.getLogger(ChangeSetRuns.class);

    /** Longer than batches take that are applied when they are due. */
    private static final Duration BEFORE_FINISHING = Duration.ofSeconds(30);

    private static final int CONCURRENCY = 2;

    private static final String LATE =
            "its time came in some stores while it was taken back; what was taken back there stays so";

    private static final Expression ALWAYS = Expression.of("attribute_exists(pk)");

    private final DynamoChangeSets sets;
    private final DynamoPriceChanges changes;
    private final DynamoPrices prices;
    private final PriceHistory history;
    private final Stores stores;
    private final Tasks tasks;
    private final Clock clock;
    private final RandomGenerator random;
    private final ChangesConfig config;

    ChangeSetRuns(
            DynamoChangeSets sets,
            DynamoPriceChanges changes,
            DynamoPrices prices,
            PriceHistory history,
            Stores stores,
            Tasks tasks,
            Clock clock,
            RandomGenerator random,
            ChangesConfig config) {
        this.sets = sets;
        this.changes = changes;
        this.prices = prices;
        this.history = history;
        this.stores = stores;
        this.tasks = tasks;
        this.clock = clock;
        this.random = random;
        this.config = config;
    }

    /** What can be done with a set. */
    enum Action {
        PREVIEW,
        APPLY,
        CANCEL,
        RESCHEDULE,
        /** Sees to it that every line of a set whose time has come is applied. */
        FINISH
    }

    /** The set as people see it now: one that waits is being applied from its first instant on. */
    ChangeSet asOfNow(ChangeSet set) {
        return set.withStatus(statusNow(set));
    }

    ChangeSetStatus statusNow(ChangeSet set) {
        var summary = set.summary();
        var first = summary == null ? null : summary.firstInstant();
        return set.status() == ChangeSetStatus.SCHEDULED
                        && first != null
                        && !clock.instant().isBefore(first)
                ? ChangeSetStatus.APPLYING
                : set.status();
    }

    TaskWork work() {
        return new TaskWork(ChangeSets.TYPE, CONCURRENCY, this::run);
    }

    /** Does what the task's payload says. */
    @Nullable
    Json run(TaskRun task) throws TaskFailed, InterruptedException {
        var arguments = Arguments.of(task.task());
        var id = new ChangeSetId(arguments.get("changeSet"));
        var run = Integer.parseInt(arguments.get("run"));
        var stored = sets.find(id, Consistency.STRONG)
                .orElseThrow(() -> new TaskFailed("there is no change set " + id, false));
        switch (Action.valueOf(arguments.get("action"))) {
            case PREVIEW -> preview(stored, run, task);
            case APPLY -> apply(stored, run, arguments.get("token"), task);
            case CANCEL -> cancel(stored, run, task);
            case RESCHEDULE -> reschedule(stored, run, EffectiveDate.inKey(arguments.get("effectiveDate")), task);
            case FINISH -> finish(stored, run, task);
        }
        return null;
    }

    /** What a task's payload says. */
    private record Arguments(Map<?, ?> members) {

        static Arguments of(Task task) {
            var payload = Objects.requireNonNull(task.payload()).tree();
            return new Arguments(payload instanceof Map<?, ?> members ? members : Map.of());
        }

        String get(String name) {
            return String.valueOf(members.get(name));
        }
    }

    /** Begins the run, or finds that it has begun; empty where another one has, or the set is not in that status. */
    private Optional<Stored> begin(Stored stored, int run, ChangeSetStatus from, TaskRun task) {
        if (stored.run() == run) {
            return Optional.of(stored);
        }
        return sets.update(
                stored.set().id(),
                Expression.of(
                                "SET #run = :run, #status = :applying, task = :task, done = :none REMOVE checked, problem")
                        .name("#run", "run")
                        .name("#status", "status")
                        .number(":run", run)
                        .string(":applying", ChangeSetStatus.APPLYING.name())
                        .string(":task", task.task().id().value())
                        .number(":none", 0),
                Expression.of("#run = :before AND #status = :from")
                        .name("#run", "run")
                        .name("#status", "status")
                        .number(":before", run - 1)
                        .string(":from", from.name()));
    }

    // ---- preview

    private void preview(Stored found, int run, TaskRun task) throws TaskFailed, InterruptedException {
        if (found.run() > run || (found.run() == run && found.set().token() != null)) {
            return;
        }
        if (found.run() < run
                && sets.update(
                                found.set().id(),
                                Expression.of("SET #run = :run, task = :task REMOVE #token, problem")
                                        .name("#run", "run")
                                        .name("#token", "token")
                                        .number(":run", run)
                                        .string(":task", task.task().id().value()),
                                inRun(run - 1, ChangeSetStatus.DRAFT))
                        .isEmpty()) {
            return;
        }
        var set = found.set();
        var preview = HexFormat.of().toHexDigits(random.nextLong());
        try {
            var look = new ChangePreview(
                    set, preview, stores, prices, sets, config, clock.instant(), hasManyRules(set.id()));
            try (var wishes = wishes(set)) {
                var summary = look.look(
                        wishes.iterator(), lines -> task.progress(new TaskProgress(lines, null, "lines previewed")));
                sets.update(
                        set.id(),
                        Expression.of("SET preview = :preview, summary = :summary, #token = :preview REMOVE task")
                                .name("#token", "token")
                                .string(":preview", preview)
                                .string(":summary", DynamoChangeSets.summary(summary)),
                        inRun(run, ChangeSetStatus.DRAFT));
            }
        } catch (InvalidInput e) {
            problem(set.id(), run, e.getMessage());
            throw new TaskFailed(String.valueOf(e.getMessage()), false);
        }
    }

    private Stream<Wish> wishes(ChangeSet set) {
        if (set.undoes() != null) {
            return undo(sets.find(set.undoes(), Consistency.STRONG).orElseThrow());
        }
        return set.retries() == null
                ? ChangePreview.wishes(sets.rules(set.id()), stores)
                : retry(sets.find(set.retries(), Consistency.STRONG).orElseThrow());
    }

    private boolean hasManyRules(ChangeSetId id) {
        try (var rules = sets.rules(id)) {
            return rules.limit(2).count() > 1;
        }
    }

    /** What gives each line of that set that failed the price that it was to have. */
    private Stream<Wish> retry(Stored retried) {
        return sets.chunks(retried.set().id(), Objects.requireNonNull(retried.preview()))
                .flatMap(chunk -> chunk.lines().stream()
                        .filter(line -> chunk.failures().containsKey(line.number()))
                        .map(line -> new Wish(
                                chunk.store(),
                                chunk.channel(),
                                line.subject(),
                                new ChangePreview.Change.Rule(operation(line.after()), null))));
    }

    private static PriceOperation operation(@Nullable Money price) {
        return price == null ? new PriceOperation.Delete() : new PriceOperation.SetTo(price.amount(), price.currency());
    }

    /** What puts back each line of that set that was applied; a line that has changed since finds that out itself. */
    private Stream<Wish> undo(Stored undone) {
        var overtaken = sets.overtaken(undone.set().id());
        return sets.chunks(undone.set().id(), Objects.requireNonNull(undone.preview()))
                .filter(chunk ->
                        chunk.state() == ChangeChunk.State.APPLIED || chunk.state() == ChangeChunk.State.WRITTEN)
                .flatMap(chunk -> chunk.writtenLines().stream()
                        .filter(line -> !overtaken.containsKey(line.number()))
                        .map(line -> new Wish(
                                chunk.store(),
                                chunk.channel(),
                                line.subject(),
                                new ChangePreview.Change.PutBack(undone.set().id(), before(undone, chunk, line)))));
    }

    /** What the set replaced. At once, that is what its preview saw; later, something may have come in between. */
    private @Nullable Money before(Stored undone, ChangeChunk chunk, ChangeChunk.Line line) {
        return chunk.state() == ChangeChunk.State.APPLIED
                ? line.before()
                : history.before(
                        chunk.store(),
                        chunk.channel(),
                        line.subject(),
                        undone.set().id());
    }

    private void problem(ChangeSetId id, int run, @Nullable String problem) {
        sets.update(
                id,
                Expression.of("SET problem = :problem REMOVE task").string(":problem", String.valueOf(problem)),
                Expression.of("#run = :run").name("#run", "run").number(":run", run));
    }

    private static Expression inRun(int run, ChangeSetStatus status) {
        return Expression.of("#run = :at AND #status = :in")
                .name("#run", "run")
                .name("#status", "status")
                .number(":at", run)
                .string(":in", status.name());
    }

    // ---- applying

    private void apply(Stored found, int run, String token, TaskRun task) throws TaskFailed, InterruptedException {
        if (found.run() < run && !token.equals(found.set().token())) {
            return;
        }
        var begun = begin(found, run, ChangeSetStatus.DRAFT, task);
        if (begun.isEmpty() || begun.get().set().status() != ChangeSetStatus.APPLYING) {
            return;
        }
        var stored = begun.get();
        var set = stored.set();
        var preview = Objects.requireNonNull(stored.preview());
        if (!stored.checked()) {
            var moved = moved(set, preview, task);
            if (moved > 0) {
                sets.update(
                        set.id(),
                        Expression.of("SET #status = :draft, problem = :problem REMOVE #token, task")
                                .name("#status", "status")
                                .name("#token", "token")
                                .string(":draft", ChangeSetStatus.DRAFT.name())
                                .string(
                                        ":problem",
                                        moved == 1
                                                ? "a price is not what it was when it was previewed"
                                                : moved + " prices are not what they were when they were previewed"),
                        inRun(run, ChangeSetStatus.APPLYING));
                return;
            }
            sets.update(
                    set.id(),
                    Expression.of("SET checked = :yes").string(":yes", "yes"),
                    inRun(run, ChangeSetStatus.APPLYING));
        }
        write(set, preview, run, task);
    }

    /** Writes every chunk that this run has not written, and then says so. */
    private void write(ChangeSet set, String preview, int run, TaskRun task) throws InterruptedException {
        var terms = terms(set);
        var date = set.effectiveDate();
        var failed = eachChunk(set, preview, task, chunk -> {
            var store = stores.require(chunk.store());
            var failures = date == null
                    ? changes.applyNow(terms, chunk, store, run)
                    : changes.schedule(terms, chunk, store, date, run);
            return failures.size();
        });
        var summary = Objects.requireNonNull(set.summary());
        var lines = summary.written();
        if (failed == lines) {
            end(set, run, ChangeSetStatus.FAILED, failed, clock.instant());
        } else if (date == null) {
            end(
                    set,
                    run,
                    failed == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED,
                    failed,
                    clock.instant());
        } else {
            finishLater(set, run, Objects.requireNonNull(summary.lastInstant()));
            end(set, run, ChangeSetStatus.SCHEDULED, failed, null);
        }
        var undone = set.undoes();
        if (undone != null && failed < lines) {
            sets.update(
                    undone,
                    Expression.of("SET #status = :undone, undoneBy = :by")
                            .name("#status", "status")
                            .string(":undone", ChangeSetStatus.UNDONE.name())
                            .string(":by", set.id().value()),
                    ALWAYS);
        }
    }

    private void finishLater(ChangeSet set, int run, Instant last) {
        var payload =
                Map.of("changeSet", set.id().value(), "action", Action.FINISH.name(), "run", Integer.toString(run));
        tasks.submit(
                SubmitTask.of(ChangeSets.TYPE, Json.of(payload))
                        .notBefore(last.plus(BEFORE_FINISHING))
                        .maxAttempts(SubmitTask.MOST_ATTEMPTS)
                        .idempotencyKey("changeSet-" + set.id() + "-" + run + "-" + Action.FINISH),
                set.actor());
    }

    private void end(ChangeSet set, int run, ChangeSetStatus status, int failed, @Nullable Instant appliedAt) {
        var update = Expression.of("SET #status = :status, failed = :failed"
                        + (appliedAt == null ? "" : ", appliedAt = :at") + " REMOVE task, checked")
                .name("#status", "status")
                .string(":status", status.name())
                .number(":failed", failed);
        sets.update(
                set.id(),
                appliedAt == null ? update : update.string(":at", appliedAt.toString()),
                Expression.of("#run = :run").name("#run", "run").number(":run", run));
        log.info("change set ended a run: changeSet={} run={} status={} failed={}", set.id(), run, status, failed);
    }

    private static Terms terms(ChangeSet set) {
        return new Terms(set.id(), set.actor(), set.reason());
    }

    /** How many lines have a price before them that is not what the preview saw. */
    private int moved(ChangeSet set, String preview, TaskRun task) throws InterruptedException {
        return eachChunk(set, preview, task, chunk -> {
            if (chunk.run() > 0) {
                return 0;
            }
            var store = stores.require(chunk.store());
            var asked = set.effectiveDate();
            var date = asked == null ? EffectiveDate.latestAt(clock.instant(), store.timeZone()) : asked;
            var versions = prices.versions(
                    chunk.store(),
                    chunk.channel(),
                    chunk.lines().stream().map(ChangeChunk.Line::subject).toList());
            return (int) chunk.lines().stream()
                    .filter(line -> !Objects.equals(
                            line.before(),
                            ChangePreview.before(
                                    versions.getOrDefault(line.subject(), List.of()), date, asked == null)))
                    .count();
        });
    }

    // ---- before its time

    private void cancel(Stored found, int run, TaskRun task) throws InterruptedException {
        if (found.set().status() == ChangeSetStatus.DRAFT && found.run() < run) {
            sets.update(
                    found.set().id(),
                    Expression.of("SET #status = :cancelled, #run = :run REMOVE #token")
                            .name("#status", "status")
                            .name("#run", "run")
                            .name("#token", "token")
                            .string(":cancelled", ChangeSetStatus.CANCELLED.name())
                            .number(":run", run),
                    inRun(run - 1, ChangeSetStatus.DRAFT));
            return;
        }
        var begun = begin(found, run, found.set().status(), task);
        if (begun.isEmpty() || begun.get().set().status() != ChangeSetStatus.APPLYING) {
            return;
        }
        var set = begun.get().set();
        var left = takeBack(set, Objects.requireNonNull(begun.get().preview()), run, task);
        if (left == 0) {
            end(set, run, ChangeSetStatus.CANCELLED, set.failed(), null);
        } else if (set.effectiveDate() == null) {
            var failed = Objects.requireNonNull(set.summary()).written() - left;
            end(set, run, ChangeSetStatus.PARTLY_APPLIED, failed, clock.instant());
        } else {
            stay(set, run, LATE);
        }
    }

    /** Makes a run of a set that waits for its time, and goes on waiting, one that did nothing. */
    private void refuse(ChangeSet set, int run, String problem) {
        finishLater(set, run, lastInstant(set));
        sets.update(
                set.id(),
                Expression.of("SET #run = :run, problem = :problem")
                        .name("#run", "run")
                        .number(":run", run)
                        .string(":problem", problem),
                inRun(run - 1, ChangeSetStatus.SCHEDULED));
    }

    private static Instant lastInstant(ChangeSet set) {
        return Objects.requireNonNull(Objects.requireNonNull(set.summary()).lastInstant());
    }

    /** Ends a run that took back what it could of a set that goes on waiting for its time. */
    private void stay(ChangeSet set, int run, String problem) {
        problem(set.id(), run, problem);
        finishLater(set, run, lastInstant(set));
        end(set, run, ChangeSetStatus.SCHEDULED, set.failed(), null);
    }

    /** How many lines it came too late for. */
    private int takeBack(ChangeSet set, String preview, int run, TaskRun task) throws InterruptedException {
        return eachChunk(
                set,
                preview,
                task,
                chunk -> changes.cancel(set.id(), chunk, stores.require(chunk.store()), run)
                        ? 0
                        : chunk.writtenLines().size());
    }

    private void reschedule(Stored found, int run, EffectiveDate date, TaskRun task) throws InterruptedException {
        var set = found.set();
        var preview = Objects.requireNonNull(found.preview());
        if (found.run() < run) {
            if (!instants(set, preview, date)[0].isAfter(clock.instant())) {
                refuse(set, run, "effectiveDate must be to come in every store");
                return;
            }
            var begun = begin(found, run, ChangeSetStatus.SCHEDULED, task);
            if (begun.isEmpty()) {
                return;
            }
            set = begun.get().set();
        } else if (found.run() > run + 1 || found.set().status() != ChangeSetStatus.APPLYING) {
            return;
        }
        if (found.run() <= run) {
            if (takeBack(set, preview, run, task) > 0) {
                stay(set, run, LATE);
                return;
            }
            var summary = Objects.requireNonNull(set.summary());
            var instants = instants(set, preview, date);
            var moved = sets.update(
                    set.id(),
                    Expression.of("SET #run = :run, effectiveDate = :date, summary = :summary")
                            .name("#run", "run")
                            .number(":run", run + 1)
                            .string(":date", date.toString())
                            .string(":summary", DynamoChangeSets.summary(summary.at(instants[0], instants[1]))),
                    inRun(run, ChangeSetStatus.APPLYING));
            if (moved.isEmpty()) {
                return;
            }
            set = moved.get().set();
        }
        write(set, preview, run + 1, task);
    }

    private Instant[] instants(ChangeSet set, String preview, EffectiveDate date) {
        try (var chunks = sets.chunks(set.id(), preview)) {
            var first = Instant.MAX;
            var last = Instant.MIN;
            for (Iterator<ChangeChunk> each = chunks.iterator(); each.hasNext(); ) {
                var at = date.startsAt(stores.require(each.next().store()).timeZone());
                first = at.isBefore(first) ? at : first;
                last = at.isAfter(last) ? at : last;
            }
            return new Instant[] {first, last};
        }
    }

    /** Whether that time has come already in a store of the set. */
    boolean hasCome(Stored stored, EffectiveDate date) {
        try (var chunks = sets.chunks(stored.set().id(), Objects.requireNonNull(stored.preview()))) {
            return chunks.map(ChangeChunk::store).distinct().anyMatch(store -> !date.startsAt(
                            stores.require(store).timeZone())
                    .isAfter(clock.instant()));
        }
    }

    // ---- when its time has come

    private void finish(Stored found, int run, TaskRun task) throws TaskFailed, InterruptedException {
        var set = found.set();
        if (found.run() != run || set.appliedAt() != null || set.effectiveDate() == null) {
            return;
        }
        var date = set.effectiveDate();
        var preview = Objects.requireNonNull(found.preview());
        var missing = eachChunk(set, preview, task, chunk -> {
            if (chunk.state() != ChangeChunk.State.WRITTEN) {
                return chunk.lines().size();
            }
            var store = stores.require(chunk.store());
            changes.apply(new PriceBatch(chunk.store(), chunk.channel(), date), store, this::terms);
            return chunk.failures().size();
        });
        var lost = missing + sets.overtaken(set.id()).size();
        end(set, run, lost == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED, lost, clock.instant());
    }

    /** Who changed prices in that set, and why. */
    Terms terms(ChangeSetId id) {
        return terms(sets.find(id, Consistency.EVENTUAL)
                .orElseThrow(() -> new IllegalStateException("there is no change set " + id))
                .set());
    }

    // ---- many chunks

    /**
     * Does that with every chunk and adds up what it answers. Those of one store and channel take turns, because they
     * share a batch, and transactions that meet at one item refuse each other; several stores are done at a time.
     */
    private int eachChunk(ChangeSet set, String preview, TaskRun task, ToIntFunction<ChangeChunk> work)
            throws InterruptedException {
        var total = 0;
        var done = 0L;
        var summary = Objects.requireNonNull(set.summary());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var chunks = sets.chunks(set.id(), preview)) {
            var under = new ArrayDeque<Future<int[]>>();
            try {
                var each = chunks.iterator();
                for (var next = nextOf(each); next != null; ) {
                    var together = new ArrayList<ChangeChunk>();
                    do {
                        together.add(next);
                        next = nextOf(each);
                    } while (next != null && next.goesWith(together.getFirst()));
                    if (under.size() == config.chunksAtOnce()) {
                        var result = get(under.remove());
                        total += result[0];
                        done += result[1];
                        task.progress(new TaskProgress(done, Math.max(done, summary.written()), "lines"));
                    }
                    under.add(threads.submit(() -> new int[] {
                        together.stream().mapToInt(work).sum(),
                        together.stream()
                                .mapToInt(chunk -> chunk.lines().size())
                                .sum()
                    }));
                }
                while (!under.isEmpty()) {
                    total += get(under.remove())[0];
                }
            } finally {
                threads.shutdownNow();
            }
        }
        return total;
    }

    private static @Nullable ChangeChunk nextOf(Iterator<ChangeChunk> chunks) {
        return chunks.hasNext() ? chunks.next() : null;
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
