package io.menuboard.app;

import io.menuboard.access.http.OpenToOperations;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.annotation.SingleResult;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.management.endpoint.EndpointDefaultConfiguration;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthCheckType;
import io.micronaut.management.health.indicator.HealthResult;
import org.reactivestreams.Publisher;

/** Health for load balancers at the port that they serve, where operations have another one: no more than up or down. */
@OpenToOperations
@Controller("/health")
@Requires(property = EndpointDefaultConfiguration.PORT)
final class PublicHealth {
    private final HealthEndpoint health;

    PublicHealth(HealthEndpoint health) {
        this.health = health;
    }

    @Get
    @SingleResult
    Publisher<HealthResult> health() {
        return health.getHealth(null);
    }

    @Get("/{check}")
    @SingleResult
    Publisher<HealthResult> health(HealthCheckType check) {
        return health.getHealth(null, check);
    }
}
