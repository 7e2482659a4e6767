package io.menuboard.pricing.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.DynamoChangeSets.Stored;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFailed;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskRun;
import io.menuboard.tasks.TaskWork;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with change sets that do not fit one transaction, each time as a run with a number of its own. A run belongs
 * to the one task that began it: whoever takes that task up goes on where it is, and nobody else does. Only one run has a
 * set at a time. Thread-safe.
 */
final class ChangeSetRuns {
    private static final Logger log = LoggerFactory.getLogger(ChangeSetRuns.class);
    private static final int CONCURRENCY = 2;

    /** Rows that are looked at together where a set was imported. */
    private static final int ROWS_AT_ONCE = 500;

    private final DynamoChangeSets sets;
    private final DynamoPriceChanges changes;
    private final DynamoChangeWrites writes;
    private final DynamoPriceLoads loads;
    private final ChangeSetTransactions transactions;
    private final DynamoPriceVersions prices;
    private final DynamoPriceHistory history;
    private final Stores stores;
    private final Clock clock;
    private final RandomGenerator random;
    private final ChangesConfig config;

    ChangeSetRuns(
            DynamoChangeSets sets,
            DynamoPriceChanges changes,
            DynamoChangeWrites writes,
            DynamoPriceLoads loads,
            ChangeSetTransactions transactions,
            DynamoPriceVersions prices,
            DynamoPriceHistory history,
            Stores stores,
            Clock clock,
            RandomGenerator random,
            ChangesConfig config) {
        this.sets = sets;
        this.changes = changes;
        this.writes = writes;
        this.loads = loads;
        this.transactions = transactions;
        this.prices = prices;
        this.history = history;
        this.stores = stores;
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
        /** Was how earlier versions ended sets whose time had come; there is nothing to end. */
        FINISH
    }

    /** The set as people see it now: what waits for its time is in effect from then on, whoever has or has not noticed. */
    ChangeSet asOfNow(ChangeSet set) {
        var summary = set.summary();
        var first = summary == null ? null : summary.firstInstant();
        var last = summary == null ? null : summary.lastInstant();
        var now = clock.instant();
        if (set.status() != ChangeSetStatus.SCHEDULED
                || summary == null
                || first == null
                || last == null
                || now.isBefore(first)) {
            return set;
        }
        if (now.isBefore(last)) {
            return set.at(ChangeSetStatus.APPLYING, null);
        }
        return set.at(set.failed() == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED, last);
    }

    ChangeSetStatus statusNow(ChangeSet set) {
        return asOfNow(set).status();
    }

    TaskWork work() {
        return new TaskWork(ChangeSets.TYPE, CONCURRENCY, this::run);
    }

    /** Does what the task's payload says. */
    @Nullable
    Json run(TaskRun task) throws TaskFailed, InterruptedException {
        var arguments = Arguments.of(task.task());
        var action = action(arguments.get("action"));
        var id = arguments.get("changeSet", ChangeSetId::new);
        var run = arguments.get("run", Integer::valueOf);
        var stored = sets.find(id, Consistency.STRONG)
                .orElseThrow(() -> new TaskFailed("there is no change set " + id, false));
        switch (action) {
            case PREVIEW -> preview(stored, run, task);
            case APPLY -> apply(stored, run, arguments.get("token"), task);
            case CANCEL -> cancel(stored, run, task);
            case RESCHEDULE -> reschedule(stored, run, arguments.get("effectiveDate", EffectiveDate::inKey), task);
            case FINISH -> {}
        }
        return null;
    }

    private static Action action(String name) throws TaskFailed {
        return EnumSet.allOf(Action.class).stream()
                .filter(action -> action.name().equals(name))
                .findFirst()
                .orElseThrow(() -> TaskFailed.ofAnotherVersion("action " + name));
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

        <T> T get(String name, Function<String, T> reader) {
            var text = get(name);
            return UnreadableItem.read(name + " " + text, () -> reader.apply(text));
        }
    }

    // ---- beginning and ending

