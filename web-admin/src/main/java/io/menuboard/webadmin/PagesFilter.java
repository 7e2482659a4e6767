package io.menuboard.webadmin;

import io.menuboard.querydb.InvalidInput;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
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

    @RequestFilter
    void refuseWhatCannotBeRead(HttpRequest<?> request) {
        var languages = request.getHeaders().get(HttpHeaders.ACCEPT_LANGUAGE);
        if (languages != null && NO_LANGUAGE.matcher(languages).matches()) {
            throw new InvalidInput(
                    "INVALID_HEADER",
                    HttpHeaders.ACCEPT_LANGUAGE,
                    "Accept-Language must be a list of languages, such as de, en;q=0.5");
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
