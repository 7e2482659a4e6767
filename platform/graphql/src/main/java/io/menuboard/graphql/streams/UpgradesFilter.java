package io.menuboard.graphql.streams;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.Channel;

/**
 * Has what a client sends as soon as its WebSocket is open wait until there is somebody to take it. Looks at the path itself, which
 * costs less than a pattern that Micronaut matches against every request.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.LOWEST_PRECEDENCE)
final class UpgradesFilter {
    private static final String NAME = "held-frames";

    @RequestFilter
    void hold(HttpRequest<?> request) {
        var path = request.getPath();
        // Routes ignore a slash at the end.
        if (path.equals(WebSocketController.PATH) || path.equals(WebSocketController.PATH + "/")) {
            ClientConnection.channel(request).ifPresent(UpgradesFilter::hold);
        }
    }

    private static void hold(Channel channel) {
        var pipeline = channel.pipeline();
        if (pipeline.get(NAME) == null) {
            pipeline.addBefore(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND, NAME, new HeldFrames());
        }
    }
}
