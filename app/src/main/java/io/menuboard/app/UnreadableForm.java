package io.menuboard.app;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import jakarta.inject.Singleton;

/** Answers a body that is not the form that its media type promises. */
@Singleton
final class UnreadableForm implements ExceptionHandler<ErrorDataDecoderException, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    UnreadableForm(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, ErrorDataDecoderException fault) {
        return new FormRefused(rule(request)).answer(request, answers);
    }

    private static String rule(HttpRequest<?> request) {
        var isMultipart = request.getContentType()
                .filter(type -> type.matches(MediaType.MULTIPART_FORM_DATA_TYPE))
                .isPresent();
        return isMultipart
                ? "each part of a form must have a Content-Disposition with a name, a charset that is known here, and no"
                        + " transfer encoding"
                : "in a form, a percent sign must be followed by two hexadecimal digits";
    }
}
