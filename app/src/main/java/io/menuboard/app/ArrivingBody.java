package io.menuboard.app;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the bodies of one connection arrive. One that drips fails for its reader, with {@code 408}. Where a request
 * is answered before all of its body is there, the rest is thrown away for a while, then the connection is closed: closed at
 * once it would be reset, and the client might lose the answer. One of which the chunks are broken fails with {@code 400}.
 *
 * <p>After a request that could not be read nothing is: its answer is the last one. Where nobody knows where it ends, such as
 * one with too long a URL, the connection is closed for writing alone then, and what comes is thrown away until the client closes it
 * as well, or for as long as the rest of a body (RFC 9112, section 9.6).
 *
 * <p>The event loop of the connection alone calls it. What arrives together with its headers costs no timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails here fails the channel, which closes
final class ArrivingBody extends ChannelDuplexHandler {
    private final BodiesConfig config;
    private final ArrivingHeaders headers;

    private long requests;
    private long answers;
    private boolean isUnreadable;
    private boolean hasNoEnd;
    private boolean isSkipping;
    private boolean isArriving;
    private boolean hasFailed;
    private boolean isInterim;
    private boolean isLastAnswer;
    private boolean isLingering;
    private long windowBytes;
    private Duration taken = Duration.ZERO;

    @Nullable
    private Future<?> timer;

    ArrivingBody(BodiesConfig config, ArrivingHeaders headers) {
        this.config = config;
        this.headers = headers;
    }

    /** None where the decoder could not read the request: its length may be no number then. */
    private static boolean hasBody(HttpRequest request) {
        return (request.decoderResult().isSuccess() || isMalformed(request))
                && (HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0);
    }

    /** True where the decoder could read it, and it is refused all the same. */
    private static boolean isMalformed(HttpRequest request) {
        return request.decoderResult().cause() instanceof WellFormedRequests.Malformed;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isSkipping || (isUnreadable && message instanceof HttpRequest)) {
            isSkipping = true;
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            requests++;
            isUnreadable = request.decoderResult().isFailure();
            hasNoEnd = isUnreadable && !isMalformed(request);
            headers.complete();
            isArriving = hasBody(request);
            hasFailed = false;
            windowBytes = 0;
            taken = Duration.ZERO;
        }
        if (message instanceof HttpContent content) {
            if (!(message instanceof HttpRequest) && content.decoderResult().isFailure()) {
                breakOff(context, content);
                return;
            }
            windowBytes += content.content().readableBytes();
        }
        var isEnd = message instanceof LastHttpContent;
        if (isEnd) {
            isArriving = false;
            if (!hasNoEnd) {
                headers.expect();
            }
            stop();
        }
        context.fireChannelRead(message);
        if (isEnd && isLingering && !hasNoEnd) {
            closeAfterAnswer(context);
        }
    }

    /** The answer may have been written in this very turn of the event loop, and wait to be flushed. */
    private static void closeAfterAnswer(ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** The decoder reads nothing more of this connection, and presents this as the end of the body. */
    private void breakOff(ChannelHandlerContext context, HttpContent content) {
        content.release();
        isSkipping = true;
        isUnreadable = true;
        isArriving = false;
        stop();
        if (isLingering) {
            closeAfterAnswer(context);
        } else {
            hasNoEnd = true;
            hasFailed = true;
            context.fireExceptionCaught(
                    new HttpStatusException(HttpStatus.BAD_REQUEST, "the chunks of the body are not well-formed"));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (isArriving && !hasFailed && !isLingering && timer == null) {
            after(config.window(), context, this::check);
        }
        context.fireChannelReadComplete();
    }

    private void check(ChannelHandlerContext context) {
        taken = taken.plus(config.window());
        if (windowBytes < config.minBytes() || taken.compareTo(config.maxTime()) >= 0) {
            hasFailed = true;
            context.fireExceptionCaught(
                    new HttpStatusException(HttpStatus.REQUEST_TIMEOUT, "the body came in too slowly"));
        } else {
            windowBytes = 0;
            after(config.window(), context, this::check);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            // What comes now is not HTTP.
            context.write(message, promise.unvoid().addListener(_ -> Connections.leave(context.pipeline())));
            return;
        }
        if (message instanceof HttpResponse response) {
            isInterim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!isInterim && (isArriving || isUnreadable) && requests == answers + 1) {
                isLastAnswer = true;
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
        }
        var isEnd = message instanceof LastHttpContent && !isInterim;
        if (isEnd) {
            answers++;
            headers.answered();
        }
        if (!isEnd || !isLastAnswer) {
            context.write(message, promise);
        } else if (isArriving || hasNoEnd) {
            isLingering = true;
            after(config.linger(), context, ChannelHandlerContext::close);
            context.write(message, isArriving ? promise : promise.unvoid().addListener(_ -> endOutput(context)));
        } else {
            context.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
        }
    }

    /** What the client goes on sending is still read. */
    private static void endOutput(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(true);
        if (context.channel() instanceof DuplexChannel connection) {
            connection.shutdownOutput();
        }
    }

    /** Micronaut closes as soon as it has answered where the client, or the answer, asks for it. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (isLingering && (isArriving || hasNoEnd)) {
            context.channel().closeFuture().addListener(_ -> promise.trySuccess());
        } else {
            context.close(promise);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stop();
    }

    private void after(Duration delay, ChannelHandlerContext context, Consumer<ChannelHandlerContext> what) {
        stop();
        timer = context.executor()
                .schedule(
                        () -> {
                            timer = null;
                            what.accept(context);
                        },
                        delay.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
