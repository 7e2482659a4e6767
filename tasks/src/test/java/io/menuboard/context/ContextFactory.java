package io.menuboard.context;

import io.menuboard.graphql.DataAccess;
import io.menuboard.kernel.PageLimits;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import io.menuboard.querydb.requests.Workload;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Gives contexts what the application gives them: a table, a clock, limits. */
@Factory
@Requires(env = {ContextServer.ENVIRONMENT, ContextServer.BASE})
final class ContextFactory {
    private static final int BATCH_CONCURRENCY = 8;
    private static final PageLimits LIMITS = new PageLimits(64, 2048);
    private static final AuditTrail.Settings AUDIT = new AuditTrail.Settings(4, Duration.ofDays(730));

    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Singleton
    TableClock tableClock(Clock clock) {
        return new TableClock(clock);
    }

    @Singleton
    RecordingMeter meter() {
        return new RecordingMeter();
    }

    @Singleton
    QueryDb queryDb(
            DynamoDbClient client,
            @Property(name = ContextServer.TABLE) String table,
            TableClock clock,
            RecordingMeter meter) {
        var requests = new Requests(new Bulkhead(client, RetryPolicy.standard(), BATCH_CONCURRENCY), meter);
        return new QueryDb(TableDefinition.menuboard(table), clock, requests, FreshTable.CURSOR_KEY);
    }

    @Singleton
    PageLimits pageLimits() {
        return LIMITS;
    }

    @Singleton
    InstanceLeases instanceLeases(QueryDb db, TableClock clock) {
        return new InstanceLeases(db, clock);
    }

    @Singleton
    AuditTrail auditTrail(QueryDb db, TableClock clock) {
        return new AuditTrail(db, clock, new SecureRandom(), AUDIT);
    }

    @Singleton
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }

    /** The application says more of faults, and tests that. */
    @Singleton
    DataAccess dataAccess(TableClock clock) {
        return new DataAccess() {
            @Override
            public Deadline deadline(Duration atMost) {
                return new OfWorkload(Workload.interactive(atMost));
            }

            @Override
            public InstantSource clock() {
                return clock;
            }

            @Override
            public Optional<KnownFault> explain(Throwable fault) {
                return Optional.empty();
            }

            @Override
            public boolean isOfOneThing(Throwable fault) {
                return UnreadableItem.isCauseOf(fault);
            }
        };
    }

    private record OfWorkload(Workload workload) implements DataAccess.Deadline {
        @Override
        public <T> T call(Supplier<T> work) {
            return workload.call(work);
        }

        @Override
        public OfWorkload goingOn(Duration atMost) {
            return new OfWorkload(workload.goingOn(atMost));
        }

        @Override
        public Map<String, Number> usage() {
            return Map.of("tableRequests", workload.requests(), "capacityUnits", workload.units());
        }
    }
}
