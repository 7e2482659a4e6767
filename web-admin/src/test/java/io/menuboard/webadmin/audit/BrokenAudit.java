package io.menuboard.webadmin.audit;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An audit trail that takes no record: its table does not exist. */
@Factory
@Requires(env = BrokenAudit.ENVIRONMENT)
final class BrokenAudit {
    static final String ENVIRONMENT = "broken-audit";

    @Singleton
    @Replaces(AuditTrail.class)
    AuditTrail brokenTrail(DynamoDbClient client, Clock clock) {
        var requests = new Requests(new Bulkhead(client, RetryPolicy.standard(), 1), new RecordingMeter());
        var db = new QueryDb(TableDefinition.menuboard("no-such-table"), clock, requests, FreshTable.CURSOR_KEY);
        return new AuditTrail(db, clock, new Random(), new AuditTrail.Settings(1, Duration.ofDays(1)));
    }
}
