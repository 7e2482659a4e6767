package io.menuboard.app;

import io.menuboard.graphql.DataAccess;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Workload;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** Deadlines and faults of the table, for GraphQL. */
@Singleton
final class TableAccess implements DataAccess {
    private static final KnownFault OTHER_VERSION = new KnownFault(
            UnreadableItem.CODE,
            "Another version of Menuboard wrote this, and this one cannot read it; try again when the upgrade is over");
    private static final KnownFault UNAVAILABLE = new KnownFault("UNAVAILABLE", "Temporarily unavailable, try again");

    @Override
    public Deadline deadline(Duration atMost) {
        return Workload.interactive(atMost)::call;
    }

    @Override
    public Optional<KnownFault> explain(Throwable fault) {
        if (UnreadableItem.isCauseOf(fault)) {
            return Optional.of(OTHER_VERSION);
        }
        return QueryDbException.isPassing(fault) ? Optional.of(UNAVAILABLE) : Optional.empty();
    }
}
