package io.menuboard.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tasks and workers that somebody may see or work on: all of them, or those of some workers alone. A task is a worker's while that
 * worker holds its lease, and afterwards until another one does. Whoever has a permission for some stores only sees none: tasks
 * are of no store.
 *
 * @param workers names; null for all tasks
 */
public record TaskSight(@Nullable Set<String> workers) {

    /**
     * The part that the permission is for.
     *
     * @throws io.menuboard.access.Denied without it
     */
    public static TaskSight of(Access access, Permission permission) {
        access.require(permission);
        return new TaskSight(access.only(permission, Kind.WORKER).orElse(null));
    }

    /** True if it is not limited. */
    public boolean isAll() {
        return workers == null;
    }

    public boolean has(@Nullable WorkerId worker) {
        return workers == null || (worker != null && workers.contains(worker.value()));
    }

    /** True if the last attempt at the task is, or was, that of a worker in sight. */
    public boolean has(Task task) {
        return has(task.worker());
    }

    /** True if the filter lets no tasks through but those that a worker in sight holds. */
    public boolean hasAllOf(TaskFilter filter) {
        return workers == null || (filter.worker() != null && has(filter.worker()));
    }
}
