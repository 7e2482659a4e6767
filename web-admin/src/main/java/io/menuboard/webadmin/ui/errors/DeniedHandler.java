package io.menuboard.webadmin.ui.errors;

import io.menuboard.access.Denied;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers 403 to whoever must not do what they asked for. */
@Singleton
final class DeniedHandler implements ExceptionHandler<Denied, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    DeniedHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, Denied denied) {
        return answers.processResponse(
                ErrorContext.builder(request)
                        .cause(denied)
                        .errorMessage("needs the permission " + denied.permission())
                        .build(),
                HttpResponse.status(HttpStatus.FORBIDDEN));
    }
}
