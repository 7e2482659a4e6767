package io.menuboard.webadmin.ui.errors;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.NotFound;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers what a client got wrong and no form has a place for: 404 for what does not exist, 400 for everything else. */
@Singleton
final class InvalidInputHandler implements ExceptionHandler<InvalidInput, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    InvalidInputHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, InvalidInput refused) {
        var status = NotFound.is(refused) ? HttpStatus.NOT_FOUND : HttpStatus.BAD_REQUEST;
        return answers.processResponse(
                ErrorContext.builder(request)
                        .cause(refused)
                        .errorMessage(refused.getMessage())
                        .build(),
                HttpResponse.status(status));
    }
}
