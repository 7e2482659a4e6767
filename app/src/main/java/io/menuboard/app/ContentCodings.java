package io.menuboard.app;

import io.micronaut.http.MediaType;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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

    /** RFC 9110, section 12.4.2. */
    private static final Pattern WEIGHT = Pattern.compile("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");

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
            for (var element : list.split(",", -1)) {
                var parts = element.toLowerCase(Locale.ROOT).split(";", -1);
                switch (parts[0].strip()) {
                    case GZIP, "x-gzip" -> gzip = weight(parts);
                    case DEFLATE -> deflate = weight(parts);
                    case "identity" -> identity = weight(parts);
                    case "*" -> others = weight(parts);
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

    /** Of an element that is not well-formed, 0. */
    private static double weight(String[] parts) {
        for (var i = 1; i < parts.length; i++) {
            var parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                var value = parameter.substring(2).strip();
                return WEIGHT.matcher(value).matches() ? Double.parseDouble(value) : 0;
            }
        }
        return 1;
    }
}
