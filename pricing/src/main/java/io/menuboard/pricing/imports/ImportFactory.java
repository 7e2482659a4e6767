package io.menuboard.pricing.imports;

import io.menuboard.access.CurrentAccess;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** Wires imports. */
@Factory
final class ImportFactory {
    /** In each instance. */
    private static final int UPLOADS_AT_ONCE = 2;

    @Singleton
    ImportLife importLife(TableClock clock, ImportConfig config, TaskReads tasks) {
        return new ImportLife(clock, config, tasks);
    }

    @Singleton
    Imports imports(QueryDb db, Stores stores, ChangeSetDrafts drafts, AuditTrail audit, ImportLife life) {
        return new Imports(
                stores, drafts, new DynamoImports(db, audit, life.config().keptFor()), new SecureRandom(), life);
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
        return new RepeatableImports(imports, tasks, keys(db), clock, new SecureRandom());
    }

    /** The keys of all mutations that import are of one kind. */
    private static IdempotencyKeys keys(QueryDb db) {
        return new IdempotencyKeys(db, "imports");
    }

    /** @param files null where no place for uploads is configured */
    @Singleton
    Uploads uploads(QueryDb db, @Nullable StagedFiles files, TableClock clock, UploadConfig config) {
        return new Uploads(
                new DynamoUploads(db), files, new IdempotencyKeys(db, "uploads"), clock, new SecureRandom(), config);
    }

    @Singleton
    StagedImports stagedImports(
            QueryDb db,
            Imports imports,
            Uploads uploads,
            TaskSubmission submission,
            CurrentAccess current,
            TableClock clock) {
        return new StagedImports(imports, uploads, submission, keys(db), current, clock);
    }

    /** Change sets, which imports draft, have tasks that the same workers do. */
    @Singleton
    @Named("import-upload")
    @Requires(beans = StagedFiles.class)
    TaskWork importUploadWork(Provider<StagedImports> imports) {
        return new TaskWork(
                StagedImports.TYPE, UPLOADS_AT_ONCE, run -> imports.get().handle(run));
    }

    @Singleton
    GraphQlModule importsGraphQl(
            Imports imports, ImportTasks tasks, RepeatableImports repeatable, StagedImports staged) {
        return new ImportsGraphQl(imports, tasks, repeatable, staged);
    }

    @Singleton
    GraphQlModule uploadsGraphQl(Uploads uploads) {
        return new UploadsGraphQl(uploads);
    }
}
