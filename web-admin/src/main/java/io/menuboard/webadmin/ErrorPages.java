package io.menuboard.webadmin;

import io.menuboard.querydb.InvalidInput;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.HtmlErrorResponseBodyProvider;
import jakarta.inject.Singleton;
import java.util.stream.Stream;

/** The error as a page, for clients that accept HTML; Micronaut calls it for its own errors too. */
@Singleton
final class ErrorPages implements HtmlErrorResponseBodyProvider {
    private final Views views;

    ErrorPages(Views views) {
        this.views = views;
    }

    @Override
    public String body(ErrorContext context, HttpResponse<?> response) {
        return views.render(context.getRequest(), "error", page(context, response));
    }

    @Override
    public String contentType() {
        return "text/html;charset=utf-8";
    }

    private static ErrorPage page(ErrorContext context, HttpResponse<?> response) {
        var request = context.getRequest();
        var path = request.getPath();
        var back = Stream.of("/tasks", "/changes", "/billing", "/favorites")
                .filter(path::startsWith)
                .findFirst()
                .orElse("/stores");
        var backLabel =
                switch (back) {
                    case "/changes" -> "All change sets";
                    case "/billing" -> "All report runs";
                    case "/favorites" -> "The leaderboard";
                    default -> "All " + back.substring(1);
                };
        var status = response.code();
        var refused =
                context.getRootCause().filter(InvalidInput.class::isInstance).map(InvalidInput.class::cast);
        if (status == HttpStatus.NOT_FOUND.getCode()) {
            var text = refused.map(InvalidInput::getMessage)
                    .orElse("Nothing is at this address. It may be misspelt, or what was here is gone.");
            return new ErrorPage(status, "Not found", text, null, back, backLabel);
        }
        if (refused.isPresent()) {
            var text = refused.get().getMessage();
            return new ErrorPage(status, "That cannot be shown", text, null, back, backLabel);
        }
        if (status == HttpStatus.REQUEST_ENTITY_TOO_LARGE.getCode()) {
            return new ErrorPage(
                    status,
                    "That is too big",
                    "A file or a form may not be as big as this one. Import a big file in parts, or with the command line,"
                            + " which takes files of any size.",
                    null,
                    "/imports",
                    "Import another file");
        }
        if (status < 500) {
            return new ErrorPage(
                    status, "That cannot be done", HttpStatus.valueOf(status).getReason() + ".", null, back, backLabel);
        }
        return new ErrorPage(
                status,
                "Something went wrong here",
                "It is our fault, not yours, and it is in our log. Trying again may help.",
                request.getAttribute(FaultHandler.ERROR_ID, String.class).orElse(null),
                request.getPath(),
                "Try again");
    }
}
