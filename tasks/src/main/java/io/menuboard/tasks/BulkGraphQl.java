package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.actor;
import static io.menuboard.tasks.TasksInput.filter;
import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.page;
import static io.menuboard.tasks.TasksInput.source;
import static io.menuboard.tasks.TasksInput.text;

import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;

/** Bulk operations of {@code tasks.graphqls} to use cases. */
final class BulkGraphQl {
    private final BulkOperations bulk;
    private final TaskReads tasks;
    private final PageLimits limits;

    BulkGraphQl(BulkOperations bulk, TaskReads tasks, PageLimits limits) {
        this.bulk = bulk;
        this.tasks = tasks;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("bulkPreview", this::bulkPreview)
                .dataFetcher("bulkOperation", args -> bulk.find(id(args)).orElse(null))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("startBulkOperation", this::startBulkOperation)
                .build();
    }

    TypeRuntimeWiring bulkOperation() {
        return TypeRuntimeWiring.newTypeWiring("BulkOperation")
                .dataFetcher(
                        "outcomes",
                        args -> bulk.outcomes(
                                source(args, BulkStatus.class).task().id(), page(args, limits)))
                .build();
    }

    private BulkPreview bulkPreview(DataFetchingEnvironment args) {
        var preview = bulk.preview(new BulkChange(action(args), filter(args), "preview"));
        return new BulkPreview(
                preview.count(), preview.countIsLeast(), TasksInput.loaded(tasks, preview.sample(), args));
    }

    private SubmitPayload startBulkOperation(DataFetchingEnvironment args) {
        try {
            var change = new BulkChange(action(args), filter(args), text(args, "reason"));
            return SubmitPayload.of(bulk.start(change, args.getArgument("idempotencyKey"), actor(args)));
        } catch (InvalidInput e) {
            return SubmitPayload.of(new SubmitResult.Invalid(e));
        }
    }

    private static BulkChange.Action action(DataFetchingEnvironment args) {
        return BulkChange.Action.valueOf(text(args, "action"));
    }
}
