package io.menuboard.app;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import jakarta.inject.Singleton;

/** Answers a form that is none: {@code 400}, because its client made it. */
@Singleton
final class UnreadableForm implements ExceptionHandler<ErrorDataDecoderException, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    UnreadableForm(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, ErrorDataDecoderException fault) {
        return answers.processResponse(
                ErrorContext.builder(request)
                        .cause(fault)
                        .errorMessage("The form cannot be read")
                        .build(),
                HttpResponse.badRequest());
    }
}