    /** Begins the run, or finds that this task has begun it; empty where anything else has been begun. */
    Optional<Stored> begin(Stored stored, int run, Action action, TaskId task) {
        Predicate<Stored> isOwn =
                now -> now.run() == run && task.equals(now.set().task());
        if (isOwn.test(stored)) {
            return Optional.of(stored);
        }
        var from = action == Action.PREVIEW || action == Action.APPLY
                ? ChangeSetStatus.DRAFT
                : stored.set().status();
        var begun = action == Action.PREVIEW
                ? Expression.of("SET #run = :run, task = :task REMOVE #token, problem")
                        .name("#token", "token")
                : Expression.of("SET #run = :run, task = :task, #status = :applying REMOVE checked, problem")
                        .name("#status", "status")
                        .string(":applying", ChangeSetStatus.APPLYING.name());
        return sets.update(
                        stored.set().id(),
                        begun.name("#run", "run").number(":run", run).string(":task", task.value()),
                        inRun(run - 1, from),
                        isOwn)
                // Who asked for the run, and who does it, both begin it.
                .or(() -> sets.find(stored.set().id(), Consistency.STRONG).filter(isOwn));
    }

    private static Expression inRun(int run, ChangeSetStatus status) {
        return Expression.of("#run = :inRun AND #status = :inStatus")
                .name("#run", "run")
                .name("#status", "status")
                .number(":inRun", run)
                .string(":inStatus", status.name());
    }

    private void problem(ChangeSetId id, int run, String problem) {
        sets.update(
                id,
                Expression.of("SET problem = :problem REMOVE task").string(":problem", problem),
                Expression.of("#run = :run").name("#run", "run").number(":run", run),
                now -> problem.equals(now.set().problem()));
    }

    /** Ends the run; does nothing where it has ended. */
    private void end(
            ChangeSet set,
            int run,
            ChangeSetStatus status,
            int failed,
            @Nullable Instant appliedAt,
            @Nullable String problem) {
        var update = Expression.of("SET #status = :status, failed = :failed"
                        + (appliedAt == null ? "" : ", appliedAt = :at")
                        + (problem == null ? "" : ", problem = :problem") + " REMOVE task, checked")
                .name("#status", "status")
                .string(":status", status.name())
                .number(":failed", failed);
        update = appliedAt == null ? update : update.string(":at", appliedAt.toString());
        sets.update(
                set.id(),
                problem == null ? update : update.string(":problem", problem),
                inRun(run, ChangeSetStatus.APPLYING),
                now -> now.run() == run && now.set().status() == status);
        log.info("change set ended a run: changeSet={} run={} status={} failed={}", set.id(), run, status, failed);
    }

    /** Makes the set a draft again, which needs another preview. */
    private void toDraft(ChangeSet set, int run, String problem, Expression condition) {
        sets.update(
                set.id(),
                Expression.of("SET #status = :draft, problem = :problem REMOVE #token, task, checked")
                        .name("#status", "status")
                        .name("#token", "token")
                        .string(":draft", ChangeSetStatus.DRAFT.name())
                        .string(":problem", problem),
                inRun(run, ChangeSetStatus.APPLYING).and(condition),
                now -> now.run() == run && now.set().status() == ChangeSetStatus.DRAFT);
    }

    private static String moved(int lines) {
        return lines == 1
                ? "a price is not what it was when it was previewed"
                : lines + " prices are not what they were when they were previewed";
    }

    // ---- preview

    /** Which lines a new preview of the set has. */
    DynamoChangeSets.Lines lines(ChangeSet set, long size) {
        return new DynamoChangeSets.Lines(
                set.id(),
                HexFormat.of().toHexDigits(random.nextLong()),
                size <= config.inline() ? 1 : config.shards(),
                set.effectiveDate() == null ? ChangeChunk.Kind.AT_ONCE : ChangeChunk.Kind.SCHEDULED);
    }

    /** The preview of a file, whose rows are looked at as they are read. */
    ChangePreview preview(ChangeSet set, DynamoChangeSets.Lines lines) {
        return new ChangePreview(set, lines, stores, prices, sets, config, clock.instant());
    }

