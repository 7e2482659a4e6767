package io.menuboard.webadmin.ui;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.http.RequestAccess;
import io.menuboard.kernel.Actor;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.views.ModelAndView;
import io.micronaut.views.ModelAndViewRenderer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renders view models with Micronaut's Thymeleaf. A template finds its model as {@code page}, the addresses of
 * {@link Assets} as {@code assets}, whether only a part of it goes out as {@code fragment}, the name of who is signed in as
 * {@code viewer}, the parts of the site that they may open as {@code navigation}, whether they may draft changes of prices as
 * {@code drafts}, and {@link AuditLinks} as {@code auditLinks} where they may see the audit trail.
 *
 * <p>Rendering is CPU work on the caller's thread, in its place among {@link PageThreads}. A controller that returned the
 * {@link ModelAndView} itself would have it rendered when the answer is written, where a fault in a template leaves the
 * request without any answer (Micronaut Views 5.9.0). Thread-safe.
 */
public final class Views {
    /** The fragment that a template gives to htmx; it is what the element with {@code id="live"} contains. */
    private static final String LIVE = " :: live";

    private static final AuditLinks AUDIT_LINKS = new AuditLinks();
    private static final MediaType HTML = MediaType.of("text/html;charset=utf-8");

    private final ModelAndViewRenderer<Map<String, Object>, HttpRequest<?>> renderer;
    private final Map<String, String> assets;
    private final Navigation navigation;

    Views(ModelAndViewRenderer<Map<String, Object>, HttpRequest<?>> renderer, Assets assets, Navigation navigation) {
        this.renderer = renderer;
        this.assets = assets.urls();
        this.navigation = navigation;
    }

    /** A page that only exists as a whole. */
    public MutableHttpResponse<String> page(String template, Record page) {
        return html(render(template, page, false));
    }

    /**
     * The whole page, or, where htmx asks for it, only the template's fragment {@code live}.
     *
     * @param address of what is shown, which the browser then has in its address bar
     */
    public MutableHttpResponse<String> live(HttpRequest<?> request, String template, Record page, Link address) {
        var response = refreshed(request, template, page);
        return wantsFragment(request) ? response.header("HX-Push-Url", address.toString()) : response;
    }

    /** As {@link #live}, for a page that asks again by itself: the address in the browser stays. */
    public MutableHttpResponse<String> refreshed(HttpRequest<?> request, String template, Record page) {
        return html(render(request, template, page)).header(HttpHeaders.VARY, "HX-Request");
    }

    /** The body of {@link #refreshed}. */
    public String render(HttpRequest<?> request, String template, Record page) {
        return render(template, page, wantsFragment(request));
    }

    private String render(String template, Record page, boolean fragment) {
        var model = new HashMap<String, Object>(Map.of("page", page, "assets", assets, "fragment", fragment));
        viewer().ifPresent(viewer -> model.put("viewer", viewer));
        model.put("navigation", principal().map(navigation::of).orElse(List.of()));
        model.put("drafts", may(Permission.PRICES_DRAFT));
        if (may(Permission.AUDIT_READ)) {
            model.put("auditLinks", AUDIT_LINKS);
        }
        var view = new ModelAndView<Map<String, Object>>(fragment ? template + LIVE : template, model);
        // Without the request: a template knows nothing but its model.
        var html = renderer.render(view, null, MediaType.TEXT_HTML)
                .orElseThrow(() -> new IllegalStateException("no template: " + template));
        try {
            var text = new StringWriter();
            html.writeTo(text);
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter takes everything", e);
        }
    }

    /** Tells whether htmx will put the answer into a page that it already shows. */
    public static boolean wantsFragment(HttpRequest<?> request) {
        return request.getHeaders().contains("HX-Request")
                && !request.getHeaders().contains("HX-History-Restore-Request");
    }

    /** Name of who is signed in; empty where nobody is, and where nobody has to. */
    private static Optional<String> viewer() {
        return principal().filter(principal -> principal.id() != null).map(Principal::name);
    }

    /** Who asks; empty also where nothing is at an address, and so nobody has asked who it is. */
    private static Optional<Principal> principal() {
        return ServerRequestContext.currentRequest().flatMap(RequestAccess::principal);
    }

    private static boolean may(Permission permission) {
        return principal()
                .filter(principal -> new Access(principal, Actor.Source.PAGE).may(permission))
                .isPresent();
    }

    /** Browsers keep no page: most show what somebody had to sign in for, and some a secret. */
    private static MutableHttpResponse<String> html(String body) {
        return HttpResponse.ok(body).contentType(HTML).header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** Addresses of the audit trail, for those pages whose reader may see it: templates find it as {@code auditLinks}. */
    public static final class AuditLinks {
        /** Of the page, without its slash. */
        public static final String PATH = "audit";

        AuditLinks() {}

        /**
         * The address of all that was done to a subject. Public because templates call nothing else.
         *
         * @param subject as the audit trail has it, {@code STORE#DE-0001}
         */
        public String of(String subject) {
            return Link.to(PATH).with("subject", subject).toString();
        }
    }
}
