package io.menuboard.app;

import io.menuboard.querydb.PageLimits;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.Clock;

/** What every module may ask for. */
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
}
