package io.menuboard.app.limits;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers 429 (RFC 6585, section 4), with the time to wait. */
@Singleton
final class TooManyRequestsHandler implements ExceptionHandler<TooManyRequests, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    TooManyRequestsHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, TooManyRequests refused) {
        HttpRequest<?> asked = request;
        return answers.processResponse(
                ErrorContext.builder(asked)
                        .cause(refused)
                        .errorMessage(String.valueOf(refused.getMessage()))
                        .build(),
                HttpResponse.status(HttpStatus.TOO_MANY_REQUESTS)
                        .header(HttpHeaders.RETRY_AFTER, Long.toString(refused.waitSeconds())));
    }
}
