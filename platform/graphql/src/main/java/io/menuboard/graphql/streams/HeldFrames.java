package io.menuboard.graphql.streams;

import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Keeps frames until they can be taken: until Micronaut has its handler of them in place, and from then on while the client does not
 * read what it is answered. Micronaut adds its handler on the thread on which the last filter has ended, which is another one than the
 * connection's where it took a read to find out who asks; a client may have got the answer, and sent its first message, before. And
 * what a client asks that does not read would be answered into memory: nothing more is read from it until it has.
 */
final class HeldFrames extends ChannelInboundHandlerAdapter {
    /** As {@code NettyServerWebSocketHandler} is called in the pipeline of a connection. */
    private static final String TAKER = "websocket-handler";

    /** What a client may send until there is a handler, which is some milliseconds; past that it is let go. */
    private static final int MOST = 64;

    private final Deque<Object> held = new ArrayDeque<>();
    private boolean isTaken;
    private boolean isReleasing;

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a connection that is given up is closed, whenever that is
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof WebSocketFrame)) {
            context.fireChannelRead(message);
            return;
        }
        held.add(message);
        if (isTaken) {
            release(context);
        } else if (held.size() > MOST) {
            context.close();
        } else if (held.size() == 1) {
            pass(context);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the connection
    private void pass(ChannelHandlerContext context) {
        var pipeline = context.pipeline();
        // The handler of requests is removed when that of frames was added, which counts from this thread's next turn
        // on.
        if (pipeline.get(TAKER) != null && pipeline.get(ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND) == null) {
            context.executor().execute(() -> {
                isTaken = true;
                release(context);
            });
        } else if (!context.isRemoved()) {
            context.executor().schedule(() -> pass(context), 1, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (isTaken) {
            release(context);
        }
        context.fireChannelWritabilityChanged();
    }

    /** Hands on what is held, as long as the client reads what it is answered. */
    private void release(ChannelHandlerContext context) {
        if (isReleasing) {
            return;
        }
        isReleasing = true;
        var channel = context.channel();
        while (!held.isEmpty() && channel.isWritable()) {
            context.fireChannelRead(held.remove());
        }
        isReleasing = false;
        context.fireChannelReadComplete();
        channel.config().setAutoRead(held.isEmpty());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }
}
