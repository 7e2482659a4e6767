package io.menuboard.pricing.imports;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Wires imports. */
@Factory
final class ImportFactory {

    @Singleton
    Imports imports(
            QueryDb db,
            Stores stores,
            ChangeSetDrafts drafts,
            AuditTrail audit,
            TableClock clock,
            ImportConfig config) {
        return new Imports(
                stores, drafts, new DynamoImports(db, audit, config.keptFor()), clock, new SecureRandom(), config);
    }

    @Singleton
    ImportTasks importTasks(Imports imports, TaskWorkers workers) {
        return new ImportTasks(imports, workers);
    }

    @Singleton
    @Named("import")
    TaskWork importWork() {
        return ImportTasks.work();
    }

    @Singleton
    RepeatableImports repeatableImports(QueryDb db, Imports imports, ImportTasks tasks, TableClock clock) {
        return new RepeatableImports(imports, tasks, new IdempotencyKeys(db, "imports"), clock, new SecureRandom());
    }

    @Singleton
    GraphQlModule importsGraphQl(Imports imports, ImportTasks tasks, RepeatableImports repeatable) {
        return new ImportsGraphQl(imports, tasks, repeatable);
    }
}
