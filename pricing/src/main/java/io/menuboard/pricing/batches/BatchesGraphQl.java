package io.menuboard.pricing.batches;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.PricingInput;
import java.util.List;

/** {@code batches.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class BatchesGraphQl implements GraphQlModule {
    /** Most batches of one answer: a night of a chain of thousands of stores. */
    static final int MOST_BATCHES = 20_000;

    private final ChangeBatches batches;

    BatchesGraphQl(ChangeBatches batches) {
        this.batches = batches;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("batches");
        parts.query(
                "priceChanges",
                args -> batches.upcoming(
                        PricingInput.store(args),
                        PricingInput.channel(args),
                        args.find("from"),
                        args.find("to"),
                        args.page()));
        parts.query("scheduledBatches", this::scheduled);
        parts.object("ScheduledBatch", ScheduledBatch.class)
                .field("store", scheduled -> scheduled.batch().store())
                .field("channel", scheduled -> scheduled.batch().channel())
                .field("effectiveDate", scheduled -> scheduled.batch().effectiveDate())
                .field("startsAt", ScheduledBatch::at)
                .field("changeSets", scheduled -> scheduled.changes().keySet());
    }

    private List<ScheduledBatch> scheduled(Arguments args) {
        var found = batches.between(args.get("from"), args.get("to"));
        if (found.size() > MOST_BATCHES) {
            throw new InvalidInput(
                    "RANGE_TOO_LARGE",
                    "to",
                    "must be nearer to from: at most " + MOST_BATCHES + " batches are listed, and there are "
                            + found.size());
        }
        return found;
    }
}
