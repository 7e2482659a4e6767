package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.WorkerReads;
import io.menuboard.tasks.claims.WorkerStatus;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.ListPage;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Workers, and the tasks that each holds. */
@RequiresPermission(Permission.TASKS_READ)
@Controller("/tasks")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class WorkersController {
    private static final ListKind WORKERS = ListKind.of("tasks/workers", "worker", "workers");
    private static final ListKind HELD = ListKind.of("tasks/worker", "task held", "tasks held");
    private static final List<String> COLUMNS = List.of("worker", "types", "firstSeen", "lastSeen", "claims");

    private static final Listing.Empty NO_WORKERS = new Listing.Empty(
            "No worker has asked for work within a day",
            "Workers claim tasks through GraphQL; each is listed here from its first claim on.",
            "/tasks",
            "Show pending tasks");

    private final WorkerReads workers;
    private final TaskReads tasks;
    private final Lists lists;

    WorkersController(WorkerReads workers, TaskReads tasks, Lists lists) {
        this.workers = workers;
        this.tasks = tasks;
        this.lists = lists;
    }

    @Get("/workers")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var now = tasks.now();
        return lists.page(request, WORKERS, Link.to("tasks", "workers"), Link.to("tasks", "workers.csv"))
                .show(page -> workers.list(access, page), content -> {
                    var claims = content.isRefused() ? Map.<WorkerId, List<Task>>of() : workers.claims(access);
                    return new WorkersPage(
                            content.listing(NO_WORKERS),
                            content.rows(status -> WorkersPage.Row.of(status, count(claims, status), now)));
                });
    }

    @Get(uri = "/workers.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        var claims = workers.claims(access);
        return CsvDownload.of("workers.csv", COLUMNS, page -> workers.list(access, page)
                .map(status -> List.of(
                        status.worker().value(),
                        WorkersPage.typeNames(status),
                        status.firstSeen().toString(),
                        status.lastSeen().toString(),
                        Integer.toString(count(claims, status)))));
    }

    @Get("/workers/{worker}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String worker) {
        var id = new WorkerId(worker);
        var now = tasks.now();
        var seen = workers.find(access, id)
                .map(status -> WorkerPage.Seen.of(status, now))
                .orElse(null);
        var export = new TaskFilterForm(TaskStatus.RUNNING.name(), "", "", "", worker, "").on(Link.to("tasks.csv"));
        return lists.page(request, HELD, Link.to("tasks", "workers", worker), export)
                .show(page -> held(access, id, seen != null, page), content -> view(access, worker, seen, content));
    }

    /** @param known whether the worker asked for work lately; one that did not and holds nothing is not found */
    private Page<Task> held(Access access, WorkerId worker, boolean known, PageRequest page) {
        var held = tasks.list(access, new TaskFilter(TaskStatus.RUNNING, null, null, null, worker, null), page);
        if (!known && held.edges().isEmpty()) {
            throw TaskWords.notFound(worker);
        }
        return held;
    }

    private WorkerPage view(Access access, String worker, WorkerPage.@Nullable Seen seen, ListPage.Content<Task> held) {
        var now = tasks.now();
        var everything = access.isForAll(Permission.TASKS_READ);
        return new WorkerPage(
                everything,
                worker,
                Link.to("tasks", "workers", worker).toString(),
                seen,
                held.listing(new Listing.Empty(
                        "It holds nothing now",
                        "Tasks are listed here from their claim until they end.",
                        TaskFilterForm.of(TaskStatus.RUNNING)
                                .on(Link.to("tasks"))
                                .toString(),
                        everything ? "Show all running tasks" : "Show running tasks")),
                held.rows(task -> WorkerPage.Row.of(task, now)));
    }

    private static int count(Map<WorkerId, List<Task>> claims, WorkerStatus status) {
        return claims.getOrDefault(status.worker(), List.of()).size();
    }
}
