package io.menuboard.tasks.bulk;

import static io.menuboard.tasks.TasksInput.filter;
import static io.menuboard.tasks.TasksInput.id;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.tasks.SubmitPayload;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TasksInput;

/** Bulk operations of {@code tasks.graphqls} to use cases. */
final class BulkGraphQl implements GraphQlModule {
    private final BulkOperations bulk;
    private final TaskReads tasks;

    BulkGraphQl(BulkOperations bulk, TaskReads tasks) {
        this.bulk = bulk;
        this.tasks = tasks;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("bulkPreview", this::bulkPreview);
        parts.query("bulkOperation", args -> bulk.find(id(args)).orElse(null));
        parts.mutation(
                "startBulkOperation",
                this::startBulkOperation,
                refused -> SubmitPayload.of(new SubmitResult.Invalid(refused)));
        parts.object("BulkOperation", BulkStatus.class)
                .field("outcomes", (status, args) -> bulk.outcomes(status.task().id(), args.page()));
    }

    private BulkPreview bulkPreview(Arguments args) {
        var preview = bulk.preview(new BulkChange(action(args), filter(args), "preview"));
        return new BulkPreview(
                preview.count(), preview.countIsLeast(), TasksInput.loaded(tasks, preview.sample(), args));
    }

    private SubmitPayload startBulkOperation(Arguments args) {
        var change = new BulkChange(action(args), filter(args), args.text("reason"));
        return SubmitPayload.of(bulk.start(change, args.find("idempotencyKey"), args.actor()));
    }

    private static BulkChange.Action action(Arguments args) {
        return BulkChange.Action.valueOf(args.text("action"));
    }
}
