package io.menuboard.pricing.chunks;

import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.batches.DynamoPendingChanges;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires plans of chunks. Their instants go by server time, which instances agree on. */
@Factory
final class ChunksFactory {

    @Singleton
    ChunkPlans chunkPlans(
            PriceBook book,
            DynamoPendingChanges pending,
            DynamoPriceBatches batches,
            PriceRevisions revisions,
            TableClock clock) {
        return new ChunkPlans(
                new DynamoAtOncePlans(book, revisions, clock),
                new DynamoScheduledPlans(book, pending, batches, revisions, clock));
    }

    @Singleton
    DynamoPriceLoads priceLoads(QueryDb db, PriceBook book, PriceRevisions revisions) {
        return new DynamoPriceLoads(db, book, revisions);
    }
}
