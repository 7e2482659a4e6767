package io.menuboard.webadmin.ui;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.regex.Pattern;

/**
 * The one door of the pages: every request and answer passes here, whichever controller or error made it. Tells browsers
 * to run and load nothing that is not served from here, and to show no page inside another site.
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

    /** A list of languages with an element that is nothing but separators: Micronaut's parser fails on those. */
    private static final Pattern NO_LANGUAGE = Pattern.compile(",+|(.*,)?;+(,.*)?");

    /** As if it had not been sent, which RFC 9110, section 12.5.4, allows. */
    @RequestFilter
    void ignoreWhatCannotBeRead(HttpRequest<?> request) {
        var languages = request.getHeaders().get(HttpHeaders.ACCEPT_LANGUAGE);
        if (languages != null
                && NO_LANGUAGE.matcher(languages).matches()
                && request.getHeaders() instanceof MutableHttpHeaders headers) {
            headers.remove(HttpHeaders.ACCEPT_LANGUAGE);
        }
    }

    @ResponseFilter
    void protect(MutableHttpResponse<?> response) {
        response.getHeaders().set("X-Content-Type-Options", "nosniff");
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
