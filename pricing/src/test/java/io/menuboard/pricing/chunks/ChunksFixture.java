package io.menuboard.pricing.chunks;

import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.batches.BatchesFixture;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;

/** Plans of chunks on a test's own table, wired as {@link ChunksFactory} does. */
public final class ChunksFixture {
    private ChunksFixture() {}

    public static ChunkPlans plans(PriceBook book, BatchesFixture batches, PriceRevisions revisions, Clock clock) {
        return new ChunkPlans(
                new DynamoAtOncePlans(book, revisions, clock),
                new DynamoScheduledPlans(book, batches.pending, batches.stored, revisions, clock));
    }

    public static DynamoPriceLoads loads(QueryDb db, PriceBook book, PriceRevisions revisions) {
        return new DynamoPriceLoads(db, book, revisions);
    }
}
