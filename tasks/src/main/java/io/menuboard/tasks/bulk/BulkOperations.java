package io.menuboard.tasks.bulk;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes to all tasks that a filter finds, each of which runs as a task itself. Thread-safe.
 *
 * <p>It goes through the filter's lists once, from their beginning, and changes what it comes to; tasks that come to be
 * in front of where it is are not changed. Every outcome is begun before its task is changed; so where the instance that
 * works on it dies, another one finds out from the tasks' own histories what was done, and goes on with the rest.
 *
 * <p>Menuboard's own operations are left alone unless the filter names their type, and an operation never changes itself.
 */
public final class BulkOperations {
    /** Most tasks that a preview counts. */
    public static final int COUNTED = 10_000;

    /** The type of tasks that are bulk operations. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "bulk");

    private static final int SAMPLE = 10;
    private static final int AT_ONCE = 25;
    private static final int CONCURRENCY = 2;

    private final TaskSubmission submission;
    private final TaskAdministration administration;
    private final TaskReads tasks;
    private final DynamoBulkOutcomes outcomes;

    BulkOperations(
            TaskSubmission submission,
            TaskAdministration administration,
            TaskReads tasks,
            DynamoBulkOutcomes outcomes) {
        this.submission = submission;
        this.administration = administration;
        this.tasks = tasks;
        this.outcomes = outcomes;
    }

    /** Tasks that it would change; as dear as reading these, up to {@value #COUNTED} tasks. */
    public BulkPreview preview(BulkChange change) {
        var sample = new ArrayList<Task>();
        var count = 0L;
        try (var found = reached(change)) {
            for (Iterator<Task> all = found.iterator(); all.hasNext() && count <= COUNTED; count++) {
                var task = all.next();
                if (count < SAMPLE) {
                    sample.add(task);
                }
            }
        }
        return new BulkPreview(Math.min(count, COUNTED), count > COUNTED, sample);
    }

    /**
     * Begins, once for each idempotency key. Three write units, and seven or so for each task that it changes.
     */
    public SubmitResult start(BulkChange change, @Nullable String idempotencyKey, Actor actor) {
        return submission.submit(SubmitTask.operation(TYPE, json(change)).idempotencyKey(idempotencyKey), actor);
    }

    /** The operation that this task does; empty where it does none, or one of another version. One read unit. */
    public Optional<BulkStatus> find(TaskId id) {
        return tasks.find(id).flatMap(this::status);
    }

    /** Those of many tasks that do one, as {@link #find}; read together. */
    public List<BulkStatus> findAll(List<TaskId> ids) {
        return tasks.findAll(ids).stream()
                .flatMap(task -> status(task).stream())
                .toList();
    }

    private Optional<BulkStatus> status(Task task) {
        return Optional.of(task)
                .filter(found -> found.type().equals(TYPE))
                .flatMap(this::read)
                .map(change -> {
                    var totals = tasks.result(task).map(Totals::read).orElseGet(() -> Totals.of(task.progress()));
                    return new BulkStatus(task, change, totals.changed(), totals.unchanged());
                });
    }

    /** Empty where it is something that only another version knows. */
    private Optional<BulkChange> read(Task operation) {
        try {
            return Optional.of(UnreadableItem.read(operation.id(), () -> change(tasks.payload(operation))));
        } catch (UnreadableItem e) {
            return Optional.empty();
        }
    }

    /** Outcomes so far, in the order of the tasks' ids; half a read unit per 4 KB. */
    public Page<BulkOutcome> outcomes(TaskId operation, PageRequest page) {
        return outcomes.page(operation, page);
    }

    /** As {@link #outcomes(TaskId, PageRequest)} of many operations, some at a time. */
    List<Page<BulkOutcome>> outcomes(List<BulkStatus> operations, PageRequest page) {
        return Concurrently.map(
                AT_ONCE, operations, operation -> outcomes(operation.task().id(), page));
    }

    TaskWork work() {
        return new TaskWork(TYPE, CONCURRENCY, this::run);
    }

