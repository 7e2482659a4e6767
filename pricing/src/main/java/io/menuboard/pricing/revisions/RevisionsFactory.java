package io.menuboard.pricing.revisions;

import io.menuboard.querydb.QueryDb;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires revisions. */
@Factory
final class RevisionsFactory {

    @Singleton
    PriceRevisions priceRevisions(QueryDb db) {
        return new PriceRevisions(new DynamoPriceRevisions(db));
    }
}
