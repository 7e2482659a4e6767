package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.accounts.Token;
import io.menuboard.accounts.Tokens;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
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
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tokens of clients: the list, and the ways to make one and to revoke it. */
@RequiresPermission(Permission.ACCOUNTS_MANAGE)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TokensController {
    private static final String DID = "did";
    private static final String REVOKED = "revoke";
    private static final String AGAIN = "again";
    private static final Map<String, String> NOTICES = Map.of(
            REVOKED,
            "The token is revoked.",
            AGAIN,
            "That form was sent before. Its token was shown then, unless the answer got lost, and cannot be shown again: if nobody has it, revoke it and make another one.");

    private static final ListKind LIST = ListKind.of("accounts/tokens", "token", "tokens");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No tokens yet",
            "A token is what a program sends instead of signing in. It has roles of its own, and an end.",
            "/tokens/new",
            "Make a token");

    private final Tokens tokens;
    private final Lists lists;
    private final Views views;

    TokensController(Tokens tokens, Lists lists, Views views) {
        this.tokens = tokens;
        this.lists = lists;
        this.views = views;
    }

    @Get("/tokens")
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String did) {
        var notice = did == null ? null : NOTICES.get(did);
        var now = tokens.now();
        return lists.page(request, LIST, AccountWords.tokens(), Link.to("tokens.csv"))
                .show(
                        page -> tokens.list(access, page),
                        content -> new TokensPage(
                                notice,
                                content.listing(NOTHING),
                                content.rows(token -> TokensPage.Row.of(token, now))));
    }

    @Get(uri = "/tokens.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        var now = tokens.now();
        return CsvDownload.ofRows("tokens.csv", AccountCsv.TOKEN_COLUMNS, page -> tokens.list(access, page)
                .map(token -> AccountCsv.rows(token, now)));
    }

    @Get("/tokens/new")
    HttpResponse<?> form() {
        return form(NewTokenForm.empty(), Problems.NONE);
    }

    /**
     * Answers with the token itself, as nothing can show it again: no redirect, which would have to keep it. The form makes one
     * token however often it is sent.
     */
    @Post("/tokens")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> create(Access access, @Body @Nullable Map<String, String> body) {
        var form = NewTokenForm.of(Objects.requireNonNullElse(body, Map.of()));
        var now = tokens.now();
        var problems = form.problems(now);
        if (!problems.all().isEmpty()) {
            return form(form, problems).status(HttpStatus.BAD_REQUEST);
        }
        try {
            var created = tokens.createOnce(access, form.key(), form.name(), form.grants(), form.expiresAt(now));
            return created.isPresent()
                    ? views.page("accounts/created-token", CreatedTokenPage.of(created.get()))
                    : Redirect.to(AccountWords.tokens().with(DID, AGAIN));
        } catch (InvalidInput e) {
            if (e.field().equals("idempotencyKey")) {
                var refusal = InvalidInput.sentence(
                        e.code(), "name", "This form has made a token already. Send it again to make this one too");
                return form(form.again(), Problems.of(Problem.of(refusal))).status(HttpStatus.CONFLICT);
            }
            var refusal = e.field().equals("expiresAt") ? e.renamed("until") : e;
            return form(form, Problems.of(Problem.of(refusal))).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> form(NewTokenForm form, Problems problems) {
        return views.page("accounts/new-token", NewTokenPage.of(form, tokens.now(), problems));
    }

    /** Asks before it acts. */
    @Get("/tokens/{id}/revoke")
    HttpResponse<?> ask(Access access, String id) {
        return ask(require(access, id), null);
    }

    @Post("/tokens/{id}/revoke")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> revoke(Access access, String id) {
        var token = require(access, id);
        return tokens.revoke(access, id)
                ? Redirect.to(AccountWords.tokens().with(DID, REVOKED))
                : ask(token, "The token is revoked already.").status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> ask(Token token, @Nullable String refusal) {
        return views.page("accounts/revoke", RevokeTokenPage.of(token, tokens.now(), refusal));
    }

    private Token require(Access access, String id) {
        return tokens.find(access, id)
                .orElseThrow(() -> NotFound.of("token", "There is no token with the id " + id + "."));
    }
}
