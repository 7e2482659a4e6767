package io.menuboard.webadmin.ui;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;

/**
 * What every answer tells browsers, whatever it is: to run and load nothing that is not served from here, to take it for nothing but
 * what it says that it is, to show it inside no other site, and to keep no error.
 */
public final class AnswerHeaders {
    private static final String CONTENT_SECURITY_POLICY = String.join(
            "; ",
            "default-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "object-src 'none'");

    private AnswerHeaders() {}

    /** Sets them; filters do not see what Netty could not read, so that whatever answers that does it too. */
    public static void protect(MutableHttpResponse<?> response) {
        var headers = response.getHeaders();
        headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Referrer-Policy", "same-origin");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        if (response.code() >= HttpStatus.BAD_REQUEST.getCode()) {
            headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
        }
    }
}
