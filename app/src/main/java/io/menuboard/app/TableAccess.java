package io.menuboard.app;

import io.menuboard.graphql.DataAccess;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Workload;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Deadlines and faults of the table, for GraphQL. */
@Singleton
final class TableAccess implements DataAccess {
    private static final KnownFault OTHER_VERSION = new KnownFault(
            UnreadableItem.CODE,
            "Another version of Menuboard wrote this, and this one cannot read it; try again when the upgrade is over");
    private static final KnownFault UNAVAILABLE = new KnownFault("UNAVAILABLE", "Temporarily unavailable, try again");

    @Override
    public Deadline deadline(Duration atMost) {
        return new OfWorkload(Workload.interactive(atMost));
    }

    private record OfWorkload(Workload workload) implements Deadline {
        @Override
        public <T> T call(Supplier<T> work) {
            return workload.call(work);
        }

        @Override
        public Deadline goingOn(Duration atMost) {
            return new OfWorkload(workload.goingOn(atMost));
        }

        @Override
        public Map<String, Number> usage() {
            return Map.of("tableRequests", workload.requests(), "capacityUnits", workload.units());
        }
    }

    @Override
    public Optional<KnownFault> explain(Throwable fault) {
        if (UnreadableItem.isCauseOf(fault)) {
            return Optional.of(OTHER_VERSION);
        }
        return QueryDbException.isPassing(fault) ? Optional.of(UNAVAILABLE) : Optional.empty();
    }
}
