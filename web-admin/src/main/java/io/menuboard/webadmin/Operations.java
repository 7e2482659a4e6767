package io.menuboard.webadmin;

import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.favorites.Recounts;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.events.PriceEventReplay;
import io.menuboard.pricing.imports.ImportTasks;
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
        if (type.equals(BulkOperations.TYPE)) {
            return "Bulk change";
        }
        if (type.equals(ReportRuns.TYPE)) {
            return "Report run";
        }
        if (type.equals(PriceEventReplay.TYPE)) {
            return "Price event replay";
        }
        return type.equals(ChangeSets.TYPE)
                ? "Price changes"
                : Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('.', ' ');
    }

    /** The page that shows what it does; null where there is none but the task's own. */
    static @Nullable Link page(Task task) {
        if (task.type().equals(BulkOperations.TYPE)) {
            return Link.to("tasks", "bulk", task.id().value());
        }
        var payload = task.payload();
        if (payload == null) {
            return null;
        }
        if (task.type().equals(ChangeSets.TYPE)) {
            return ChangeSets.changeSetOf(payload).map(ChangeWords::link).orElse(null);
        }
        if (task.type().equals(ReportRuns.TYPE)) {
            return ReportRuns.runOf(payload).map(BillingWords::link).orElse(null);
        }
        if (task.type().equals(Recounts.TYPE)) {
            return Recounts.recountOf(payload).map(FavoriteWords::link).orElse(null);
        }
        return task.type().equals(ImportTasks.TYPE)
                ? ImportTasks.importOf(payload)
                        .map(id -> Link.to("imports", id.value()))
                        .orElse(null)
                : null;
    }
}
