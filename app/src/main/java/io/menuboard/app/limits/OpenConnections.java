package io.menuboard.app.limits;

import io.menuboard.access.http.ClientAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.management.endpoint.EndpointDefaultConfiguration;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections of clients that are open, in all and by address: so many at once, and no more. Those at a port that operations have
 * of their own are let in and not counted. Thread-safe.
 */
@Singleton
@SuppressWarnings("FutureReturnValueIgnored") // whoever listens for the end of a connection waits for nothing
public final class OpenConnections {
    private final int most;
    private final int mostPerAddress;
    private final @Nullable Integer operations;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> byAddress = new ConcurrentHashMap<>();
    private final Counter refused;

    OpenConnections(
            LimitsConfig config,
            @Nullable @Property(name = "micronaut.server.client-address-header") String clientAddressHeader,
            HttpServerConfiguration server,
            EndpointDefaultConfiguration endpoints,
            MeterRegistry registry) {
        operations = endpoints
                .getPort()
                .filter(port -> !server.getPort().equals(Optional.of(port)))
                .orElse(null);
        most = config.connections();
        mostPerAddress = clientAddressHeader == null ? config.connectionsPerAddress() : most;
        Gauge.builder("menuboard.limits.connections", open::get)
                .description("Connections of clients that are open")
                .register(registry);
        refused = Counter.builder("menuboard.limits.connections.refused")
                .description("Connections that were closed at once because there were too many")
                .register(registry);
    }

    /** Counts a connection until it is closed; false, and it does not count, where there are too many. */
    public boolean admit(Channel connection) {
        if (connection.localAddress() instanceof InetSocketAddress at
                && operations != null
                && operations == at.getPort()) {
            return true;
        }
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            return false;
        }
        var client = connection.remoteAddress() instanceof InetSocketAddress from && from.getAddress() != null
                ? ClientAddress.of(from.getAddress())
                : ClientAddress.of((String) null);
        var address = client.network();
        if (byAddress.merge(address, 1, Integer::sum) > mostPerAddress) {
            leave(address);
            refused.increment();
            return false;
        }
        connection.closeFuture().addListener(_ -> leave(address));
        return true;
    }

    private void leave(String address) {
        byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        open.decrementAndGet();
    }
}
