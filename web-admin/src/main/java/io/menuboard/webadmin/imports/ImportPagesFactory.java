package io.menuboard.webadmin.imports;

import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
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
    ImportRunner importRunner(Imports imports, ImportTasks tasks) {
        return new ImportRunner(imports, tasks);
    }

    @Singleton
    OperationPage imports() {
        return OperationPage.of(ImportTasks.TYPE, "Import", payload -> ImportTasks.importOf(payload)
                .map(id -> Link.to("imports", id.value())));
    }
}
