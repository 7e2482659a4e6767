package io.menuboard.webadmin.accounts;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.OpenToAll;
import io.menuboard.accounts.IdentifiedPerson;
import io.menuboard.accounts.IssuerSignInResult;
import io.menuboard.accounts.IssuerSignIns;
import io.menuboard.accounts.http.HandshakeCookie;
import io.menuboard.accounts.http.SessionCookie;
import io.menuboard.accounts.oidc.BeginResult;
import io.menuboard.accounts.oidc.FinishResult;
import io.menuboard.accounts.oidc.OpenIdConnect;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.SignInAddress;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.util.HttpClientAddressResolver;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way in by an issuer: there, and back. Links and redirects lead there, no form does, because browsers hold the redirect after a
 * form to the sites that {@code form-action} of the Content Security Policy names.
 */
@OpenToAll
@Controller(IssuerController.PATH)
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = OpenIdConnect.class)
final class IssuerController {
    static final String PATH = "/oauth";
    private static final String CALLBACK = PATH + "/callback";

    private final OpenIdConnect issuer;
    private final IssuerSignIns signIns;
    private final HttpClientAddressResolver addresses;

    IssuerController(OpenIdConnect issuer, IssuerSignIns signIns, HttpClientAddressResolver addresses) {
        this.issuer = issuer;
        this.signIns = signIns;
        this.addresses = addresses;
    }

    @Get("/login")
    HttpResponse<?> begin(HttpRequest<?> request, @Nullable String to) {
        var then = SignInAddress.local(to);
        var answer =
                switch (issuer.begin(address(request), callback(request))) {
                    case BeginResult.Begun(var address, var handshake) ->
                        HttpResponse.seeOther(address).cookie(new HandshakeCookie(handshake, then).begin(request));
                    case BeginResult.Failed(var why) -> refused(SignInProblem.of(why), then);
                };
        return answer.header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** What a browser kept for its way back counts once, whatever comes of it. */
    @Get("/callback")
    HttpResponse<?> finish(HttpRequest<?> request) {
        return HandshakeCookie.of(request)
                .<MutableHttpResponse<?>>map(kept -> finish(request, kept))
                .orElseGet(() -> refused(SignInProblem.STALE, SignInAddress.local(null)))
                .cookie(HandshakeCookie.end(request))
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    private MutableHttpResponse<?> finish(HttpRequest<?> request, HandshakeCookie kept) {
        var then = SignInAddress.local(kept.to());
        var callback = callback(request);
        var query = Objects.requireNonNullElse(request.getUri().getRawQuery(), "");
        return switch (issuer.finish(
                address(request), URI.create(callback + "?" + query), callback, kept.handshake())) {
            case FinishResult.Identified(var person) -> signIn(request, person, then);
            case FinishResult.Failed(var why) -> refused(SignInProblem.of(why), then);
        };
    }

    private MutableHttpResponse<?> signIn(HttpRequest<?> request, IdentifiedPerson person, String then) {
        var browser = Objects.requireNonNullElse(request.getHeaders().get(HttpHeaders.USER_AGENT), "");
        return switch (signIns.signIn(
                person, address(request), browser, SessionCookie.of(request).orElse(null))) {
            case IssuerSignInResult.SignedIn(var begun, var _) ->
                HttpResponse.seeOther(URI.create(then)).cookie(SessionCookie.begin(request, begun));
            case IssuerSignInResult.NoRoles _ -> refused(SignInProblem.NO_ROLES, then);
            case IssuerSignInResult.Disabled _ -> refused(SignInProblem.DISABLED, then);
            case IssuerSignInResult.Conflict _ -> refused(SignInProblem.BUSY, then);
        };
    }

    private ClientAddress address(HttpRequest<?> request) {
        return ClientAddress.of(addresses.resolve(request));
    }

    /** By the name that the browser has for us, and over TLS wherever a session is. */
    private static URI callback(HttpRequest<?> request) {
        var host = request.getHeaders().get(HttpHeaders.HOST);
        return URI.create((SessionCookie.isLocal(request) ? "http://" : "https://") + host + CALLBACK);
    }

    private static MutableHttpResponse<?> refused(SignInProblem problem, String then) {
        return Redirect.to(SignInAddress.leadingTo(then).with(SignInController.FAILED, problem.code()));
    }
}
