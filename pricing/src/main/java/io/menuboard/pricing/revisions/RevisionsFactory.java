package io.menuboard.pricing.revisions;

import io.menuboard.messaging.feed.FeedListener;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.QueryDb;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Set;

/** Wires revisions. */
@Factory
final class RevisionsFactory {

    @Singleton
    PriceRevisions priceRevisions(QueryDb db) {
        return new PriceRevisions(new DynamoPriceRevisions(db));
    }

    @Singleton
    DynamoPriceLog priceLog(QueryDb db, PriceLogConfig config) {
        return new DynamoPriceLog(db, config.keptFor());
    }

    /** What others change is read again when it is asked for next, rather than when it is too old. */
    @Singleton
    @Named("priceRevisions")
    FeedListener priceRevisionsFeed(PriceRevisions revisions) {
        return new FeedListener() {
            @Override
            public Set<String> types() {
                return Set.of(DynamoPriceRevisions.TYPE);
            }

            @Override
            public void changed(ChangeRecord record) {
                revisions.forget(DynamoPriceRevisions.storeOf(record.key()));
            }
        };
    }
}
