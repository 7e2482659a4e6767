package io.menuboard.billing.reports;

import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.function.Function;

/** Gives billing what the application gives it: somewhere to keep files, and what transactions lead to. */
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

    /** Nothing where pricing is on the class path: products are its. */
    @Singleton
    GraphQlModule products() {
        return parts -> {
            if (BillingServerFactory.class.getResource("/graphql/pricing.graphqls") != null) {
                return;
            }
            parts.definitions("billing-products");
            parts.node(
                            "Product",
                            Product.class,
                            Product::key,
                            NodeReader.of(Product::new, Function.identity(), Product::key))
                    .field("key", Product::key);
        };
    }

    record Product(String key) {}
}
