package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSight;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.statistics.TaskStatistics;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tasks by status, and how their queues stand. */
@RequiresPermission(Permission.TASKS_READ)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TasksController {
    private static final ListKind LIST = ListKind.of("tasks/list", "task", "tasks");
    private static final Listing.Empty NOTHING_OWN = new Listing.Empty(
            "No running tasks match",
            "Tasks of a worker are listed here from their claim until they end.",
            "/tasks",
            "Show all that it holds");

    private final TaskReads tasks;
    private final TaskStatistics statistics;
    private final RecentCounts recent;
    private final Lists lists;

    TasksController(TaskReads tasks, TaskStatistics statistics, RecentCounts recent, Lists lists) {
        this.tasks = tasks;
        this.statistics = statistics;
        this.recent = recent;
        this.lists = lists;
    }

    @Get("/tasks")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var sight = TaskSight.of(access, Permission.TASKS_READ);
        var form = TaskFilterForm.of(request).within(sight);
        var now = tasks.now();
        // What stands above the list costs more than the list, so it is only read where it is shown.
        var whole = sight.isAll() && !Views.wantsFragment(request);
        var types = whole ? tasks.types(access) : List.<TaskType>of();
        var counts = whole ? recent.get(access) : null;
        return lists.page(
                        request,
                        LIST.filteredBy(fields(form)),
                        form.on(Link.to("tasks")),
                        form.on(Link.to("tasks.csv")))
                .show(
                        page -> tasks.list(access, form.filter(), page),
                        content -> TasksPage.of(
                                form,
                                sight.isAll(),
                                counts == null || counts.queues().isEmpty() ? null : panel(access, counts),
                                types,
                                content.isRefused() || !sight.isAll() ? Map.of() : recent.counts(access, form),
                                content.listing(() -> sight.isAll() ? nothing(form) : NOTHING_OWN),
                                content.rows(task -> TasksPage.Row.of(task, now)),
                                content.isRefused() || !access.isForAll(Permission.TASKS_OPERATE)
                                        ? List.of()
                                        : bulk(form)));
    }

    @Get(uri = "/tasks.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(HttpRequest<?> request, Access access) {
        var filter = TaskFilterForm.of(request).filter();
        return CsvDownload.of("tasks.csv", TaskCsv.TASK_COLUMNS, page -> tasks.list(access, filter, page)
                .map(TaskCsv::row));
    }

    private QueuesPanel panel(Access access, RecentCounts.Counts counts) {
        return QueuesPanel.of(counts.queues(), statistics.counts(access, TaskRates.begin(counts.at())), counts.at());
    }

    /** Changes that can be made to all of them; none to what a key finds, which is one task. */
    private static List<TasksPage.BulkLink> bulk(TaskFilterForm form) {
        if (!form.idempotencyKey().isEmpty()) {
            return List.of();
        }
        var action =
                switch (form.askedStatus()) {
                    case PENDING, SCHEDULED, RUNNING -> BulkChange.Action.CANCEL;
                    case DEAD, CANCELLED -> BulkChange.Action.RETRY;
                    case COMPLETED -> null;
                };
        return action == null
                ? List.of()
                : List.of(new TasksPage.BulkLink(
                        BulkPreviewPage.address(action, form).toString(),
                        BulkPreviewPage.verb(action) + " all that match"));
    }

    private static List<String> fields(TaskFilterForm form) {
        var fields = new ArrayList<>(List.of("type", "submittedFrom", "submittedBefore", "idempotencyKey"));
        if (form.byWorker()) {
            fields.add("worker");
        }
        return fields;
    }

    private static Listing.Empty nothing(TaskFilterForm form) {
        if (!form.idempotencyKey().isEmpty()) {
            return new Listing.Empty(
                    "No task has the idempotency key “" + form.idempotencyKey() + "”",
                    "Keys are kept for a limited time, and must be written exactly as they were sent.",
                    "/tasks",
                    "Clear the filter");
        }
        var status = form.askedStatus();
        var name = TaskWords.badge(status).label().toLowerCase(Locale.ROOT);
        if (form.narrows()) {
            return new Listing.Empty(
                    "No " + name + " tasks match",
                    "Tasks of another status, type or time may.",
                    TaskFilterForm.of(status).on(Link.to("tasks")).toString(),
                    "Show all " + name + " tasks");
        }
        return switch (status) {
            case PENDING ->
                new Listing.Empty(
                        "Nothing is pending",
                        "Every task is claimed, due later or finished. Clients submit new ones through GraphQL.",
                        address(TaskStatus.RUNNING),
                        "Show running tasks");
            case SCHEDULED ->
                new Listing.Empty(
                        "Nothing is scheduled",
                        "Tasks that were submitted for later, or wait for their next attempt, are listed here.",
                        address(TaskStatus.PENDING),
                        "Show pending tasks");
            case RUNNING ->
                new Listing.Empty(
                        "Nothing is running",
                        "Tasks are listed here while a worker holds them. Look whether there are workers.",
                        "/tasks/workers",
                        "Show the workers");
            case COMPLETED, DEAD, CANCELLED ->
                new Listing.Empty(
                        "No " + name + " tasks",
                        "Finished tasks are kept for a limited time.",
                        address(TaskStatus.PENDING),
                        "Show pending tasks");
        };
    }

    private static String address(TaskStatus status) {
        return TaskFilterForm.of(status).on(Link.to("tasks")).toString();
    }
}
