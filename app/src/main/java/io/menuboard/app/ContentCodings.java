package io.menuboard.app;

import io.menuboard.kernel.WeightedValue;
import io.micronaut.http.MediaType;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content codings, gzip before deflate, as RFC 9110, section 12.5.3, has them: leaves Micronaut, which would send Snappy to
 * a client that takes anything, the one to use; and tells caches that answers differ by it, for which entity tags are weak
 * (section 8.8.3.3). A client that takes neither
 * gets the answer as it is, also where it excludes that, which the RFC leaves open.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails here fails the channel, which closes
final class ContentCodings extends ChannelDuplexHandler {
    private static final String GZIP = "gzip";
    private static final String DEFLATE = "deflate";
    private static final String WEAK = "W/";
    private static final double UNKNOWN = -1;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request && request.headers().contains(HttpHeaderNames.ACCEPT_ENCODING)) {
            var headers = request.headers();
            var coding = choose(headers.getAll(HttpHeaderNames.ACCEPT_ENCODING));
            if (coding == null) {
                headers.remove(HttpHeaderNames.ACCEPT_ENCODING);
            } else {
                headers.set(HttpHeaderNames.ACCEPT_ENCODING, coding);
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response && mayBeCompressed(response)) {
            response.headers().add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
            var tag = response.headers().get(HttpHeaderNames.ETAG);
            if (tag != null && !tag.startsWith(WEAK)) {
                response.headers().set(HttpHeaderNames.ETAG, WEAK + tag);
            }
        }
        context.write(message, promise);
    }

    /** Whether Micronaut compresses it where it is long enough; what was not modified may have been. */
    private static boolean mayBeCompressed(HttpResponse response) {
        var type = response.headers().get(HttpHeaderNames.CONTENT_TYPE);
        return type == null ? response.status().equals(HttpResponseStatus.NOT_MODIFIED) : MediaType.isTextBased(type);
    }

    /** The coding that a client likes best, null for none. */
    private static @Nullable String choose(List<String> accepted) {
        var gzip = UNKNOWN;
        var deflate = UNKNOWN;
        var identity = UNKNOWN;
        var others = UNKNOWN;
        for (var list : accepted) {
            for (var coding : WeightedValue.listed(list)) {
                switch (coding.value()) {
                    case GZIP, "x-gzip" -> gzip = coding.weight();
                    case DEFLATE -> deflate = coding.weight();
                    case "identity" -> identity = coding.weight();
                    case "*" -> others = coding.weight();
                    default -> {}
                }
            }
        }
        gzip = gzip == UNKNOWN ? others : gzip;
        deflate = deflate == UNKNOWN ? others : deflate;
        var best = Math.max(gzip, deflate);
        if (best <= 0 || best < identity) {
            return null;
        }
        return gzip == best ? GZIP : DEFLATE;
    }
}
