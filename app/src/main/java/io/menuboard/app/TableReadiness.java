package io.menuboard.app;

import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Workload;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;

/** Readiness of this instance for work: it is not ready where the table does not answer in time. Half a read unit a check. */
@Singleton
@Readiness
final class TableReadiness extends AbstractHealthIndicator<Map<String, String>> {
    private static final Key ANY = new Key("SETTINGS", "META");
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final QueryDb db;

    TableReadiness(QueryDb db) {
        this.db = db;
    }

    @Override
    protected Map<String, String> getHealthInformation() {
        try {
            Workload.interactive(PATIENCE).run(() -> db.get(ANY));
            healthStatus = HealthStatus.UP;
        } catch (QueryDbException _) {
            healthStatus = HealthStatus.DOWN;
        }
        return Map.of();
    }

    @Override
    protected String getName() {
        return "table";
    }
}
