package io.menuboard.webadmin.ui;

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
 * Turns a view model into HTML, the one way there is. A template finds its model as {@code page}, the addresses of
 * {@link Assets} as {@code assets}, and whether only a part of it goes out as {@code fragment}. Rendering is CPU work on
 * the caller's thread. Thread-safe.
 */
public final class Views {
    /** The fragment that a template gives to htmx; it is what the element with {@code id="live"} contains. */
    private static final String LIVE = "live";

    private static final MediaType HTML = MediaType.of("text/html;charset=utf-8");

    private final ITemplateEngine engine;
    private final Map<String, String> assets;

    Views(ITemplateEngine engine, Assets assets) {
        this.engine = engine;
        this.assets = assets.urls();
    }

    /** A page that only exists as a whole. */
    public MutableHttpResponse<String> page(String template, Record page) {
        return html(render(template, null, page));
    }

    /**
     * The whole page, or, where htmx asks for it, only the template's fragment {@code live}.
     *
     * @param address of what is shown, which the browser then has in its address bar
     */
    public MutableHttpResponse<String> live(HttpRequest<?> request, String template, Record page, Link address) {
        var response = html(render(request, template, page)).header(HttpHeaders.VARY, "HX-Request");
        return wantsFragment(request) ? response.header("HX-Push-Url", address.toString()) : response;
    }

    /** As {@link #live}, for a page that asks again by itself: the address in the browser stays. */
    public MutableHttpResponse<String> refreshed(HttpRequest<?> request, String template, Record page) {
        return html(render(request, template, page)).header(HttpHeaders.VARY, "HX-Request");
    }

    /** What {@link #live} sends, as text. */
    String render(HttpRequest<?> request, String template, Record page) {
        return render(template, wantsFragment(request) ? LIVE : null, page);
    }

    private String render(String template, @Nullable String fragment, Record page) {
        var spec = new TemplateSpec(template, fragment == null ? null : Set.of(fragment), (TemplateMode) null, null);
        return engine.process(
                spec,
                new Context(Locale.ENGLISH, Map.of("page", page, "assets", assets, "fragment", fragment != null)));
    }

    /** Whether htmx will put the answer into a page that it already shows. */
    public static boolean wantsFragment(HttpRequest<?> request) {
        return request.getHeaders().contains("HX-Request")
                && !request.getHeaders().contains("HX-History-Restore-Request");
    }

    private static MutableHttpResponse<String> html(String body) {
        return HttpResponse.ok(body).contentType(HTML).header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }
}
