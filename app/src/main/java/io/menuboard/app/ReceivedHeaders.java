package io.menuboard.app;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;

/**
 * Headers that remember a {@code Content-Length} that was taken out of them. Netty's decoder does that where there is a
 * {@code Transfer-Encoding} too, and says nothing; it may be an attempt to smuggle a request past a proxy that goes by the
 * other of the two (RFC 9112, section 6.3).
 */
final class ReceivedHeaders extends DefaultHttpHeaders {
    static final HttpHeadersFactory FACTORY = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new ReceivedHeaders();
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new ReceivedHeaders();
        }
    };

    private boolean hadLength;

    private ReceivedHeaders() {}

    /** Whether there was a {@code Content-Length} beside the {@code Transfer-Encoding}. */
    boolean hadLength() {
        return hadLength;
    }

    @Override
    public HttpHeaders remove(CharSequence name) {
        hadLength |= HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name);
        return super.remove(name);
    }
}