    /**
     * Looks at every line.
     *
     * @param rules of a set that has its own
     */
    ChangeSetSummary look(ChangeSet set, List<ChangeRule> rules, DynamoChangeSets.Lines lines, IntConsumer progress)
            throws InterruptedException {
        var preview = preview(set, lines);
        if (set.imported() != null && rules.isEmpty()) {
            var done = new AtomicInteger();
            try (var again = again(sets.find(set.id(), Consistency.STRONG).orElseThrow())) {
                again.gather(Gatherers.windowFixed(ROWS_AT_ONCE)).forEach(rows -> {
                    preview.look(rows);
                    progress.accept(done.addAndGet(rows.size()));
                });
            }
            return preview.summary();
        }
        try (var requested = requested(set, rules)) {
            if (set.undoes() == null) {
                return preview.look(requested.iterator(), rules.size() > 1, progress);
            }
            // First prices that come back are loaded as they were.
            var loaded = new ArrayList<RequestedChange>();
            var others = requested.filter(one -> {
                if (one.date() != null) {
                    loaded.add(one);
                    if (loaded.size() == ROWS_AT_ONCE) {
                        preview.look(List.copyOf(loaded));
                        loaded.clear();
                    }
                }
                return one.date() == null;
            });
            preview.look(others.iterator(), false, progress);
            preview.look(loaded);
            return preview.summary();
        }
    }

    private void preview(Stored found, int run, TaskRun task) throws TaskFailed, InterruptedException {
        var begun = begin(found, run, Action.PREVIEW, task.task().id());
        if (begun.isEmpty() || begun.get().set().token() != null) {
            return;
        }
        var set = begun.get().set();
        try (var kept = sets.rules(set.id())) {
            var rules = kept.toList();
            var lines = lines(set, Long.MAX_VALUE);
            var summary =
                    look(set, rules, lines, done -> task.progress(new TaskProgress(done, null, "lines previewed")));
            previewed(set.id(), run, run, lines, summary);
        } catch (InvalidInput e) {
            problem(set.id(), run, String.valueOf(e.getMessage()));
            throw new TaskFailed(String.valueOf(e.getMessage()), false);
        }
    }

    /**
     * Makes it the preview of a draft that is in one run, and in another one then; empty where something else has been begun.
     */
    Optional<Stored> previewed(
            ChangeSetId id, int run, int then, DynamoChangeSets.Lines lines, ChangeSetSummary summary) {
        return sets.update(
                id,
                Expression.of("SET preview = :preview, shards = :shards, summary = :summary, #token = :preview,"
                                + " #run = :then REMOVE task, problem")
                        .name("#token", "token")
                        .name("#run", "run")
                        .number(":then", then)
                        .string(":preview", lines.preview())
                        .number(":shards", lines.shards())
                        .string(":summary", DynamoChangeSets.summary(summary)),
                inRun(run, ChangeSetStatus.DRAFT),
                now -> lines.preview().equals(now.set().token()));
    }

    private Stream<RequestedChange> requested(ChangeSet set, List<ChangeRule> rules) {
        if (set.undoes() != null) {
            return undo(sets.find(set.undoes(), Consistency.STRONG).orElseThrow());
        }
        return set.retries() == null
                ? ChangePreview.requested(rules.stream(), stores)
                : retry(sets.find(set.retries(), Consistency.STRONG).orElseThrow());
    }

    /** What gives each line of that set that failed the price that it was to have. */
    private Stream<RequestedChange> retry(Stored retried) {
        return sets.chunks(retried.previewed()).flatMap(chunk -> chunk.lines().stream()
                .filter(line -> chunk.failures().containsKey(line.number()))
                .map(line -> again(chunk, line)));
    }

    /** What an imported set was found to change when it was previewed before. */
    private Stream<RequestedChange> again(Stored stored) {
        return sets.chunks(stored.previewed())
                .flatMap(chunk -> chunk.lines().stream().map(line -> again(chunk, line)));
    }

