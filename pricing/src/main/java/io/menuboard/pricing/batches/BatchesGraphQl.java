package io.menuboard.pricing.batches;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code batches.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class BatchesGraphQl implements GraphQlModule {
    /** No id has one. */
    private static final String SEPARATOR = "#";

    private static final int PARTS = 3;

    private final ChangeBatches batches;
    private final Stores stores;

    BatchesGraphQl(ChangeBatches batches, Stores stores) {
        this.batches = batches;
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("batches");
        parts.query("upcomingPriceChanges", this::upcoming);
        parts.query(
                "scheduledBatches",
                args -> batches.between(args.access(), args.get("from"), args.get("to"), args.page()));
        parts.object("UpcomingPriceChange", UpcomingChange.class)
                .field("changeSetKey", UpcomingChange::changeSet)
                .reference(
                        "changeSet", "ChangeSet", change -> change.changeSet().value());
        parts.node(
                        "ScheduledBatch",
                        ScheduledBatch.class,
                        BatchesGraphQl::key,
                        NodeReader.of(BatchesGraphQl::batch, batches::findAll, BatchesGraphQl::key))
                .field("channel", scheduled -> scheduled.batch().channel())
                .field("effectiveDate", scheduled -> scheduled.batch().effectiveDate())
                .field("startsAt", ScheduledBatch::at)
                .field("changeSets", (scheduled, args) -> changeSets(scheduled, args.page()))
                .reference(
                        "store",
                        PricingInput.STORE,
                        scheduled -> scheduled.batch().store().value());
        parts.object("ScheduledBatchChangeSet", Part.class)
                .field("changeSetKey", Part::changeSet)
                .reference("changeSet", "ChangeSet", part -> part.changeSet().value());
    }

    private static String key(ScheduledBatch scheduled) {
        var batch = scheduled.batch();
        return batch.store() + SEPARATOR + batch.channel() + SEPARATOR + batch.effectiveDate();
    }

    private static PriceBatch batch(String key) {
        var parts = key.split(SEPARATOR, -1);
        if (parts.length != PARTS) {
            throw new InvalidInput("INVALID_ID", "id", "must name a store, a channel and an effective date");
        }
        return new PriceBatch(new StoreId(parts[0]), new Channel(parts[1]), EffectiveDate.parse(parts[2]));
    }

    private @Nullable Object upcoming(Arguments args) {
        var store = PricingInput.store(args);
        var channel = PricingInput.channel(args);
        Instant from = args.find("from");
        Instant to = args.find("to");
        var page = args.page();
        var access = args.access();
        return stores.find(access, store).isEmpty() ? null : batches.upcoming(access, store, channel, from, to, page);
    }

    /** Changes of one set in a batch. */
    record Part(ChangeSetId changeSet, int size) {}

    private static Page<Part> changeSets(ScheduledBatch scheduled, PageRequest page) {
        var parts = scheduled.changes().entrySet().stream()
                .map(set -> new Part(set.getKey(), set.getValue()))
                .toList();
        return Page.of(parts, part -> part.changeSet().value(), page);
    }
}
