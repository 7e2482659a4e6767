package io.menuboard.webadmin.tasks;

import io.menuboard.access.Permission;
import io.menuboard.tasks.bulk.BulkOperations;
import io.menuboard.webadmin.ui.Link;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;

/** Wires the pages of tasks. */
@Factory
final class TaskPagesFactory {

    @Singleton
    Operations operations(Collection<OperationPage> pages) {
        return new Operations(pages);
    }

    @Singleton
    OperationPage bulkChanges() {
        return new OperationPage(
                BulkOperations.TYPE,
                "Bulk change",
                Permission.TASKS_READ,
                task -> Optional.of(Link.to("tasks", "bulk", task.id().value())));
    }
}
