package io.menuboard.tasks.bulk;

import static io.menuboard.tasks.TasksInput.filter;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.SubmitPayload;
import io.menuboard.tasks.TaskId;

/** Bulk operations of {@code tasks.graphqls} to use cases. */
final class BulkGraphQl implements GraphQlModule {
    private final BulkOperations bulk;

    BulkGraphQl(BulkOperations bulk) {
        this.bulk = bulk;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("bulkPreview", args -> bulk.preview(args.access(), change(args, "preview")));
        parts.query("bulkOperation", args -> bulk.find(args.access(), new TaskId(args.key("id", "BulkOperation")))
                .orElse(null));
        parts.mutation("startBulkOperation", this::startBulkOperation);
        SubmitPayload.fields(parts, "StartBulkOperationPayload")
                .reference("operation", "BulkOperation", SubmitPayload::key);
        parts.object("BulkPreview", BulkPreview.class)
                .field(
                        "count",
                        preview -> preview.countIsLeast()
                                ? Count.atLeast(preview.count())
                                : Count.exactly(preview.count()));
        parts.node(
                        "BulkOperation",
                        BulkStatus.class,
                        BulkGraphQl::key,
                        SchemaParts.NodeReader.of(TaskId::new, bulk::findAll, BulkGraphQl::key))
                .field("key", BulkGraphQl::key)
                .batch("outcomes", (all, args) -> bulk.outcomes(args.access(), all, args.page()));
        parts.object("BulkOutcome", BulkOutcome.class)
                .field("taskKey", BulkOutcome::task)
                .reference("task", "Task", outcome -> outcome.task().value());
    }

    private static String key(BulkStatus operation) {
        return operation.task().id().value();
    }

    private SubmitPayload startBulkOperation(Arguments args) {
        var change = change(args, args.text("reason"));
        return SubmitPayload.of(bulk.start(args.access(), change, args.find("idempotencyKey")), "input");
    }

    private static BulkChange change(Arguments args, String reason) {
        var filter = filter(args);
        try {
            return new BulkChange(BulkChange.Action.valueOf(args.text("action")), filter, reason);
        } catch (InvalidInput e) {
            throw e.field().equals("status") ? e.renamed("statuses").within("filter") : e;
        }
    }
}
