package io.menuboard.graphql;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.CompletableFuture;

/** Connection that a request came over. */
final class ClientConnection {
    private ClientConnection() {}

    /** Does something once where the connection is closed before the answer is complete; returns the answer. */
    static <T> CompletableFuture<T> whenClosed(HttpRequest<?> request, CompletableFuture<T> answer, Runnable action) {
        HttpRequest<?> original = request;
        while (original instanceof HttpRequestWrapper<?> wrapper) {
            original = wrapper.getDelegate();
        }
        if (original instanceof NettyHttpRequest<?> netty) {
            var closed = netty.getChannelHandlerContext().channel().closeFuture();
            ChannelFutureListener listener = _ -> action.run();
            closed.addListener(listener);
            // A connection serves many requests.
            return answer.whenComplete((_, _) -> closed.removeListener(listener));
        }
        return answer;
    }
}
