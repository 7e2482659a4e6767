package io.menuboard.webadmin.ui.errors;

import io.menuboard.access.Denied;
import io.menuboard.access.http.Unauthenticated;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.webadmin.ui.SignInAddress;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.HtmlErrorResponseBodyProvider;
import io.micronaut.web.router.Router;
import jakarta.inject.Singleton;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The error as a page, for clients that accept HTML; Micronaut calls it for its own errors too. */
@Singleton
final class ErrorPages implements HtmlErrorResponseBodyProvider {
    /** Where people change theirs, which ends the session that they did it in. */
    private static final String PASSWORD = "/account/password";

    private final Views views;
    private final Router router;

    ErrorPages(Views views, Router router) {
        this.views = views;
        this.router = router;
    }

    @Override
    public String body(ErrorContext context, HttpResponse<?> response) {
        return views.render(context.getRequest(), "error", page(context, response));
    }

    @Override
    public String contentType() {
        return "text/html;charset=utf-8";
    }

    private ErrorPage page(ErrorContext context, HttpResponse<?> response) {
        var request = context.getRequest();
        var status = response.code();
        var cause = context.getRootCause().orElse(null);
        var way = Way.from(request.getPath(), cause instanceof InvalidInput);
        if (status == HttpStatus.NOT_FOUND.getCode()) {
            return notFound(request, cause instanceof InvalidInput refused ? refused : null, way);
        }
        return switch (cause) {
            case InvalidInput refused -> leading(way, status, "That cannot be shown", refused.getMessage());
            case Explained explained -> explained(request, status, explained, way);
            case Denied denied -> denied(status, denied);
            case Unauthenticated known
            when known.needsPasswordChange() ->
                new ErrorPage(
                        status,
                        "Change your password first",
                        "Somebody else has set the one that you signed in with, so nothing was changed. This tab still has what you"
                                + " typed: choose a password, sign in with it, come back here, and reload this page.",
                        null,
                        PASSWORD,
                        "Change your password in a new tab",
                        null);
            case null, default -> status < 500 ? ofClient(request, status, way) : ofServer(request, status, cause);
        };
    }

    private static ErrorPage leading(Way way, int status, String title, String text) {
        return new ErrorPage(status, title, text, null, way.path, way.label, null);
    }

    private static ErrorPage notFound(HttpRequest<?> request, @Nullable InvalidInput refused, Way way) {
        var text = refused == null
                ? "Nothing is at this address. It may be misspelt, or what was here is gone."
                : refused.getMessage();
        var search = refused == null ? null : way.search(request.getUri().getRawPath());
        return new ErrorPage(HttpStatus.NOT_FOUND.getCode(), "Not found", text, null, way.path, way.label, search);
    }

    private ErrorPage explained(HttpRequest<?> request, int status, Explained error, Way way) {
        var sent = SentForm.of(request);
        if (sent.isPresent() && !error.textWithForm().isEmpty()) {
            return new ErrorPage(
                    status, error.title(), error.textWithForm(), null, way.path, way.label, null, sent.get());
        }
        if (status == HttpStatus.SERVICE_UNAVAILABLE.getCode()) {
            return passing(request, status, error.title(), error.text());
        }
        return error.backLabel().isEmpty() || !isPage(request.getPath())
                ? leading(way, status, error.title(), error.text())
                : new ErrorPage(status, error.title(), error.text(), null, request.getPath(), error.backLabel(), null);
    }

    /** Leads to the start: the list that this is part of may take the same permission. */
    private static ErrorPage denied(int status, Denied denied) {
        return leading(
                Way.START,
                status,
                "You may not do that",
                "It takes the permission " + denied.permission()
                        + (denied.isForPart() ? " for more than you have it for." : ", which you do not have.")
                        + " An administrator can give you a role that has it.");
    }

    private ErrorPage ofClient(HttpRequest<?> request, int status, Way way) {
        return switch (HttpStatus.valueOf(status)) {
            case UNAUTHORIZED ->
                new ErrorPage(
                        status,
                        "You are signed out",
                        "This time nothing was changed; if you sent this before, it may have been done then. "
                                + next(request),
                        null,
                        SignInAddress.leadingTo(isPage(request.getPath()) ? request.getPath() : way.path)
                                .toString(),
                        "Sign in in a new tab",
                        null);
            case REQUEST_TIMEOUT ->
                passing(
                        request,
                        status,
                        "That came in too slowly",
                        "What you sent did not arrive in time, and nothing of it was kept. See whether your connection is"
                                + " all right.");
            case REQUEST_ENTITY_TOO_LARGE ->
                new ErrorPage(
                        status,
                        "That is too big",
                        "A file or a form may not be as big as this one. Import a big file in parts, or with the command"
                                + " line, which takes files of any size.",
                        null,
                        "/imports",
                        "Import another file",
                        null);
            case TOO_MANY_REQUESTS ->
                passing(
                        request,
                        status,
                        "That was too much at once",
                        "More was asked for in your name, or from your network, than is answered at once. Nothing was"
                                + " changed; trying again in a few seconds helps.");
            case HttpStatus other -> leading(way, status, "That cannot be done", other.getReason() + ".");
        };
    }

