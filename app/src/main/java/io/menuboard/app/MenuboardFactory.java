package io.menuboard.app;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.PageLimits;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.webadmin.ui.Refresh;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** Wires what every module may use. */
@Factory
final class MenuboardFactory {

    /** The only clock of the process. */
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Bounds of every list, in GraphQL and on pages. */
    @Singleton
    PageLimits pageLimits(MenuboardConfig config) {
        return new PageLimits(config.pageSize(), config.maxPageSize());
    }

    @Singleton
    InstanceLeases instanceLeases(QueryDb db, TableClock clock) {
        return new InstanceLeases(db, clock);
    }

    @Singleton
    @Named("auditShards")
    SharedSetting auditShards(AuditConfig config) {
        return SharedSetting.neverLowered("menuboard.audit.shards", config.shards());
    }

    @Singleton
    @Bean(preDestroy = "close")
    BackgroundWork backgroundWork(List<BackgroundService> services) {
        return new BackgroundWork(services);
    }

    /** Adds nothing to the schema but what pages send. */
    @Singleton
    GraphQlModule pages() {
        return new GraphQlModule() {
            @Override
            public void contribute(SchemaParts parts) {}

            @Override
            public List<String> documents() {
                return Stream.of(Refresh.Subscription.values())
                        .map(Refresh.Subscription::document)
                        .toList();
            }
        };
    }

    @Singleton
    AuditTrail auditTrail(QueryDb db, TableClock clock, AuditConfig config) {
        return new AuditTrail(
                db, clock, new SecureRandom(), new AuditTrail.Settings(config.shards(), config.retention()));
    }
}
