package io.menuboard.webadmin.tasks;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskSight;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Fields of the form above a list of tasks, as they were sent; absent fields are empty, an absent status is PENDING. */
public record TaskFilterForm(
        String status,
        String type,
        String submittedFrom,
        String submittedBefore,
        String worker,
        String idempotencyKey) {

    /** Statuses in the order of a task's life. */
    static final List<TaskStatus> STATUSES = List.of(
            TaskStatus.PENDING,
            TaskStatus.SCHEDULED,
            TaskStatus.RUNNING,
            TaskStatus.COMPLETED,
            TaskStatus.DEAD,
            TaskStatus.CANCELLED);

    public static TaskFilterForm of(HttpRequest<?> request) {
        var status = text(request, "status");
        return new TaskFilterForm(
                status.isEmpty() ? TaskStatus.PENDING.name() : status,
                text(request, "type"),
                text(request, "submittedFrom"),
                text(request, "submittedBefore"),
                text(request, "worker"),
                text(request, "idempotencyKey"));
    }

    /** The form that asks for nothing but that status. */
    public static TaskFilterForm of(TaskStatus status) {
        return new TaskFilterForm(status.name(), "", "", "", "", "");
    }

    /** The form that asks for this filter, to the second. */
    public static TaskFilterForm of(TaskFilter filter) {
        return new TaskFilterForm(
                filter.status().name(),
                Objects.toString(filter.type(), ""),
                Moments.fieldUtc(filter.submittedFrom()),
                Moments.fieldUtc(filter.submittedBefore()),
                Objects.toString(filter.worker(), ""),
                Objects.toString(filter.idempotencyKey(), ""));
    }

    /** @throws InvalidInput on the field that breaks a rule */
    TaskFilter filter() {
        return new TaskFilter(
                askedStatus(),
                type.isEmpty() ? null : new TaskType(type),
                Moments.parseUtc("submittedFrom", submittedFrom),
                Moments.parseUtc("submittedBefore", submittedBefore),
                worker.isEmpty() ? null : new WorkerId(worker),
                idempotencyKey.isEmpty() ? null : idempotencyKey);
    }

    /** @throws InvalidInput {@code INVALID_STATUS} */
    TaskStatus askedStatus() {
        return STATUSES.stream()
                .filter(known -> known.name().equals(status))
                .findFirst()
                .orElseThrow(() -> new InvalidInput(
                        "INVALID_STATUS",
                        "status",
                        "must be one of "
                                + STATUSES.stream().map(TaskStatus::name).collect(joining(", "))));
    }

    /**
     * Tells whether there is a field for the worker: only running tasks are held by one. Public because templates call nothing
     * else.
     */
    public boolean byWorker() {
        return status.equals(TaskStatus.RUNNING.name());
    }

    /** Tells whether it asks for what has no place beside the type. Public because templates call nothing else. */
    public boolean asksForMore() {
        return !Stream.of(submittedFrom, submittedBefore, worker, idempotencyKey)
                .allMatch(String::isEmpty);
    }

    /** Tells whether it asks for anything but a status. */
    boolean narrows() {
        return !type.isEmpty() || asksForMore();
    }

    /** The address with this filter. */
    public Link on(Link list) {
        return list.with("status", status.equals(TaskStatus.PENDING.name()) ? "" : status)
                .with("type", type)
                .with("submittedFrom", submittedFrom)
                .with("submittedBefore", submittedBefore)
                .with("worker", worker)
                .with("idempotencyKey", idempotencyKey);
    }

    /** The same filter of another status: without a key, whose task may have any, and a worker only for running ones. */
    TaskFilterForm in(TaskStatus other) {
        return new TaskFilterForm(
                other.name(), type, submittedFrom, submittedBefore, other == TaskStatus.RUNNING ? worker : "", "");
    }

    /**
     * The same filter, of tasks that were submitted before then, to the second, where it has no earlier bound.
     *
     * @throws InvalidInput where its bound cannot be read
     */
    TaskFilterForm before(Instant instant) {
        var bound = Moments.parseUtc("submittedBefore", submittedBefore);
        return bound == null || bound.isAfter(instant)
                ? new TaskFilterForm(status, type, submittedFrom, Moments.fieldUtc(instant), worker, idempotencyKey)
                : this;
    }

    /**
     * The same filter, for who sees what some workers hold and nothing else: of the first of them, where neither a worker nor tasks
     * that none holds were asked for.
     */
    TaskFilterForm within(TaskSight sight) {
        var workers = sight.workers();
        if (workers == null
                || !worker.isEmpty()
                || !idempotencyKey.isEmpty()
                || !List.of(TaskStatus.PENDING.name(), TaskStatus.RUNNING.name())
                        .contains(status)) {
            return this;
        }
        return workers.stream()
                .sorted()
                .findFirst()
                .map(first ->
                        new TaskFilterForm(TaskStatus.RUNNING.name(), type, submittedFrom, submittedBefore, first, ""))
                .orElse(this);
    }

    /** The filter's types to choose from, with the one that was asked for. */
    List<Choice> types(List<TaskType> known) {
        return Stream.concat(
                        Stream.of(new Choice("", "All types", type.isEmpty())),
                        Stream.concat(known.stream().map(TaskType::value), Stream.of(type))
                                .filter(value -> !value.isEmpty())
                                .distinct()
                                .sorted()
                                .map(value -> new Choice(value, value, value.equals(type))))
                .toList();
    }

    /** The filter as people say it: {@code dead tasks of type labels.print, held by till-7}. */
    static String words(TaskFilter filter) {
        var words = new ArrayList<String>();
        words.add(filter.status().name().toLowerCase(Locale.ROOT) + " tasks"
                + (filter.type() == null ? "" : " of type " + filter.type()));
        if (filter.worker() != null) {
            words.add("held by " + filter.worker());
        }
        if (filter.submittedFrom() != null) {
            words.add("submitted from " + Moments.utcSeconds(filter.submittedFrom()) + " on");
        }
        if (filter.submittedBefore() != null) {
            words.add("submitted before " + Moments.utcSeconds(filter.submittedBefore()));
        }
        return String.join(", ", words);
    }

    private static String text(HttpRequest<?> request, String field) {
        var text = request.getParameters().get(field);
        return text == null ? "" : text.strip();
    }
}
