package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.SignedIn;
import io.menuboard.access.http.Unauthenticated;
import io.menuboard.accounts.ChangePasswordResult;
import io.menuboard.accounts.Session;
import io.menuboard.accounts.SessionKey;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.http.KnownBrowserCookie;
import io.menuboard.accounts.http.SessionCookie;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
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
import io.micronaut.http.server.util.HttpClientAddressResolver;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The account of who is signed in: password, and the browsers that are signed in with it. */
@SignedIn
@Controller("/account")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class OwnAccountController {
    /** Says on the page after an action what was done. */
    private static final String DID = "did";

    private static final Map<String, String> NOTICES = Map.of(
            "password", "Your password is changed. Everywhere else you are signed out.",
            "ended", "That browser is signed out.");

    private final SignIns signIns;
    private final Sessions sessions;
    private final HttpClientAddressResolver addresses;
    private final Views views;

    OwnAccountController(SignIns signIns, Sessions sessions, HttpClientAddressResolver addresses, Views views) {
        this.signIns = signIns;
        this.sessions = sessions;
        this.addresses = addresses;
        this.views = views;
    }

    @Get
    HttpResponse<?> show(HttpRequest<?> request, Access access, @Nullable String did) {
        return show(request, access, ActionOutcome.done(did == null ? null : NOTICES.get(did)));
    }

    private MutableHttpResponse<?> show(HttpRequest<?> request, Access access, ActionOutcome outcome) {
        var here = here(request);
        var all = sessions.list(access, here.account());
        var hasPassword = sessions.hasPassword(here);
        return views.page(
                "accounts/own",
                AccountPage.of(access, hasPassword, all, here.id(), signIns.history(access, here.account()), outcome));
    }

    @SignedIn(beforePasswordChange = true)
    @Get("/password")
    HttpResponse<?> password() {
        return views.page("accounts/own-password", new PasswordPage(null));
    }

    @SignedIn(beforePasswordChange = true)
    @Post("/password")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> changePassword(HttpRequest<?> request, @Nullable String old, @Nullable String password) {
        var session = session(request);
        try {
            return switch (signIns.changePassword(
                    session,
                    ClientAddress.of(addresses.resolve(request)),
                    Objects.requireNonNullElse(old, ""),
                    Objects.requireNonNullElse(password, ""),
                    KnownBrowserCookie.find(request))) {
                case ChangePasswordResult.Changed(var goesOn, var _) ->
                    Redirect.to(Link.to("account").with(DID, "password")).cookie(SessionCookie.begin(request, goesOn));
                case ChangePasswordResult.WrongPassword _ ->
                    again(new InvalidInput("WRONG_PASSWORD", "old", "is not your password"), HttpStatus.BAD_REQUEST);
                case ChangePasswordResult.NoPassword _ ->
                    again(
                            new InvalidInput(
                                    "NO_PASSWORD",
                                    "old",
                                    "is not kept here: you sign in elsewhere, and change it there"),
                            HttpStatus.CONFLICT);
                case ChangePasswordResult.Throttled(var wait) ->
                    again(
                                    new InvalidInput(
                                            "THROTTLED",
                                            "old",
                                            "was not looked at: too many attempts. Wait " + Moments.toWait(wait)
                                                    + ", then try again"),
                                    HttpStatus.TOO_MANY_REQUESTS)
                            .header(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1));
                case ChangePasswordResult.Ended _ ->
                    again(
                            new InvalidInput(
                                    "CONFLICT",
                                    "old",
                                    "was not accepted, as your account was just changed. If you sent this form before,"
                                            + " your new password may be set: try to sign in with it"),
                            HttpStatus.CONFLICT);
            };
        } catch (InvalidInput e) {
            return again(e, HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> again(InvalidInput refused, HttpStatus status) {
        return views.page("accounts/own-password", new PasswordPage(Problem.of(refused)))
                .status(status);
    }

    @Post("/sessions/{session}/end")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> end(HttpRequest<?> request, Access access, String session) {
        return sessions.end(access, here(request).account(), session)
                ? Redirect.to(Link.to("account").with(DID, "ended"))
                : show(request, access, ActionOutcome.refused("That browser is signed out already."))
                        .status(HttpStatus.CONFLICT);
    }

    /** Ends the session, and removes it from the browser. */
    @SignedIn(beforePasswordChange = true)
    @Post("/sign-out")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> signOut(HttpRequest<?> request, Access access) {
        SessionCookie.of(request).ifPresent(here -> sessions.end(access, here.account(), here.id()));
        return Redirect.to(Link.to(SignInAddress.PATH.substring(1))).cookie(SessionCookie.end(request));
    }

    private Session session(HttpRequest<?> request) {
        return sessions.session(here(request)).orElseThrow(Unauthenticated::nobody);
    }

    /** A client with a token has no account of its own to look at. */
    private static SessionKey here(HttpRequest<?> request) {
        return SessionCookie.of(request).orElseThrow(Unauthenticated::nobody);
    }
}
