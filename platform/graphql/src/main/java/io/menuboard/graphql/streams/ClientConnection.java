package io.menuboard.graphql.streams;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Connection that a request came over. */
public final class ClientConnection {
    private ClientConnection() {}

    /** Does something once where the connection is closed before the answer is complete; returns the answer. */
    public static <T> CompletableFuture<T> whenClosed(
            HttpRequest<?> request, CompletableFuture<T> answer, Runnable action) {
        return channel(request)
                .map(channel -> {
                    var closed = channel.closeFuture();
                    ChannelFutureListener listener = _ -> action.run();
                    closed.addListener(listener);
                    // A connection serves many requests.
                    return answer.whenComplete((_, _) -> closed.removeListener(listener));
                })
                .orElse(answer);
    }

    /** Empty where the request came over none. */
    static Optional<Channel> channel(HttpRequest<?> request) {
        HttpRequest<?> original = request;
        while (original instanceof HttpRequestWrapper<?> wrapper) {
            original = wrapper.getDelegate();
        }
        return original instanceof NettyHttpRequest<?> netty
                ? Optional.of(netty.getChannelHandlerContext().channel())
                : Optional.empty();
    }
}
