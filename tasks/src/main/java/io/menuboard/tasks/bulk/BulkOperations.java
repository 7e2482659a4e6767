package io.menuboard.tasks.bulk;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.SubmitTask.Audited;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes to all tasks that a filter finds, each of which runs as a task itself. Thread-safe.
 *
 * <p>It goes through the filter's lists once, from their beginning, and changes what it comes to and is still in the filter
 * when it is changed; tasks that come to be in front of where it is are not changed. Every outcome is begun before its task is changed; so where the instance that
 * works on it dies, another one goes on with what has none yet: what has its outcome is not
 * changed again, also where it has come to be in the filter again since. A task is changed in one transaction with its outcome, so that
 * an instance that was only slow changes nothing any more that the other one has begun with.
 *
 * <p>To preview and to start one takes {@link Permission#TASKS_OPERATE} for all tasks, and so does each step of it when it runs: where
 * its submitter has lost that, it fails, and changes nothing more. To read one takes {@link Permission#TASKS_READ}.
 *
 * <p>Menuboard's own operations are left alone unless the filter names their type, and an operation never changes itself.
 */
public final class BulkOperations {
    /** Most tasks that a preview counts. */
    public static final int COUNTED = 10_000;

    /** The type of tasks that are bulk operations. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "bulk");

    private static final Access SYSTEM = Access.ofSystem("bulk operations", Actor.Source.WORKER);
    private static final String CHANGED_MEANWHILE = "something else has changed it";
    private static final PageRequest SINCE_THEN = PageRequest.backward(1_000, null);
    private static final int SAMPLE = 10;
    private static final int AT_ONCE = 25;
    private static final int LISTS_AT_ONCE = 16;
    private static final int CONCURRENCY = 2;

    private final TaskSubmission submission;
    private final TaskAdministration administration;
    private final TaskReads tasks;
    private final DynamoBulkOutcomes outcomes;
    private final CurrentAccess current;

    BulkOperations(
            TaskSubmission submission,
            TaskAdministration administration,
            TaskReads tasks,
            DynamoBulkOutcomes outcomes,
            CurrentAccess current) {
        this.submission = submission;
        this.administration = administration;
        this.tasks = tasks;
        this.outcomes = outcomes;
        this.current = current;
    }

    /**
     * Tasks that it would change; as dear as reading these, up to {@value #COUNTED} tasks and a megabyte more of each list that is
     * read at once.
     *
     * @throws InvalidInput {@code INVALID_FILTER} for an idempotency key
     */
    public BulkPreview preview(Access access, BulkChange change) {
        access.requireForAll(Permission.TASKS_OPERATE);
        requireNoKey(change);
        var counted = new AtomicLong();
        // One after the other, the lists of a hundred types, of which most are empty, take longer than a request may.
        var samples = Concurrently.map(
                LISTS_AT_ONCE,
                tasks.allByList(access, change.filter()),
                list -> count(list.filter(change::reaches), counted));
        var count = counted.get();
        return new BulkPreview(
                Math.min(count, COUNTED),
                count > COUNTED,
                samples.stream().flatMap(List::stream).limit(SAMPLE).toList());
    }

    /** Its first tasks; counts the others too, as long as there are no more of all lists than are counted. */
    private static List<Task> count(Stream<Task> list, AtomicLong counted) {
        var first = new ArrayList<Task>();
        try (list) {
            for (Iterator<Task> all = list.iterator(); counted.get() <= COUNTED && all.hasNext(); ) {
                var task = all.next();
                counted.incrementAndGet();
                if (first.size() < SAMPLE) {
                    first.add(task);
                }
            }
        }
        return first;
    }

    /**
     * Begins, once for each idempotency key, with an audit record in the same transaction. Seven write units, one more for a
     * principal with an id, and ten or so for each task that it changes.
     *
     * @throws InvalidInput {@code INVALID_FILTER} for an idempotency key in its filter
     */
    public SubmitResult start(Access access, BulkChange change, @Nullable String idempotencyKey) {
        access.requireForAll(Permission.TASKS_OPERATE);
        requireNoKey(change);
        return submission.submit(
                access,
                SubmitTask.operation(TYPE, json(change)).idempotencyKey(idempotencyKey),
                new Audited("bulk change begun", details(change)));
    }

    private static void requireNoKey(BulkChange change) {
        if (change.hasKey()) {
            throw new InvalidInput(
                    "INVALID_FILTER", "filter.idempotencyKey", "finds one task; change that one by its id");
        }
    }

    /** The operation that this task does; empty where it does none, or one of another version. One read unit. */
    public Optional<BulkStatus> find(Access access, TaskId id) {
        return tasks.find(access, id).flatMap(this::status);
    }

    /** Those of many tasks that do one, as {@link #find}; read together. */
    public List<BulkStatus> findAll(Access access, List<TaskId> ids) {
        var operations = tasks.findAll(access, ids).stream()
                .filter(task -> task.type().equals(TYPE))
                .toList();
        return tasks.withPayloads(SYSTEM, operations).stream()
                .flatMap(task -> status(task).stream())
                .toList();
    }

    private Optional<BulkStatus> status(Task task) {
        return Optional.of(task)
                .filter(found -> found.type().equals(TYPE))
                .flatMap(this::read)
                .map(change -> {
                    var totals =
                            tasks.result(SYSTEM, task).map(Totals::read).orElseGet(() -> Totals.of(task.progress()));
                    return new BulkStatus(task, change, totals.changed(), totals.unchanged());
                });
    }

    /** Empty where it is something that only another version knows. */
    private Optional<BulkChange> read(Task operation) {
        try {
            return Optional.of(UnreadableItem.read(operation.id(), () -> change(tasks.payload(SYSTEM, operation))));
        } catch (UnreadableItem e) {
            return Optional.empty();
        }
    }

    /** Outcomes so far, in the order of the tasks' ids; half a read unit per 4 KB. */
    public Page<BulkOutcome> outcomes(Access access, TaskId operation, PageRequest page) {
        access.requireForAll(Permission.TASKS_READ);
        return outcomes.page(operation, page);
    }

    /** As {@link #outcomes(Access, TaskId, PageRequest)} of many operations, some at a time. */
    List<Page<BulkOutcome>> outcomes(Access access, List<BulkStatus> operations, PageRequest page) {
        return Concurrently.map(
                AT_ONCE,
                operations,
                operation -> outcomes(access, operation.task().id(), page));
    }

    TaskWork work() {
        return new TaskWork(TYPE, CONCURRENCY, this::run);
    }

    private Json run(TaskRun run) throws TaskFailed, InterruptedException {
        var operation = run.task();
        var change = read(operation).orElseThrow(() -> TaskFailed.ofAnotherVersion("what it changes"));
        if (change.hasKey()) {
            throw new TaskFailed("an idempotency key does not tell whose task it is to change", false);
        }
        var access = authority(operation);
        var totals = operation.attempt() > 1 ? takeUp(operation, change) : new Totals(0, 0);
        var expected = preview(access, change).total(totals.changed() + totals.unchanged());
        try (var found = tasks.all(SYSTEM, change.filter())
                .filter(task -> change.reaches(task) && !task.id().equals(operation.id()))) {
            var all = found.iterator();
            while (all.hasNext()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                var next = new ArrayList<Task>();
                while (next.size() < AT_ONCE && all.hasNext()) {
                    next.add(all.next());
                }
                totals = totals.and(change(operation, change, next));
                run.progress(totals.progress(expected));
            }
        }
        return totals.write();
    }

    /** Their outcomes, of those that this attempt may change. */
    private List<BulkOutcome> change(Task operation, BulkChange change, List<Task> some) throws TaskFailed {
        var access = authority(operation);
        var done = apply(access, operation, change, outcomes.begin(operation, some, tasks.now()));
        var unchanged = done.stream().filter(outcome -> !outcome.changed()).toList();
        outcomes.save(operation, unchanged, tasks.now());
        return done;
    }

    /** What its submitter may do now. */
    private Access authority(Task operation) throws TaskFailed {
        var access = current.of(operation.submittedBy());
        if (!access.isForAll(Permission.TASKS_OPERATE)) {
            throw new TaskFailed("who submitted it must not change tasks any more", false);
        }
        return access;
    }

    /** Settles what an earlier attempt had begun when it broke off: what is still in the filter may have left it when that is gone through. */
    private Totals takeUp(Task operation, BulkChange change) throws TaskFailed {
        var totals = new Totals(0, 0);
        var settled = new ArrayList<BulkOutcome>();
        var left = new ArrayList<Task>();
        try (var all = outcomes.all(operation.id())) {
            for (Iterator<BulkOutcome> each = all.iterator(); each.hasNext(); ) {
                var outcome = each.next();
                if (!outcome.isOpen()) {
                    totals = totals.and(List.of(outcome));
                } else {
                    var task = tasks.find(SYSTEM, outcome.task());
                    settle(outcome.task(), task, operation, change)
                            .ifPresentOrElse(settled::add, () -> task.ifPresent(left::add));
                }
            }
        }
        outcomes.save(operation, settled, tasks.now());
        return totals.and(settled).and(change(operation, change, left));
    }

    /** Empty where it is still to be changed. */
    private Optional<BulkOutcome> settle(TaskId id, Optional<Task> task, Task operation, BulkChange change) {
        if (task.filter(now -> hasStep(now, operation, change)).isPresent()) {
            return Optional.of(new BulkOutcome(id, true, null));
        }
        return task.filter(change::reaches).isPresent()
                ? Optional.empty()
                : Optional.of(new BulkOutcome(id, false, CHANGED_MEANWHILE));
    }

    /** Also where so much has happened to the task since that it is not among its latest events any more. */
    private boolean hasStep(Task task, Task operation, BulkChange change) {
        return tasks.histories(SYSTEM, List.of(task), SINCE_THEN).getFirst().nodes().stream()
                .anyMatch(event -> event.kind() == change.action().kind()
                        && change.reason().equals(event.reason())
                        && isSame(event.actor(), operation.submittedBy())
                        && !event.at().isBefore(operation.submittedAt()));
    }

    /** Names may change meanwhile. */
    private static boolean isSame(Actor one, Actor other) {
        return one.id() == null ? one.equals(other) : one.id().equals(other.id()) && one.kind() == other.kind();
    }

    private List<BulkOutcome> apply(Access access, Task operation, BulkChange change, List<Task> some) {
        var each = Concurrently.map(AT_ONCE, some, task -> {
            try {
                return Optional.of(apply(access, operation, change, task.id()));
            } catch (ConditionFailed _) {
                // A later attempt has taken over.
                return Optional.<BulkOutcome>empty();
            }
        });
        return each.stream().flatMap(Optional::stream).toList();
    }

    private BulkOutcome apply(Access access, Task operation, BulkChange change, TaskId id) {
        var reason = change.reason();
        var beside = outcomes.changed(operation, id, tasks.now());
        var result =
                switch (change.action()) {
                    case CANCEL -> administration.cancel(access, id, reason, change::reaches, beside);
                    case RETRY -> administration.retry(access, id, reason, change::reaches, beside);
                };
        return switch (result) {
            case TaskResult.Done _ -> new BulkOutcome(id, true, null);
            case TaskResult.NotAllowed(var now, var message) ->
                new BulkOutcome(id, false, change.reaches(now) ? message : CHANGED_MEANWHILE);
            case TaskResult.LeaseLost _ -> throw new IllegalStateException("no lease was asked for");
            case TaskResult.NotFound _ -> new BulkOutcome(id, false, "id must be of a task that still exists");
        };
    }

    /** Numbers of tasks changed and not. */
    record Totals(long changed, long unchanged) {

        Totals and(List<BulkOutcome> more) {
            var moreChanged = more.stream().filter(BulkOutcome::changed).count();
            return new Totals(changed + moreChanged, unchanged + more.size() - moreChanged);
        }

        /** The message holds what the numbers do not; {@link #of} reads it. */
        TaskProgress progress(@Nullable Long expected) {
            var done = changed + unchanged;
            var total = expected == null ? null : Long.valueOf(Math.max(done, expected));
            return new TaskProgress(done, total, unchanged + " not changed");
        }

        static Totals of(@Nullable TaskProgress progress) {
            if (progress == null || progress.message() == null) {
                return new Totals(0, 0);
            }
            var unchanged = Long.parseLong(progress.message().replaceAll("\\D", ""));
            return new Totals(progress.done() - unchanged, unchanged);
        }

        Json write() {
            return Json.of(Map.of("changed", changed, "unchanged", unchanged));
        }

        static Totals read(Json json) {
            return new Totals(
                    json.findNumber("changed").orElse(0),
                    json.findNumber("unchanged").orElse(0));
        }
    }

    private static Map<String, String> details(BulkChange change) {
        var details = new HashMap<String, String>();
        json(change).members().forEach((name, value) -> details.put(name, String.valueOf(value)));
        return details;
    }

    private static Json json(BulkChange change) {
        var filter = change.filter();
        var members = new LinkedHashMap<String, @Nullable Object>();
        members.put("action", change.action().name());
        members.put("reason", change.reason());
        members.put("status", filter.status().name());
        put(members, "type", filter.type());
        put(members, "submittedFrom", filter.submittedFrom());
        put(members, "submittedBefore", filter.submittedBefore());
        put(members, "worker", filter.worker());
        return Json.of(members);
    }

    private static void put(Map<String, @Nullable Object> members, String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value.toString());
        }
    }

    private static BulkChange change(Json json) {
        return new BulkChange(
                BulkChange.Action.valueOf(json.findText("action").orElse("")),
                new TaskFilter(
                        TaskStatus.valueOf(json.findText("status").orElse("")),
                        find(json, "type", TaskType::new),
                        find(json, "submittedFrom", Instant::parse),
                        find(json, "submittedBefore", Instant::parse),
                        find(json, "worker", WorkerId::new),
                        find(json, "idempotencyKey", Function.identity())),
                json.findText("reason").orElse(""));
    }

    private static <T> @Nullable T find(Json json, String name, Function<String, T> read) {
        return json.findText(name).map(read).orElse(null);
    }
}