    private static RequestedChange again(ChangeChunk chunk, ChangeChunk.Line line) {
        var date = line.date() == null ? chunk.asked() : line.date();
        return new RequestedChange(
                line.number(),
                chunk.store(),
                chunk.channel(),
                line.subject(),
                date,
                new RequestedChange.Change.To(line.after()));
    }

    /** What puts back each line of that set that was applied; a line that has changed since finds that out itself. */
    private Stream<RequestedChange> undo(Stored undone) {
        if (undone.set().imported() == null) {
            return sets.chunks(undone.previewed()).flatMap(chunk -> undo(undone, chunk));
        }
        // A file may change one price at several dates; what it was before the first of them is what comes back.
        var seen = new SeenKeys();
        var loaded = loadedAndChanged(undone);
        return sets.chunks(undone.previewed())
                .flatMap(chunk -> undo(undone, chunk))
                .mapMulti((one, next) -> {
                    var price = one.store() + "#" + one.channel() + "#" + one.subject();
                    switch (one.change()) {
                        case RequestedChange.Change.Unload _ when loaded.contains(price) -> {}
                        case RequestedChange.Change.PutBack(var by, var before) -> {
                            if (seen.firstRow(price, 1) == 0) {
                                var to = loaded.contains(price) ? null : before;
                                next.accept(one.to(new RequestedChange.Change.PutBack(by, to)));
                            }
                        }
                        default -> next.accept(one);
                    }
                });
    }

    /** Which prices the file was the first to give, and has changed since; its chunks are read twice for that. */
    private SeenKeys loadedAndChanged(Stored undone) {
        var changed = new SeenKeys();
        var both = new SeenKeys();
        if (Objects.requireNonNull(undone.set().summary()).lastInstant() != null) {
            eachInEffect(undone, ChangeChunk.Kind.SCHEDULED, price -> changed.firstRow(price, 1));
            eachInEffect(undone, ChangeChunk.Kind.LOAD, price -> {
                if (changed.contains(price)) {
                    both.firstRow(price, 1);
                }
            });
        }
        return both;
    }

    private void eachInEffect(Stored stored, ChangeChunk.Kind kind, Consumer<String> price) {
        try (var chunks = sets.chunks(stored.previewed())) {
            chunks.filter(chunk -> chunk.kind() == kind).forEach(chunk -> inEffect(stored, chunk)
                    .forEach(line -> price.accept(chunk.store() + "#" + chunk.channel() + "#" + line.subject())));
        }
    }

    /** Lines of an applied set that were not taken back, and whose place no later set has taken. */
    private List<ChangeChunk.Line> inEffect(Stored stored, ChangeChunk chunk) {
        return switch (chunk.state()) {
            case NEW, CANCELLED -> List.of();
            case APPLIED -> chunk.writtenLines();
            case WRITTEN -> {
                var written = chunk.writtenLines();
                if (stored.set().failed() == stored.unwritten() || written.isEmpty()) {
                    yield written;
                }
                var overtaken = sets.overtaken(
                        stored.set().id(),
                        written.getFirst().number(),
                        written.getLast().number());
                yield written.stream()
                        .filter(line -> !overtaken.containsKey(line.number()))
                        .toList();
            }
        };
    }

    private Stream<RequestedChange> undo(Stored undone, ChangeChunk chunk) {
        return switch (chunk.kind()) {
            case LOAD ->
                eachApplied(chunk, line -> {
                    var from = Objects.requireNonNull(line.date());
                    return new RequestedChange(
                            line.number(),
                            chunk.store(),
                            chunk.channel(),
                            line.subject(),
                            null,
                            new RequestedChange.Change.Unload(from, line.after()));
                });
            case UNLOAD ->
                eachApplied(
                        chunk,
                        line -> new RequestedChange(
                                line.number(),
                                chunk.store(),
                                chunk.channel(),
                                line.subject(),
                                line.date(),
                                new RequestedChange.Change.To(line.before())));
            case AT_ONCE ->
                eachApplied(
                        chunk,
                        line -> putBack(
                                undone,
                                chunk,
                                line,
                                undone.set().imported() == null ? line.before() : before(undone, chunk, line)));
            case SCHEDULED -> scheduled(undone, chunk);
        };
    }

