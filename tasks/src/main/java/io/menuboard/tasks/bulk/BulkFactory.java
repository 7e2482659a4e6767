package io.menuboard.tasks.bulk;

import io.menuboard.access.CurrentAccess;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Wires bulk operations. */
@Factory
final class BulkFactory {

    @Singleton
    BulkOperations operations(
            TaskSubmission submission,
            TaskAdministration administration,
            TaskReads reads,
            QueryDb db,
            TaskLimits limits,
            CurrentAccess current) {
        return new BulkOperations(
                submission, administration, reads, new DynamoBulkOutcomes(db, limits.retention()), current);
    }

    @Singleton
    @Named("bulk")
    TaskWork work(BulkOperations bulk) {
        return bulk.work();
    }

    @Singleton
    @Named("bulk")
    GraphQlModule graphQl(BulkOperations bulk) {
        return new BulkGraphQl(bulk);
    }
}
