package io.menuboard.billing.reports;

import io.menuboard.context.ContextServer;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Gives billing what the application gives it: somewhere to keep files. */
@Factory
@Requires(env = ContextServer.ENVIRONMENT)
final class BillingServerFactory {

    @Singleton
    @Primary
    ReportFiles files() {
        return new MemoryFiles();
    }

    @Singleton
    @Named("downloads")
    ReportFiles downloads(ReportFiles files) {
        return files;
    }
}
