package io.menuboard.webadmin.accounts;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.OpenToAll;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.http.KnownBrowserCookie;
import io.menuboard.accounts.http.SessionCookie;
import io.menuboard.accounts.oidc.OpenIdConnect;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.SignInAddress;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.util.HttpClientAddressResolver;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The way in. Whoever is refused is told neither whether there is such a username nor what was wrong. */
@OpenToAll
@Controller(SignInAddress.PATH)
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class SignInController {
    /** Names what went wrong elsewhere, a {@link SignInProblem}. */
    static final String FAILED = "failed";

    private static final String NO_PASSWORDS = "Nobody signs in with a password here.";

    private static final String REFUSED =
            "That username and password do not belong together, or the account is disabled.";

    private final SignIns signIns;
    private final HttpClientAddressResolver addresses;
    private final Views views;
    private final @Nullable OpenIdConnect issuer;

    /** @param issuer where people can sign in too; null for none */
    SignInController(
            SignIns signIns, HttpClientAddressResolver addresses, Views views, @Nullable OpenIdConnect issuer) {
        this.signIns = signIns;
        this.addresses = addresses;
        this.views = views;
        this.issuer = issuer;
    }

    @Get
    HttpResponse<?> form(@Nullable String to, @QueryValue(FAILED) @Nullable String failed) {
        var problem = issuer == null || failed == null
                ? null
                : SignInProblem.of(failed)
                        .map(known -> known.text(issuer.name()))
                        .orElse(null);
        return page("", SignInAddress.local(to), problem);
    }

    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> signIn(
            HttpRequest<?> request, @Nullable String username, @Nullable String password, @Nullable String to) {
        var typed = Objects.requireNonNullElse(username, "").strip();
        var then = SignInAddress.local(to);
        if (!takesPasswords()) {
            return refused(typed, then, HttpStatus.FORBIDDEN, NO_PASSWORDS, null);
        }
        var address = ClientAddress.of(addresses.resolve(request));
        var browser = Objects.requireNonNullElse(request.getHeaders().get(HttpHeaders.USER_AGENT), "");
        return switch (signIns.signIn(
                typed,
                Objects.requireNonNullElse(password, ""),
                address,
                browser,
                KnownBrowserCookie.find(request),
                SessionCookie.of(request).orElse(null))) {
            case SignInResult.SignedIn(var begun, var account, var known) ->
                HttpResponse.seeOther(URI.create(account.mustChangePassword() ? "/account/password" : then))
                        .cookie(SessionCookie.begin(request, begun))
                        .cookie(KnownBrowserCookie.keep(request, known))
                        .header(HttpHeaders.CACHE_CONTROL, "no-store");
            case SignInResult.Refused _ -> refused(typed, then, HttpStatus.UNAUTHORIZED, REFUSED, null);
            case SignInResult.Throttled(var wait) ->
                refused(
                        typed,
                        then,
                        HttpStatus.TOO_MANY_REQUESTS,
                        "Too many attempts. Wait " + Moments.toWait(wait) + ", then try again.",
                        wait);
        };
    }

    private HttpResponse<?> refused(
            String username, String to, HttpStatus status, String problem, @Nullable Duration wait) {
        var page = page(username, to, problem).status(status);
        return wait == null ? page : page.header(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1));
    }

    private boolean takesPasswords() {
        return issuer == null || issuer.takesPasswords();
    }

    private MutableHttpResponse<?> page(String username, String to, @Nullable String problem) {
        var other = issuer == null
                ? null
                : new SignInPage.Issuer(
                        issuer.name(), Link.to("oauth", "login").with("to", to).toString());
        var answer = views.page("accounts/sign-in", new SignInPage(username, to, problem, takesPasswords(), other));
        answer.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
        return answer;
    }
}
