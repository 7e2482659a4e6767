package io.menuboard.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches, before they are decoded, the headers of one connection arrive. From their first byte on they have a time,
 * however steadily they drip; past it the client is answered {@code 408} and the connection closed. One that is idle, or
 * waits for answers, has none. {@link ArrivingBody} says what the decoder made of the bytes.
 *
 * <p>The event loop of the connection alone calls it. Headers that arrive together cost no timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails here fails the channel, which closes
final class ArrivingHeaders extends ChannelInboundHandlerAdapter {
    private static final byte[] TOO_SLOW =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII);

    private final Duration maxTime;

    private boolean isExpected = true;
    private boolean hasBegun;
    private int unanswered;

    @Nullable
    private Future<?> timer;

    ArrivingHeaders(Duration maxTime) {
        this.maxTime = maxTime;
    }

    /** The headers of a request are complete. */
    void complete() {
        unanswered++;
        isExpected = false;
        hasBegun = false;
        stop();
    }

    /** A request is complete: what comes now are the headers of the next one. */
    void expect() {
        isExpected = true;
    }

    /** A request is answered. */
    void answered() {
        unanswered--;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        hasBegun |= isExpected;
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (hasBegun && timer == null) {
            start(context);
        }
        context.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stop();
    }

    private void start(ChannelHandlerContext context) {
        timer = context.executor().schedule(() -> end(context), maxTime.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void end(ChannelHandlerContext context) {
        if (unanswered > 0) {
            // While requests before it wait for their answers, no more is read.
            start(context);
        } else {
            timer = null;
            context.writeAndFlush(Unpooled.wrappedBuffer(TOO_SLOW)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