    private static ErrorPage ofServer(HttpRequest<?> request, int status, @Nullable Throwable cause) {
        if (cause != null && UnreadableItem.isCauseOf(cause)) {
            return failed(
                    request,
                    status,
                    "Written by another version",
                    "Menuboard is being upgraded, and this instance cannot read what one of another version wrote.",
                    "Nothing was changed; trying again helps once the upgrade is over.");
        }
        return status == HttpStatus.SERVICE_UNAVAILABLE.getCode()
                ? failed(
                        request,
                        status,
                        "Not available for a moment",
                        "There is more to do than can be done, or the database does not answer.",
                        "Trying again in a few seconds helps.")
                : failed(
                        request,
                        status,
                        "Something went wrong here",
                        "It is our fault, not yours, and it is in our log.",
                        "Trying again may help.");
    }

    /**
     * About what ended nobody knows where: of what was sent, all may be done, and its answer alone be lost.
     *
     * @param advice for who only asked to see something
     */
    private static ErrorPage failed(HttpRequest<?> request, int status, String title, String why, String advice) {
        var next = asksOnly(request) ? advice : "What you asked for may have been done: look before you send it again.";
        return passing(request, status, title, why + " " + next);
    }

    /**
     * About what may go better next time. A link asks for the same once more; what was sent, only the browser still has, and a
     * link to where it went would lead to an empty form, or to no page at all.
     */
    private static ErrorPage passing(HttpRequest<?> request, int status, String title, String text) {
        var errorId = request.getAttribute(FaultHandler.ERROR_ID, String.class).orElse(null);
        return asksOnly(request)
                ? new ErrorPage(status, title, text, errorId, address(request), "Try again", null)
                : new ErrorPage(status, title, text + " To send it again, reload this page.", errorId, null, "", null);
    }

    private static boolean asksOnly(HttpRequest<?> request) {
        return request.getMethod() == HttpMethod.GET || request.getMethod() == HttpMethod.HEAD;
    }

    /** What helps whoever has sent a form without a session. */
    private static String next(HttpRequest<?> request) {
        if (request.getPath().equals(PASSWORD)) {
            return "If so, the password to sign in with is your new password.";
        }
        return hasFiles(request)
                ? "Sign in, and fill in the form again: the files that you chose cannot be sent again from here."
                : "This tab still has what you typed: sign in in another one, come back here, and reload this page.";
    }

    /** The form that a tab with this page would send again names a session that is over, and the browser may not have its files. */
    private static boolean hasFiles(HttpRequest<?> request) {
        return request.getContentType()
                .filter(MediaType.MULTIPART_FORM_DATA_TYPE::matches)
                .isPresent();
    }

    /** Path and query. */
    static String address(HttpRequest<?> request) {
        var query = request.getUri().getRawQuery();
        return query == null ? request.getPath() : request.getPath() + "?" + query;
    }

    /** Whether a link can lead there: some addresses only take forms. */
    private boolean isPage(String path) {
        return router.find(HttpMethod.GET, path, null).findAny().isPresent();
    }

    /**
     * From what does not exist to the list of what does.
     *
     * @param field of the list's form that finds one by what was typed into the address; null where it has none
     */
    private record Way(String path, String label, @Nullable String field, String fieldLabel) {
        /** Leads everybody to a part that they may open. */
        private static final Way START = new Way("/", "Start page");

        /** Lists of a part before those of the whole. */
        private static final List<Way> ALL = List.of(
                new Way("/stores", "All stores", "search", "Search stores"),
                new Way("/tasks/workers", "All workers"),
                new Way("/tasks", "All tasks"),
                new Way("/changes", "All change sets"),
                new Way("/billing/agencies", "All agencies", "agency", "Agency id"),
                new Way("/billing/transactions", "Transactions", "transaction", "Transaction id"),
                new Way("/billing/rules", "All commission rules"),
                new Way("/billing", "All report runs"),
                new Way("/favorites/recounts", "All recounts"),
                new Way("/favorites", "The leaderboard"),
                new Way("/imports", "All imports"),
                new Way("/dead-letters", "All dead letters"),
                new Way("/operations", "Operations"),
                new Way("/users", "All users"),
                new Way("/tokens", "All tokens"),
                new Way("/products", "Products"),
                new Way("/webhooks", "All webhooks"),
                new Way("/audit", "The audit trail"),
                new Way("/account", "Your account"));

        private Way(String path, String label) {
            this(path, label, null, "");
        }

        /** @param known whether the page is there, and only what it was to show is not */
        static Way from(String path, boolean known) {
            return ALL.stream()
                    .filter(way -> (path + "/").startsWith(way.path + "/"))
                    .filter(way -> known || way.path.lastIndexOf('/') == 0)
                    .findFirst()
                    .orElse(START);
        }

        ErrorPage.@Nullable Search search(String rawPath) {
            if (field == null || !rawPath.startsWith(path + "/")) {
                return null;
            }
            var typed =
                    rawPath.substring(path.length() + 1).replaceFirst("/.*", "").replace("+", "%2B");
            return new ErrorPage.Search(path, fieldLabel, field, URLDecoder.decode(typed, StandardCharsets.UTF_8));
        }
    }
}
