package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.graphql.DataAccess;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.querydb.requests.Workload;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/** Deadlines, faults and clock of the table, for GraphQL. */
@Singleton
final class TableAccess implements DataAccess {
    private static final KnownFault OTHER_VERSION = new KnownFault(
            UnreadableItem.CODE,
            "Another version of Menuboard wrote this, and this one cannot read it; try again when the upgrade is over");
    private static final KnownFault UNAVAILABLE = new KnownFault("UNAVAILABLE", "Temporarily unavailable, try again");

    private final String identity;
    private final TableClock clock;

    @Inject
    TableAccess(MenuboardConfig config, @Named(DynamoDbFactory.CURSORS) SecretKey cursorKey, TableClock clock) {
        this(config.tableName(), cursorKey, clock);
    }

    /** @param cursorKey signs the cursors of that table's lists */
    TableAccess(String table, SecretKey cursorKey, TableClock clock) {
        identity = identity(table, cursorKey);
        this.clock = clock;
    }

    private static String identity(String table, SecretKey cursorKey) {
        try {
            var mac = Mac.getInstance(cursorKey.getAlgorithm());
            mac.init(cursorKey);
            return HexFormat.of().formatHex(mac.doFinal(("identity of " + table).getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + cursorKey.getAlgorithm(), e);
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

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

    @Override
    public boolean isOfOneThing(Throwable fault) {
        return UnreadableItem.isCauseOf(fault);
    }
}
