package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.WorkerId;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
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
import org.jspecify.annotations.Nullable;

/** One task: what it is, what happened to it, and what a person can do with it. */
@RequiresPermission(Permission.TASKS_READ)
@Controller("/tasks/{id}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TaskController {
    /** Says on the page after an action what was done. */
    private static final String DID = "did";

    private static final ListKind HISTORY =
            ListKind.of("tasks/show", "event", "events").newestFirst().refreshed();
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "Nothing has happened yet", "Every step of a task is listed here.", "/tasks", "All tasks");

    private final TaskReads tasks;
    private final TaskAdministration administration;
    private final Operations operations;
    private final Lists lists;
    private final Views views;

    TaskController(
            TaskReads tasks, TaskAdministration administration, Operations operations, Lists lists, Views views) {
        this.tasks = tasks;
        this.administration = administration;
        this.operations = operations;
        this.lists = lists;
        this.views = views;
    }

    /** Asks again by itself while the task is not finished. */
    @Get
    HttpResponse<?> show(HttpRequest<?> request, Access access, String id, @Nullable String did) {
        var task = require(access, new TaskId(id));
        var notice = did == null
                ? null
                : TaskAction.of(did)
                        .map(action -> TaskPage.Notice.of(action, task))
                        .orElse(null);
        return show(request, access, task, notice, null);
    }

    @Get(uri = "/history.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> history(Access access, String id) {
        var task = require(access, new TaskId(id));
        return CsvDownload.of(
                "task-" + id + ".csv", TaskCsv.EVENT_COLUMNS, page -> tasks.history(access, task.id(), page)
                        .map(event -> TaskCsv.row(id, event)));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.TASKS_OPERATE)
    @Get("/{action:cancel|retry|reassign|clone}")
    HttpResponse<?> ask(Access access, String id, String action) {
        var asked = TaskAction.of(action).orElseThrow();
        return ask(asked, require(access, new TaskId(id)), FormKey.fresh(), "", "", null);
    }

    @RequiresPermission(Permission.TASKS_OPERATE)
    @Post("/{action:cancel|retry|reassign|clone}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> act(
            HttpRequest<?> request,
            Access access,
            String id,
            String action,
            @Nullable String reason,
            @Nullable String worker,
            @Nullable String key) {
        var asked = TaskAction.of(action).orElseThrow();
        var taskId = new TaskId(id);
        var givenReason = reason == null ? "" : reason.strip();
        var givenWorker = worker == null ? "" : worker.strip();
        var sentKey = Objects.requireNonNullElseGet(key, FormKey::fresh);
        try {
            return switch (act(
                    access, asked, taskId, givenReason.isEmpty() ? null : givenReason, givenWorker, sentKey)) {
                case TaskResult.Done(var task) -> done(asked, task);
                case TaskResult.NotAllowed(var task, var message) ->
                    show(request, access, task, null, message).status(HttpStatus.CONFLICT);
                case TaskResult.LeaseLost(var lost, var _) ->
                    show(
                                    request,
                                    access,
                                    require(access, lost),
                                    null,
                                    "Its lease has ended meanwhile. Nothing was changed.")
                            .status(HttpStatus.CONFLICT);
                case TaskResult.NotFound(var missing) -> throw TaskWords.notFound(missing);
            };
        } catch (InvalidInput e) {
            if (NotFound.is(e)) {
                throw e;
            }
            return ask(asked, require(access, taskId), FormKey.fresh(), givenWorker, givenReason, Problem.of(e))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private TaskResult act(
            Access access, TaskAction action, TaskId id, @Nullable String reason, String worker, String key) {
        return switch (action) {
            case CANCEL -> administration.cancel(access, id, reason);
            case RETRY -> administration.retry(access, id, reason);
            case REASSIGN -> administration.reassign(access, id, new WorkerId(worker), reason);
            case CLONE ->
                administration
                        .cloneTask(access, id, key)
                        .map(TaskController::cloned)
                        .orElseGet(() -> new TaskResult.NotFound(id));
        };
    }

    private static TaskResult cloned(SubmitResult result) {
        return switch (result) {
            case SubmitResult.Created(var task, var _) -> new TaskResult.Done(task);
            case SubmitResult.Replayed(var task, var _) -> new TaskResult.Done(task);
            case SubmitResult.Conflict(var existing, var _) ->
                throw new InvalidInput(
                        "IDEMPOTENCY_KEY_REUSED", "key", "must be of this form; task " + existing + " has it");
            case SubmitResult.Invalid(var refusal) -> throw refusal;
        };
    }

    private static HttpResponse<?> done(TaskAction action, Task task) {
        return Redirect.to(Link.to("tasks", task.id().value()).with(DID, action.path()));
    }

    private MutableHttpResponse<?> ask(
            TaskAction action, Task task, String key, String worker, String reason, @Nullable Problem problem) {
        return views.page("tasks/action", TaskActionPage.of(action, task, key, worker, reason, problem));
    }

    private MutableHttpResponse<?> show(
            HttpRequest<?> request,
            Access access,
            Task task,
            TaskPage.@Nullable Notice notice,
            @Nullable String refusal) {
        var id = task.id().value();
        return lists.page(request, HISTORY, Link.to("tasks", id), Link.to("tasks", id, "history.csv"))
                .show(
                        page -> tasks.history(access, task.id(), page),
                        content -> view(
                                access,
                                task,
                                content.here(),
                                notice,
                                refusal,
                                content.listing(NOTHING),
                                content.rows(event -> TaskPage.Event.of(access, event))));
    }

    private TaskPage view(
            Access access,
            Task task,
            Link here,
            TaskPage.@Nullable Notice notice,
            @Nullable String refusal,
            Listing history,
            List<TaskPage.Event> events) {
        return TaskPage.of(
                access,
                task,
                operations,
                tasks.payload(access, task),
                tasks.result(access, task).orElse(null),
                tasks.now(),
                here,
                notice,
                refusal,
                history,
                events);
    }

    private Task require(Access access, TaskId id) {
        return tasks.find(access, id).orElseThrow(() -> TaskWords.notFound(id));
    }
}
