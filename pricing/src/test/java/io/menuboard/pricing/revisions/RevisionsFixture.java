package io.menuboard.pricing.revisions;

import io.menuboard.querydb.QueryDb;
import java.time.Duration;

/** Revisions on a test's own table, wired as {@link RevisionsFactory} does: one instance's. */
public final class RevisionsFixture {
    private RevisionsFixture() {}

    public static PriceRevisions revisions(QueryDb db) {
        return new PriceRevisions(new DynamoPriceRevisions(db));
    }

    public static DynamoPriceLog log(QueryDb db) {
        return new DynamoPriceLog(db, Duration.ofDays(7));
    }
}
