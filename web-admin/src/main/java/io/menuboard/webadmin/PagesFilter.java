package io.menuboard.webadmin;

import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * The one door of the pages: every answer passes here, whichever controller or error made it. Tells browsers to run and
 * load nothing that is not served from here, and to show no page inside another site.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class PagesFilter {
    private static final String CONTENT_SECURITY_POLICY = String.join(
            "; ",
            "default-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "object-src 'none'");

    @ResponseFilter
    void protect(MutableHttpResponse<?> response) {
        response.header("X-Content-Type-Options", "nosniff");
        if (response.getContentType().filter(PagesFilter::isHtml).isPresent()) {
            response.header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                    .header("Referrer-Policy", "same-origin")
                    .header("Cross-Origin-Opener-Policy", "same-origin");
        }
    }

    private static boolean isHtml(MediaType type) {
        return type.matches(MediaType.TEXT_HTML_TYPE);
    }
}