    private static Stream<RequestedChange> eachApplied(
            ChangeChunk chunk, Function<ChangeChunk.Line, RequestedChange> back) {
        return chunk.state() == ChangeChunk.State.APPLIED
                ? chunk.writtenLines().stream().map(back)
                : Stream.empty();
    }

    /** What waited for its time is put back to what it replaced then: something may have come in between. */
    private Stream<RequestedChange> scheduled(Stored undone, ChangeChunk chunk) {
        var date = chunk.date();
        if (chunk.state() != ChangeChunk.State.WRITTEN || date == null) {
            return Stream.empty();
        }
        changes.apply(new PriceBatch(chunk.store(), chunk.channel(), date), stores.require(chunk.store()), this::terms);
        return inEffect(undone, chunk).stream().map(line -> putBack(undone, chunk, line, before(undone, chunk, line)));
    }

    private @Nullable Money before(Stored undone, ChangeChunk chunk, ChangeChunk.Line line) {
        return history.before(
                chunk.store(), chunk.channel(), line.subject(), undone.set().id());
    }

    private static RequestedChange putBack(
            Stored undone, ChangeChunk chunk, ChangeChunk.Line line, @Nullable Money before) {
        var by = Stream.of(undone.set().id(), undone.restoredBy())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        return new RequestedChange(
                line.number(),
                chunk.store(),
                chunk.channel(),
                line.subject(),
                null,
                new RequestedChange.Change.PutBack(by, before));
    }

    // ---- applying

    private void apply(Stored found, int run, String token, TaskRun task) throws InterruptedException {
        if (found.run() < run && !token.equals(found.set().token())) {
            return;
        }
        var begun = begin(found, run, Action.APPLY, task.task().id());
        if (begun.isEmpty() || begun.get().set().status() != ChangeSetStatus.APPLYING) {
            return;
        }
        var stored = begun.get();
        var set = stored.set();
        if (!stored.checked()) {
            var moved = moved(stored, task);
            if (moved > 0) {
                toDraft(set, run, moved(moved), Expression.of("attribute_not_exists(checked)"));
                return;
            }
            if (sets.update(
                            set.id(),
                            Expression.of("SET checked = :yes").string(":yes", "yes"),
                            inRun(run, ChangeSetStatus.APPLYING),
                            Stored::checked)
                    .isEmpty()) {
                return;
            }
        }
        write(stored, run, task, null);
    }

    /** How many lines have a price before them that is not what the preview saw. */
    private int moved(Stored stored, TaskRun task) throws InterruptedException {
        return eachChunk(stored, task, chunk -> {
            if (chunk.run() > 0 || chunk.kind().isPacked()) {
                return 0;
            }
            var store = stores.require(chunk.store());
            var atOnce = chunk.kind() == ChangeChunk.Kind.AT_ONCE;
            var date = atOnce
                    ? EffectiveDate.latestAt(clock.instant(), store.timeZone())
                    : ChangeSetTransactions.dateOf(stored.set(), chunk).in(store.timeZone());
            var lines = chunk.lines();
            var versions = prices.versions(
                    chunk.store(),
                    chunk.channel(),
                    lines.stream().map(ChangeChunk.Line::subject).toList());
            return (int) lines.stream()
                    .filter(line -> {
                        var all = versions.getOrDefault(line.subject(), List.of());
                        // Since a date of its own a price only counts where there was none, nor one that was deleted.
                        return line.date() == null
                                ? !Objects.equals(line.before(), ChangePreview.before(all, date, atOnce))
                                : ChangePreview.isThere(all, date);
                    })
                    .count();
        });
    }

