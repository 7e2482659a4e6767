package io.menuboard.webadmin.ui.errors;

import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers unexpected exceptions: logs each once under an error id, and tells the client only that id. */
@Singleton
final class FaultHandler implements ExceptionHandler<Throwable, HttpResponse<?>> {
    /** Request attribute that holds the error id for {@link ErrorPages}. */
    static final String ERROR_ID = "io.menuboard.error-id";

    /** As nginx has it: nobody reads the answer, but metrics have no fault of ours to show. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    /** Messages of Micronaut and of operating systems. */
    private static final Pattern BROKEN_OFF =
            Pattern.compile("(?i).*(connection (reset|closed|abort|broken)|broken pipe).*");

    private static final String RETRY_AFTER_SECONDS = "1";

    private static final Logger log = LoggerFactory.getLogger(FaultHandler.class);

    private final ErrorResponseProcessor<?> answers;

    FaultHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, Throwable fault) {
        if (fault instanceof IOException
                && fault.getMessage() != null
                && BROKEN_OFF.matcher(fault.getMessage()).matches()) {
            log.info("request broken off by its client: method={} path={}", request.getMethod(), request.getPath());
            return HttpResponse.status(CLIENT_CLOSED_REQUEST, "Client Closed Request");
        }
        var errorId = UUID.randomUUID().toString();
        request.setAttribute(ERROR_ID, errorId);
        if (UnreadableItem.isCauseOf(fault)) {
            warn("page of another version", errorId, request, fault);
            return answer(
                    request,
                    fault,
                    UnreadableItem.CODE + ": another version wrote this. Error id: " + errorId,
                    HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE));
        }
        if (QueryDbException.isPassing(fault)) {
            warn("page unavailable", errorId, request, fault);
            return answer(
                    request,
                    fault,
                    "Temporarily unavailable, try again. Error id: " + errorId,
                    HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE)
                            .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS));
        }
        log.error(
                "request failed errorId={} method={} path={}", errorId, request.getMethod(), request.getPath(), fault);
        return answer(request, fault, "Something went wrong here. Error id: " + errorId, HttpResponse.serverError());
    }

    /** Expected, and many at once: a line is enough, with the reason. */
    private static void warn(String what, String errorId, HttpRequest<?> request, Throwable fault) {
        log.warn(
                "{} errorId={} method={} path={} cause={}",
                what,
                errorId,
                request.getMethod(),
                request.getPath(),
                fault.getMessage());
    }

    private HttpResponse<?> answer(
            HttpRequest<?> request, Throwable fault, String message, MutableHttpResponse<Object> response) {
        return answers.processResponse(
                ErrorContext.builder(request).cause(fault).errorMessage(message).build(), response);
    }
}
