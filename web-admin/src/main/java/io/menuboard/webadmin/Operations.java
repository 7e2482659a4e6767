package io.menuboard.webadmin;

import io.menuboard.pricing.ImportTasks;
import io.menuboard.tasks.BulkOperations;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskType;
import org.jspecify.annotations.Nullable;

/** The application's own long operations, as pages name and link them. */
final class Operations {
    private Operations() {}

    /** {@code Import} of {@code menuboard.import}. */
    static String name(TaskType type) {
        var name = type.value().substring(TaskType.OPERATION_PREFIX.length());
        return type.equals(BulkOperations.TYPE)
                ? "Bulk change"
                : Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('.', ' ');
    }

    /** The page that shows what it does; null where there is none but the task's own. */
    static @Nullable Link page(Task task) {
        if (task.type().equals(BulkOperations.TYPE)) {
            return Link.to("tasks", "bulk", task.id().value());
        }
        var payload = task.payload();
        return payload == null || !task.type().equals(ImportTasks.TYPE)
                ? null
                : ImportTasks.importOf(payload)
                        .map(id -> Link.to("imports", id.value()))
                        .orElse(null);
    }
}