    /**
     * Writes every chunk that this run has not written, and then says so.
     *
     * @param problem what is known by now not to have been done; or null
     */
    private void write(Stored stored, int run, TaskRun task, @Nullable String problem) throws InterruptedException {
        var set = stored.set();
        var terms = ChangeSetTransactions.terms(set);
        var guards = new ConcurrentHashMap<Guarded, Optional<Boolean>>();
        var failed = eachChunk(stored, task, chunk -> {
            var failures = write(stored, chunk, terms, run, guards);
            return failures.size();
        });
        guards.keySet().forEach(guarded -> loads.release(set.id(), guarded.store(), guarded.channel()));
        var summary = Objects.requireNonNull(set.summary());
        var waits = summary.lastInstant() != null;
        if (failed < summary.written()) {
            transactions.undone(set).forEach(mark -> changes.write(List.of(), run, List.of(mark)));
            end(
                    set,
                    run,
                    waits
                            ? ChangeSetStatus.SCHEDULED
                            : failed == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED,
                    failed,
                    waits ? null : clock.instant(),
                    problem);
        } else if (waits) {
            end(set, run, ChangeSetStatus.FAILED, failed, clock.instant(), problem);
        } else {
            toDraft(set, run, moved(failed), Expression.of("attribute_exists(pk)"));
        }
    }

    /** A store and channel whose first prices are loaded. */
    private record Guarded(StoreId store, Channel channel) {}

    private Map<Integer, String> write(
            Stored stored, ChangeChunk chunk, Attribution terms, int run, Map<Guarded, Optional<Boolean>> guards) {
        var store = stores.require(chunk.store());
        return switch (chunk.kind()) {
            case AT_ONCE ->
                failures(changes.write(chunk, run, now -> Optional.of(writes.atOnce(terms, now, store))), run);
            case SCHEDULED -> {
                var date = ChangeSetTransactions.dateOf(stored.set(), chunk);
                // One that is still written came too late to be taken back, and stays as it is.
                yield failures(
                        changes.write(
                                chunk,
                                run,
                                now -> now.state() == ChangeChunk.State.WRITTEN
                                        ? Optional.empty()
                                        : Optional.of(writes.scheduled(terms, now, store, date))),
                        run);
            }
            case LOAD -> {
                var key = new Guarded(chunk.store(), chunk.channel());
                if (chunk.run() >= run && chunk.state() == ChangeChunk.State.APPLIED) {
                    guards.putIfAbsent(key, Optional.empty());
                    yield chunk.failures();
                }
                var guarded = guards.compute(
                        key,
                        (_, known) -> known != null && known.isPresent()
                                ? known
                                : Optional.of(loads.guard(terms.changeSet(), chunk.store(), chunk.channel())));
                yield loads.load(terms, chunk, guarded.orElseThrow(), run);
            }
            case UNLOAD -> chunk.run() >= run ? chunk.failures() : loads.unload(terms, chunk, run);
        };
    }

    private static Map<Integer, String> failures(ChangeChunk chunk, int run) {
        return chunk.run() == run ? chunk.failures() : Map.of();
    }

    // ---- before its time

    /** Marks a draft; empty where something has been begun with it. */
    Optional<Stored> cancelDraft(Stored found) {
        return sets.update(
                found.set().id(),
                Expression.of("SET #status = :cancelled, #run = :run REMOVE #token, task, problem")
                        .name("#status", "status")
                        .name("#run", "run")
                        .name("#token", "token")
                        .string(":cancelled", ChangeSetStatus.CANCELLED.name())
                        .number(":run", found.run() + 1),
                inRun(found.run(), ChangeSetStatus.DRAFT),
                now -> now.run() == found.run() + 1 && now.set().status() == ChangeSetStatus.CANCELLED);
    }

    private void cancel(Stored found, int run, TaskRun task) throws InterruptedException {
        var begun = begin(found, run, Action.CANCEL, task.task().id());
        if (begun.isEmpty() || begun.get().set().status() != ChangeSetStatus.APPLYING) {
            return;
        }
        var stored = begun.get();
        var set = stored.set();
        var left = takeBack(stored, run, task);
        if (left == 0) {
            end(set, run, ChangeSetStatus.CANCELLED, stored.unwritten(), null, null);
        } else {
            var failed = Objects.requireNonNull(set.summary()).written() - left;
            end(
                    set,
                    run,
                    failed == 0 ? ChangeSetStatus.APPLIED : ChangeSetStatus.PARTLY_APPLIED,
                    failed,
                    clock.instant(),
                    null);
        }
    }

