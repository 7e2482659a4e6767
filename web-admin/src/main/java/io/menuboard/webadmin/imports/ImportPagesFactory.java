package io.menuboard.webadmin.imports;

import io.menuboard.access.Permission;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.StagedImports;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.tasks.OperationPage;
import io.menuboard.webadmin.ui.Link;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the pages of imports. */
@Factory
final class ImportPagesFactory {

    @Singleton
    @Bean(preDestroy = "close")
    ImportRunner importRunner(Imports imports, ImportTasks tasks, StagedImports staged) {
        return new ImportRunner(imports, tasks, staged);
    }

    @Singleton
    OperationPage imports() {
        return page(ImportTasks.TYPE, "Import");
    }

    @Singleton
    OperationPage importsOfUploads() {
        return page(StagedImports.TYPE, "Import of uploaded files");
    }

    private static OperationPage page(TaskType type, String name) {
        return OperationPage.of(type, name, Permission.PRICES_READ, payload -> ImportTasks.importOf(payload)
                .map(id -> Link.to("imports", id.value())));
    }
}
