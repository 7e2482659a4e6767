package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.menuboard.graphql.GraphQlServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The schema has no subscriptions, and Micronaut's handlers of them are off. */
@Timeout(60)
final class SubscriptionsTest {
    private final GraphQlServer server = ApplicationServer.shared();

    @Test
    void nothingTakesAWebSocket() {
        var uri = URI.create("ws://127.0.0.1:" + server.graphQl().getPort() + "/graphql-ws");
        try (var http = HttpClient.newHttpClient()) {
            for (var protocol : new String[] {"graphql-transport-ws", "graphql-ws"}) {
                var socket =
                        http.newWebSocketBuilder().subprotocols(protocol).buildAsync(uri, new WebSocket.Listener() {});

                assertThatThrownBy(socket::join)
                        .as(protocol)
                        .cause()
                        .asInstanceOf(type(WebSocketHandshakeException.class))
                        .satisfies(refused ->
                                assertThat(refused.getResponse().statusCode()).isEqualTo(404));
            }
        }
    }

    @Test
    void nothingIsToBeFoundThere() {
        var path = server.graphQl().resolve("/graphql-ws");

        assertThat(server.send(HttpRequest.newBuilder(path)).status()).isEqualTo(404);
    }
}
