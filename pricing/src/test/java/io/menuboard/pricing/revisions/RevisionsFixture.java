package io.menuboard.pricing.revisions;

import io.menuboard.querydb.QueryDb;

/** Revisions on a test's own table, wired as {@link RevisionsFactory} does: one instance's. */
public final class RevisionsFixture {
    private RevisionsFixture() {}

    public static PriceRevisions revisions(QueryDb db) {
        return new PriceRevisions(new DynamoPriceRevisions(db));
    }
}
