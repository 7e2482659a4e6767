package io.menuboard.app;

import io.micronaut.http.HttpStatus;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;

/**
 * Marks requests that Netty's decoder lets pass, or of which Micronaut would forget the path, as such that could not be read;
 * {@link ErrorAnswers} answers them with {@link Malformed}'s status and message, and their connection is closed. Bodies that are compressed are
 * among them: a few kilobytes can become a gigabyte, and limits are those of what arrives.
 */
final class WellFormedRequests extends ChannelInboundHandlerAdapter {
    private static final String GRAPHQL = "/graphql";
    private static final String CHUNKED = "chunked";
    private static final String IDENTITY = "identity";

    /** A rule of HTTP that a request broke, for the people who write its client. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final HttpStatus status;

        private Malformed(HttpStatus status, String rule) {
            super(rule, null, false, false);
            this.status = status;
        }

        HttpStatus status() {
            return status;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            var isUri = isUri(request.uri());
            if (!isUri) {
                request.setUri(request.uri().startsWith(GRAPHQL + "?") ? GRAPHQL : "/");
            }
            if (request.decoderResult().isSuccess()) {
                check(request, isUri);
            }
        }
        context.fireChannelRead(message);
    }

    private static void check(HttpRequest request, boolean isUri) {
        if (request.headers() instanceof ReceivedHeaders headers && headers.hadLength()) {
            refuse(request, "a request has either Transfer-Encoding or Content-Length");
        } else if (!endsWithChunked(request)) {
            // Where its body ends is unknown (RFC 9112, section 6.3).
            refuse(request, "the last coding that Transfer-Encoding names is chunked");
        } else if (!areAll(request, HttpHeaderNames.TRANSFER_ENCODING, CHUNKED)
                || !areAll(request, HttpHeaderNames.CONTENT_ENCODING, IDENTITY)) {
            refuse(
                    request,
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "a body is sent as it is, without Content-Encoding, and no Transfer-Encoding but chunked");
        } else if (!isUri) {
            refuse(
                    request,
                    "the URL is not percent-encoded: what is not a letter or a digit is %XX, with two hexadecimal"
                            + " digits for each byte of UTF-8");
        }
    }

    private static boolean endsWithChunked(HttpRequest request) {
        var codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return true;
        }
        var last = codings.getLast();
        return last.substring(last.lastIndexOf(',') + 1).strip().equalsIgnoreCase(CHUNKED);
    }

    private static boolean areAll(HttpRequest request, CharSequence header, String coding) {
        return request.headers().getAll(header).stream()
                .flatMap(list -> Arrays.stream(list.split(",", -1)))
                .map(String::strip)
                .allMatch(named -> named.isEmpty() || named.equalsIgnoreCase(coding));
    }

    private static void refuse(HttpRequest request, String rule) {
        refuse(request, HttpStatus.BAD_REQUEST, rule);
    }

    private static void refuse(HttpRequest request, HttpStatus status, String rule) {
        request.setDecoderResult(DecoderResult.failure(new Malformed(status, rule)));
    }

    private static boolean isUri(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException _) {
            return false;
        }
    }
}
