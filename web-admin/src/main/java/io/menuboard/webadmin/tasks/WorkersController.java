package io.menuboard.webadmin.tasks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.WorkerStatus;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who works on tasks, and what each holds. */
@Controller("/tasks")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class WorkersController {
    private static final List<String> FIELDS = List.of();
    private static final List<String> COLUMNS = List.of("worker", "types", "firstSeen", "lastSeen", "claims");
    private static final Listing.Noun WORKER = new Listing.Noun("worker", "workers");
    private static final Listing.Noun CLAIM = new Listing.Noun("task held", "tasks held");
    private static final Listing.Empty NO_WORKERS = new Listing.Empty(
            "No worker has asked for work within a day",
            "Workers claim tasks through GraphQL; each is listed here from its first claim on.",
            "/tasks",
            "Show pending tasks");

    private final TaskReads tasks;
    private final PageLimits limits;
    private final Views views;

    WorkersController(TaskReads tasks, PageLimits limits, Views views) {
        this.tasks = tasks;
        this.limits = limits;
        this.views = views;
    }

    @Get("/workers")
    HttpResponse<?> list(HttpRequest<?> request) {
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var link = Link.to("tasks", "workers");
        try {
            var page = tasks.workers(paging.request());
            var claims = tasks.claims();
            var now = tasks.now();
            var rows = page.nodes().stream()
                    .map(status -> WorkersPage.Row.of(status, count(claims, status), now))
                    .toList();
            var listing = Listing.of(FIELDS, paging, link, Link.to("tasks", "workers.csv"), page, WORKER, NO_WORKERS);
            return views.live(request, "tasks/workers", new WorkersPage(listing, rows), paging.keep(link));
        } catch (InvalidInput e) {
            var listing = Listing.refused(FIELDS, paging, link, e);
            return views.live(request, "tasks/workers", new WorkersPage(listing, List.of()), link)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/workers.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export() {
        var claims = tasks.claims();
        return CsvDownload.of("workers.csv", COLUMNS, page -> tasks.workers(page)
                .map(status -> List.of(
                        status.worker().value(),
                        WorkersPage.typeNames(status),
                        status.firstSeen().toString(),
                        status.lastSeen().toString(),
                        Integer.toString(count(claims, status)))));
    }

    @Get("/workers/{worker}")
    HttpResponse<?> show(HttpRequest<?> request, String worker) {
        var id = new WorkerId(worker);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var link = Link.to("tasks", "workers", worker);
        var now = tasks.now();
        var seen =
                tasks.worker(id).map(status -> WorkerPage.Seen.of(status, now)).orElse(null);
        try {
            var page = tasks.list(held(id), paging.request());
            if (seen == null && page.edges().isEmpty()) {
                throw TaskWords.notFound(id);
            }
            var export = new TaskFilterForm(TaskStatus.RUNNING.name(), "", "", "", worker, "").on(Link.to("tasks.csv"));
            var empty = new Listing.Empty(
                    "It holds nothing now",
                    "Tasks are listed here from their claim until they end.",
                    TaskFilterForm.of(TaskStatus.RUNNING).on(Link.to("tasks")).toString(),
                    "Show all running tasks");
            var listing = Listing.of(FIELDS, paging, link, export, page, CLAIM, empty);
            return views.live(request, "tasks/worker", view(worker, seen, listing, page.nodes()), paging.keep(link));
        } catch (InvalidInput e) {
            if (NotFound.is(e)) {
                throw e;
            }
            var listing = Listing.refused(FIELDS, paging, link, e);
            return views.live(request, "tasks/worker", view(worker, seen, listing, List.of()), link)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private WorkerPage view(String worker, WorkerPage.@Nullable Seen seen, Listing listing, List<Task> held) {
        var now = tasks.now();
        return new WorkerPage(
                worker,
                Link.to("tasks", "workers", worker).toString(),
                seen,
                listing,
                held.stream().map(task -> WorkerPage.Row.of(task, now)).toList());
    }

    private static TaskFilter held(WorkerId worker) {
        return new TaskFilter(TaskStatus.RUNNING, null, null, null, worker, null);
    }

    private static int count(Map<WorkerId, List<Task>> claims, WorkerStatus status) {
        return claims.getOrDefault(status.worker(), List.of()).size();
    }
}
