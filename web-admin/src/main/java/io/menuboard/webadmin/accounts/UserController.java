package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignIns;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One user: what it may do, where it is signed in, and what an administrator can do with it. */
@RequiresPermission(Permission.ACCOUNTS_MANAGE)
@Controller("/users/{id}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class UserController {
    /** Says on the page after an action what was done. */
    static final String DID = "did";

    static final String ADDED = "add";
    private static final String SESSION_ENDED = "session";

    private final Accounts accounts;
    private final Sessions sessions;
    private final SignIns signIns;
    private final Views views;

    UserController(Accounts accounts, Sessions sessions, SignIns signIns, Views views) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.signIns = signIns;
        this.views = views;
    }

    @Get
    HttpResponse<?> show(Access access, String id, @Nullable String did) {
        var account = require(access, id);
        return show(access, account, ActionOutcome.done(did == null ? null : notice(did, account)));
    }

    /** Asks before it acts. */
    @Get("/{action:rename|roles|password|disable|enable|sessions}")
    HttpResponse<?> ask(Access access, String id, String action) {
        var account = require(access, id);
        return ask(UserAction.of(action).orElseThrow(), account, UserActionForm.of(account), null, null);
    }

    @Post("/{action:rename|roles|password|disable|enable|sessions}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> act(Access access, String id, String action, @Body @Nullable Map<String, String> body) {
        var asked = UserAction.of(action).orElseThrow();
        var account = require(access, id);
        var form = UserActionForm.of(Objects.requireNonNullElse(body, Map.of()));
        try {
            if (form.isOutdated(asked, account)) {
                return outdated(asked, account);
            }
            return switch (act(access, asked, account, form)) {
                case AccountResult.Done(var changed) ->
                    Redirect.to(AccountWords.link(changed.id()).with(DID, asked.path()));
                case AccountResult.LastAdministrator _ ->
                    refused(
                            asked,
                            account,
                            form,
                            "This is the last user who can sign in and manage users. Give somebody else the role"
                                    + " Administrator first.");
                case AccountResult.IssuersToChange(var theirs) ->
                    refused(
                            asked,
                            theirs,
                            UserActionForm.of(theirs),
                            "Name, roles and password of this user are not kept here, but where the user signs in."
                                    + " Change them there.");
                case AccountResult.Outdated(var now) -> outdated(asked, now);
                case AccountResult.Conflict _ ->
                    refused(asked, account, form, "Others are changing this user at the same time. Try again.");
                case AccountResult.NotFound(var missing) -> throw AccountWords.notFound(missing);
                case AccountResult.UsernameTaken(var username) ->
                    throw new IllegalStateException("usernames stay: " + username);
            };
        } catch (InvalidInput e) {
            if (NotFound.is(e)) {
                throw e;
            }
            return ask(asked, account, form, Problem.of(e), null).status(HttpStatus.BAD_REQUEST);
        }
    }

    private AccountResult act(Access access, UserAction action, Account account, UserActionForm form) {
        var id = account.id();
        return switch (action) {
            case RENAME -> accounts.rename(access, id, form.name());
            case ROLES -> accounts.setGrants(access, account, form.roles().grants());
            case PASSWORD -> accounts.resetPassword(access, account, form.password());
            case DISABLE -> accounts.disable(access, id);
            case ENABLE -> accounts.enable(access, account);
            case SESSIONS -> sessions.endAll(access, id);
        };
    }

    @Post("/sessions/{session}/end")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> end(Access access, String id, String session) {
        var account = require(access, id);
        return sessions.end(access, account.id(), session)
                ? Redirect.to(AccountWords.link(account.id()).with(DID, SESSION_ENDED))
                : show(access, account, ActionOutcome.refused("That session has ended already."))
                        .status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> show(Access access, Account account, ActionOutcome outcome) {
        return views.page(
                "accounts/user",
                UserPage.of(
                        account, sessions.list(access, account.id()), signIns.history(access, account.id()), outcome));
    }

    private HttpResponse<?> outdated(UserAction action, Account now) {
        return refused(
                action,
                now,
                UserActionForm.of(now),
                switch (action) {
                    case PASSWORD ->
                        "The password was changed meanwhile, or all sessions have ended. Reset it again only if it still has to be.";
                    case ENABLE ->
                        "Somebody else has disabled the user again meanwhile, or reset the password. Enable the user only if that"
                                + " is still right.";
                    case ROLES ->
                        "Somebody else has changed the roles, or the user, meanwhile. The roles are shown as they are now.";
                    case RENAME, DISABLE, SESSIONS -> throw new IllegalStateException(action + " is never outdated");
                });
    }

    private HttpResponse<?> refused(UserAction action, Account account, UserActionForm form, String why) {
        return ask(action, account, form, null, why).status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> ask(
            UserAction action,
            Account account,
            UserActionForm form,
            @Nullable Problem problem,
            @Nullable String refusal) {
        return views.page("accounts/action", UserActionPage.of(action, account, form, problem, refusal));
    }

    private Account require(Access access, String id) {
        var asked = new AccountId(id);
        return accounts.find(access, asked).orElseThrow(() -> AccountWords.notFound(asked));
    }

    private static @Nullable String notice(String did, Account account) {
        return switch (did) {
            case ADDED -> "The user is added. The password must be changed at the first sign-in.";
            case SESSION_ENDED -> "The session has ended.";
            default -> UserAction.of(did).map(action -> action.said(account)).orElse(null);
        };
    }
}