    /** How many lines it came too late for. */
    private int takeBack(Stored stored, int run, TaskRun task) throws InterruptedException {
        var id = stored.set().id();
        return eachChunk(stored, task, chunk -> {
            var store = stores.require(chunk.store());
            var now = changes.write(chunk, run, current -> writes.takenBack(id, current, store));
            if (chunk.kind() == ChangeChunk.Kind.LOAD) {
                loads.release(id, chunk.store(), chunk.channel());
            }
            if (now.run() == run && now.state() == ChangeChunk.State.CANCELLED) {
                changes.removeIfEmpty(now);
                return 0;
            }
            return now.writtenLines().size();
        });
    }

    private void reschedule(Stored found, int run, EffectiveDate date, TaskRun task) throws InterruptedException {
        var stored = found;
        var isMoved =
                found.run() == run + 1 && task.task().id().equals(found.set().task());
        if (!isMoved) {
            var begun = begin(found, run, Action.RESCHEDULE, task.task().id());
            if (begun.isEmpty() || begun.get().set().status() != ChangeSetStatus.APPLYING) {
                return;
            }
            stored = begun.get();
            takeBack(stored, run, task);
            var instants = instants(stored, date);
            var moved = sets.update(
                    stored.set().id(),
                    Expression.of("SET #run = :run, effectiveDate = :date, summary = :summary")
                            .name("#run", "run")
                            .number(":run", run + 1)
                            .string(":date", date.toString())
                            .string(
                                    ":summary",
                                    DynamoChangeSets.summary(
                                            Objects.requireNonNull(stored.set().summary())
                                                    .at(instants[0], instants[1]))),
                    inRun(run, ChangeSetStatus.APPLYING),
                    now -> now.run() == run + 1 && date.equals(now.set().effectiveDate()));
            if (moved.isEmpty()) {
                return;
            }
            stored = moved.get();
        }
        var late = late(stored, date);
        write(
                stored,
                run + 1,
                task,
                late == 0
                        ? null
                        : (late == 1 ? "the time of a price" : "the time of " + late + " prices")
                                + " had come before it could be moved");
    }

    /** How many lines are in effect as they were before the set was moved. */
    private int late(Stored stored, EffectiveDate date) {
        try (var chunks = sets.chunks(stored.previewed())) {
            return chunks.filter(chunk -> chunk.state() == ChangeChunk.State.WRITTEN
                            && !date.in(stores.require(chunk.store()).timeZone())
                                    .equals(chunk.date()))
                    .mapToInt(chunk -> chunk.writtenLines().size())
                    .sum();
        }
    }

    private Instant[] instants(Stored stored, EffectiveDate date) {
        try (var chunks = sets.chunks(stored.previewed())) {
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
        try (var chunks = sets.chunks(stored.previewed())) {
            return chunks.map(ChangeChunk::store).distinct().anyMatch(store -> !date.startsAt(
                            stores.require(store).timeZone())
                    .isAfter(clock.instant()));
        }
    }

    /** Who changed prices in that set, and why. */
    Attribution terms(ChangeSetId id) {
        return transactions.terms(id).orElseThrow(() -> new IllegalStateException("there is no change set " + id));
    }

    // ---- many chunks

    /**
     * Does that with every chunk and adds up what it answers. Those of one store and channel that follow each other take
     * turns, because they share a batch, and transactions that meet at one item refuse each other; several are done at a
     * time.
     */
    private int eachChunk(Stored stored, TaskRun task, ToIntFunction<ChangeChunk> work) throws InterruptedException {
        var total = 0;
        var done = 0L;
        var summary = Objects.requireNonNull(stored.set().summary());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var chunks = sets.chunks(stored.previewed())) {
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