    private Json run(TaskRun run) throws TaskFailed, InterruptedException {
        var operation = run.task();
        var change = read(operation).orElseThrow(() -> TaskFailed.ofAnotherVersion("what it changes"));
        var totals = operation.attempt() > 1 ? takeUp(operation, change) : new Totals(0, 0);
        var expected = totals.changed() + totals.unchanged() + preview(change).count();
        try (var found = reached(change).filter(task -> !task.id().equals(operation.id()))) {
            var all = found.iterator();
            while (all.hasNext()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                var some = new ArrayList<Task>();
                while (some.size() < AT_ONCE && all.hasNext()) {
                    some.add(all.next());
                }
                outcomes.begin(operation.id(), some, tasks.now());
                var done = apply(change, some, operation.submittedBy());
                outcomes.save(operation.id(), done, tasks.now());
                totals = totals.and(done);
                run.progress(totals.progress(expected));
            }
        }
        return totals.write();
    }

    private Stream<Task> reached(BulkChange change) {
        return tasks.all(change.filter()).filter(change::reaches);
    }

    /** Settles what an earlier attempt had begun when it broke off; what is left of that is still in the filter. */
    private Totals takeUp(Task operation, BulkChange change) {
        var totals = new Totals(0, 0);
        var settled = new ArrayList<BulkOutcome>();
        try (var all = outcomes.all(operation.id())) {
            for (Iterator<BulkOutcome> each = all.iterator(); each.hasNext(); ) {
                var outcome = each.next();
                if (!outcome.isOpen()) {
                    totals = totals.and(List.of(outcome));
                } else {
                    settle(outcome.task(), operation, change).ifPresent(settled::add);
                }
            }
        }
        outcomes.save(operation.id(), settled, tasks.now());
        return totals.and(settled);
    }

    private Optional<BulkOutcome> settle(TaskId id, Task operation, BulkChange change) {
        var task = tasks.find(id);
        if (task.filter(now -> hasStep(now, operation, change)).isPresent()) {
            return Optional.of(new BulkOutcome(id, true, null));
        }
        var inFilter = task.filter(now ->
                now.status() == change.filter().status() && change.filter().matches(now) && change.reaches(now));
        return inFilter.isPresent()
                ? Optional.empty()
                : Optional.of(new BulkOutcome(id, false, "something else has changed it"));
    }

    private static boolean hasStep(Task task, Task operation, BulkChange change) {
        return task.events().stream()
                .anyMatch(event -> event.kind() == change.action().kind()
                        && change.reason().equals(event.reason())
                        && event.actor().equals(operation.submittedBy())
                        && !event.at().isBefore(operation.submittedAt()));
    }

    private List<BulkOutcome> apply(BulkChange change, List<Task> some, Actor actor) {
        return Concurrently.map(AT_ONCE, some, task -> {
            var result =
                    switch (change.action()) {
                        case CANCEL -> administration.cancel(task.id(), change.reason(), actor);
                        case RETRY -> administration.retry(task.id(), change.reason(), actor);
                    };
            return switch (result) {
                case TaskResult.Done _ -> new BulkOutcome(task.id(), true, null);
                case TaskResult.NotAllowed(var _, var message) -> new BulkOutcome(task.id(), false, message);
                case TaskResult.LeaseLost _ -> throw new IllegalStateException("no lease was asked for");
                case TaskResult.NotFound _ ->
                    new BulkOutcome(task.id(), false, "id must be of a task that still exists");
            };
        });
    }

    /** Numbers of tasks changed and not. */
    record Totals(long changed, long unchanged) {

        Totals and(List<BulkOutcome> more) {
            var moreChanged = more.stream().filter(BulkOutcome::changed).count();
            return new Totals(changed + moreChanged, unchanged + more.size() - moreChanged);
        }

        /** The message holds what the numbers do not; {@link #of} reads it. */
        TaskProgress progress(long expected) {
            var done = changed + unchanged;
            return new TaskProgress(done, Math.max(done, expected), unchanged + " not changed");
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
        put(members, "idempotencyKey", filter.idempotencyKey());
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
