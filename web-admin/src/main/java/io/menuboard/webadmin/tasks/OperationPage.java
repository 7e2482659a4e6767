package io.menuboard.webadmin.tasks;

import io.menuboard.access.Permission;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.ui.Link;
import java.util.Optional;
import java.util.function.Function;

/**
 * The name of a type of the application's own long operations and the page that shows one, contributed as a bean by the
 * feature that runs them.
 *
 * @param permission what it takes to open the page of one
 * @param link the page of one operation; empty where there is none but the task's own
 */
public record OperationPage(TaskType type, String name, Permission permission, Function<Task, Optional<Link>> link) {

    /** An operation that its payload leads to. */
    public static OperationPage of(
            TaskType type, String name, Permission permission, Function<Json, Optional<Link>> link) {
        return new OperationPage(type, name, permission, task -> Optional.ofNullable(task.payload())
                .flatMap(link));
    }

    /** An operation that only its task shows. */
    public static OperationPage of(TaskType type, String name) {
        return new OperationPage(type, name, Permission.TASKS_READ, _ -> Optional.empty());
    }
}
