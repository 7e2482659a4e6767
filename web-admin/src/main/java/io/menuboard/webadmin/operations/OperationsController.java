package io.menuboard.webadmin.operations;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.tasks.Operations;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.stream.Stream;

/** The application's own long operations in one place: what runs, what waits, and what came of the last ones. */
@RequiresPermission(Permission.OPERATIONS_READ)
@Controller("/operations")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class OperationsController {
    /** Most of each list; the lists of tasks have all. */
    private static final int SHOWN = 20;

    private final TaskReads tasks;
    private final Operations operations;
    private final Views views;

    OperationsController(TaskReads tasks, Operations operations, Views views) {
        this.operations = operations;
        this.tasks = tasks;
        this.views = views;
    }

    /** Asks again by itself while something runs or waits. */
    @Get
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var types = tasks.types(access).stream().filter(TaskType::isOperation).toList();
        var page = OperationsPage.of(
                access,
                first(access, types, TaskStatus.RUNNING),
                first(access, types, TaskStatus.PENDING).and(first(access, types, TaskStatus.SCHEDULED)),
                last(access, types),
                types,
                operations,
                tasks.now());
        return views.refreshed(request, "operations/list", page);
    }

    private OperationsPage.First first(Access access, List<TaskType> types, TaskStatus status) {
        var firstOfEach = PageRequest.forward(SHOWN, null);
        return types.stream()
                .map(type -> filter(type, status))
                .map(filter -> OperationsPage.First.of(filter, tasks.list(access, filter, firstOfEach)))
                .reduce(OperationsPage.First.NONE, OperationsPage.First::and)
                .sorted();
    }

    private List<Task> last(Access access, List<TaskType> types) {
        return Stream.of(TaskStatus.values())
                .filter(TaskStatus::isFinished)
                .flatMap(status -> last(access, types, status))
                .sorted(comparing(Task::changedAt, reverseOrder()))
                .limit(SHOWN)
                .toList();
    }

    private Stream<Task> last(Access access, List<TaskType> types, TaskStatus status) {
        return types.stream()
                .map(type -> tasks.list(access, filter(type, status), PageRequest.backward(SHOWN, null)))
                .flatMap(page -> page.nodes().stream());
    }

    private static TaskFilter filter(TaskType type, TaskStatus status) {
        return new TaskFilter(status, type, null, null, null, null);
    }
}
