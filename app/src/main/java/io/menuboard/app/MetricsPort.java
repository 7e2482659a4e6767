package io.menuboard.app;

import io.menuboard.access.http.Loopback;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.Nullable;

/**
 * Stops the start of an instance that other machines reach and whose metrics have no port of their own: whoever reads them
 * signs in nowhere, and so they would be everybody's. The port is one that nobody but their reader may reach, and no request to
 * it is asked by which name it calls; so it is not that of pages and clients.
 */
@Context
@Requires(property = "endpoints.prometheus.enabled", value = "true")
@Requires(notEnv = ImportCommand.ENVIRONMENT)
final class MetricsPort {
    private static final String PORT = "endpoints.all.port";

    MetricsPort(
            @Property(name = "micronaut.server.host", defaultValue = "localhost") String host,
            @Property(name = "micronaut.server.port", defaultValue = "8080") int serverPort,
            @Nullable @Property(name = PORT) Integer port) {
        if (port == null && !Loopback.is(host)) {
            throw new IllegalArgumentException(
                    "micronaut.server.host=" + host + " would show the metrics to everybody: set " + PORT
                            + " (ENDPOINTS_ALL_PORT) to a port for them alone");
        }
        if (port != null && port > 0 && port == serverPort) {
            throw new IllegalArgumentException(PORT + " (ENDPOINTS_ALL_PORT) must be another port than " + serverPort
                    + ", that of pages and clients");
        }
    }
}
