package io.menuboard.webadmin.forms;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers 403 to a form without its token. */
@Singleton
final class ForeignFormHandler implements ExceptionHandler<ForeignForm, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    ForeignFormHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, ForeignForm refused) {
        return answers.processResponse(
                ErrorContext.builder(request)
                        .cause(refused)
                        .errorMessage(refused.text())
                        .build(),
                HttpResponse.status(HttpStatus.FORBIDDEN));
    }
}
