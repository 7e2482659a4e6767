package io.menuboard.access.http;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.util.DefaultHttpClientAddressResolver;
import io.micronaut.http.server.util.HttpClientAddressResolver;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/**
 * Takes the peer for the client, or where {@code micronaut.server.client-address-header} is set, what that header says, and nothing
 * else: {@code Forwarded} and {@code X-Forwarded-For} are what anybody writes, which Micronaut believes and cannot always read.
 */
@Singleton
@Replaces(DefaultHttpClientAddressResolver.class)
final class ClientAddresses implements HttpClientAddressResolver {
    private final @Nullable String header;

    ClientAddresses(HttpServerConfiguration server) {
        header = server.getClientAddressHeader();
    }

    /** Of a list its last address, which whatever is nearest has added; null for none. */
    @Override
    public @Nullable String resolve(@SuppressWarnings("rawtypes") HttpRequest request) {
        if (header == null) {
            var peer = request.getRemoteAddress().getAddress();
            return peer == null ? null : peer.getHostAddress();
        }
        HttpHeaders headers = request.getHeaders();
        var values = headers.getAll(header);
        if (values.isEmpty()) {
            return null;
        }
        var last = values.getLast();
        return last.substring(last.lastIndexOf(',') + 1).strip();
    }
}
