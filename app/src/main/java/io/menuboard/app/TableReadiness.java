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

/**
 * Readiness of this instance for work: it is not ready where the table does not answer in time. Half a read unit a second at most,
 * however many ask: anybody may.
 */
@Singleton
@Readiness
final class TableReadiness extends AbstractHealthIndicator<Map<String, String>> {
    private static final Key ANY = new Key("SETTINGS", "META");
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long HOLDS_NANOS = Duration.ofSeconds(1).toNanos();

    private final QueryDb db;
    private HealthStatus last = HealthStatus.UNKNOWN;
    private long asked;

    TableReadiness(QueryDb db) {
        this.db = db;
    }

    @Override
    protected synchronized Map<String, String> getHealthInformation() {
        if (last.equals(HealthStatus.UNKNOWN) || System.nanoTime() - asked >= HOLDS_NANOS) {
            last = ask();
            asked = System.nanoTime();
        }
        healthStatus = last;
        return Map.of();
    }

    private HealthStatus ask() {
        try {
            Workload.interactive(PATIENCE).run(() -> db.get(ANY));
            return HealthStatus.UP;
        } catch (QueryDbException _) {
            return HealthStatus.DOWN;
        }
    }

    @Override
    protected String getName() {
        return "table";
    }
}
