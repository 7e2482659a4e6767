package io.menuboard.webadmin;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.TemplateSpec;
import org.thymeleaf.context.Context;
import org.thymeleaf.templatemode.TemplateMode;

/**
 * Turns a view model into HTML, the one way there is. A template finds its model as {@code page} and {@link Assets} as
 * {@code assets}. Rendering is CPU work on the caller's thread. Thread-safe.
 */
final class Views {
    /** The fragment that a template gives to htmx; it is what the element with {@code id="live"} contains. */
    private static final String LIVE = "live";

    private static final MediaType HTML = MediaType.of("text/html;charset=utf-8");

    private final ITemplateEngine engine;
    private final Assets assets;

    Views(ITemplateEngine engine, Assets assets) {
        this.engine = engine;
        this.assets = assets;
    }

    /** A page that only exists as a whole. */
    MutableHttpResponse<String> page(String template, Record page) {
        return html(render(template, null, page));
    }

    /** The whole page, or, where htmx asks for it, only the template's fragment {@code live}. */
    MutableHttpResponse<String> live(HttpRequest<?> request, String template, Record page) {
        return html(render(template, wantsFragment(request) ? LIVE : null, page))
                .header(HttpHeaders.VARY, "HX-Request");
    }

    /** Only {@code fragment} of the template, or all of it. */
    String render(String template, @Nullable String fragment, Record page) {
        var spec = new TemplateSpec(template, fragment == null ? null : Set.of(fragment), (TemplateMode) null, null);
        return engine.process(spec, new Context(Locale.ENGLISH, Map.of("page", page, "assets", assets)));
    }

    /** Whether htmx will put the answer into a page that it already shows. */
    static boolean wantsFragment(HttpRequest<?> request) {
        return request.getHeaders().contains("HX-Request")
                && !request.getHeaders().contains("HX-History-Restore-Request");
    }

    private static MutableHttpResponse<String> html(String body) {
        return HttpResponse.ok(body).contentType(HTML).header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }
}
