package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.bulk.BulkOperations;
import io.menuboard.tasks.bulk.BulkStatus;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes to every task that a filter finds: the question before, and what became of each. */
@RequiresPermission(Permission.TASKS_READ)
@Controller("/tasks/bulk")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class BulkController {
    /** A preview has none yet, and every change needs one. */
    private static final String REASON_TO_COME = "not given yet";

    private static final List<String> COLUMNS = List.of("task", "changed", "message");
    private static final ListKind OUTCOMES =
            ListKind.of("tasks/bulk", "task", "tasks").refreshed();

    private final BulkOperations bulk;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    BulkController(BulkOperations bulk, TaskReads tasks, Lists lists, Views views) {
        this.bulk = bulk;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Shows the tasks that would be changed, and the form that has it done. */
    @RequiresPermission(Permission.TASKS_OPERATE)
    @Get
    HttpResponse<?> preview(HttpRequest<?> request, Access access) {
        return preview(request, access, FormKey.fresh(), "", null, null);
    }

    @RequiresPermission(Permission.TASKS_OPERATE)
    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> start(HttpRequest<?> request, Access access, @Nullable String reason, @Nullable String key) {
        var given = reason == null ? "" : reason.strip();
        var change = change(request, TaskFilterForm.of(request), REASON_TO_COME);
        var sentKey = Objects.requireNonNullElseGet(key, FormKey::fresh);
        try {
            var asked = new BulkChange(change.action(), change.filter(), given);
            return switch (bulk.start(access, asked, sentKey)) {
                case SubmitResult.Created(var task, var _) -> redirect(task.id());
                case SubmitResult.Replayed(var task, var _) -> redirect(task.id());
                case SubmitResult.Conflict(var existing, var _) ->
                    preview(request, access, FormKey.fresh(), given, null, existing)
                            .status(HttpStatus.CONFLICT);
                case SubmitResult.Invalid(var refusal) -> throw refusal;
            };
        } catch (InvalidInput e) {
            return preview(request, access, sentKey, given, Problem.of(e), null).status(HttpStatus.BAD_REQUEST);
        }
    }

    /** Asks again by itself while it goes on. */
    @Get("/{id}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String id) {
        var status = require(access, id);
        var export = Link.to("tasks", "bulk", id, "outcomes.csv");
        return lists.page(request, OUTCOMES, BulkPage.link(status.task()), export)
                .show(
                        page -> bulk.outcomes(access, status.task().id(), page),
                        content -> BulkPage.of(
                                access,
                                status,
                                content.here(),
                                content.listing(nothing(status)),
                                content.page().nodes()));
    }

    @Get(uri = "/{id}/outcomes.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> outcomes(Access access, String id) {
        var status = require(access, id);
        return CsvDownload.of("outcomes.csv", COLUMNS, page -> bulk.outcomes(
                        access, status.task().id(), page)
                .map(outcome -> List.of(
                        outcome.task().value(),
                        Boolean.toString(outcome.changed()),
                        Objects.requireNonNullElse(outcome.message(), ""))));
    }

    private MutableHttpResponse<?> preview(
            HttpRequest<?> request,
            Access access,
            String key,
            String reason,
            @Nullable Problem problem,
            @Nullable TaskId started) {
        // What is submitted while the question is read was not counted, and is not changed.
        var filter = TaskFilterForm.of(request).before(tasks.now().plusSeconds(1));
        var change = change(request, filter, REASON_TO_COME);
        var preview = bulk.preview(access, change);
        var operation = started == null ? null : Link.to("tasks", "bulk", started.value());
        if (preview.count() == 0) {
            return views.page("nothing", BulkPreviewPage.nothing(change, preview, filter, operation));
        }
        var sent = new BulkPreviewPage.Sent(filter, key, reason);
        return views.page(
                "tasks/bulk-preview", BulkPreviewPage.of(change, preview, sent, problem, operation, tasks.now()));
    }

    /** @throws InvalidInput where the address asks for nothing that can be done to many tasks */
    private static BulkChange change(HttpRequest<?> request, TaskFilterForm form, String reason) {
        var asked = request.getParameters().get("action");
        var action = Stream.of(BulkChange.Action.values())
                .filter(known -> known.name().equals(asked))
                .findFirst()
                .orElseThrow(() -> new InvalidInput("INVALID_ACTION", "action", "must be CANCEL or RETRY"));
        return new BulkChange(action, filter(form), reason);
    }

    private static TaskFilter filter(TaskFilterForm form) {
        var filter = form.filter();
        if (filter.idempotencyKey() != null) {
            throw new InvalidInput("INVALID_FILTER", "idempotencyKey", "finds one task; change that one on its page");
        }
        return filter;
    }

    private BulkStatus require(Access access, String id) {
        var task = new TaskId(id);
        return bulk.find(access, task).orElseThrow(() -> TaskWords.notFound(task));
    }

    private static HttpResponse<?> redirect(TaskId operation) {
        return Redirect.to(Link.to("tasks", "bulk", operation.value()));
    }

    private static Listing.Empty nothing(BulkStatus status) {
        return status.task().status().isFinished()
                ? new Listing.Empty(
                        "No task was changed",
                        "When it began, nothing matched any more, or it was cancelled before.",
                        "/tasks",
                        "All tasks")
                : new Listing.Empty(
                        "Nothing has been changed yet",
                        "What becomes of each task is listed here.",
                        "/tasks",
                        "All tasks");
    }
}
