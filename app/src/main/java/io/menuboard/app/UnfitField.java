package io.menuboard.app;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.multipart.FileUpload;
import io.micronaut.http.server.exceptions.ConversionErrorHandler;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers a field of a form that is not what its page takes there, without naming classes of this program. */
@Singleton
@Replaces(ConversionErrorHandler.class)
final class UnfitField implements ExceptionHandler<ConversionErrorException, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    UnfitField(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, ConversionErrorException fault) {
        // Micronaut does not say which field it is, for files.
        var isFile = FileUpload.class.isAssignableFrom(fault.getArgument().getType());
        var rule = isFile
                ? "the part of the form that has the file needs a filename in its Content-Disposition"
                : fault.getArgument().getName() + " is not what is expected here";
        return new FormRefused(rule).answer(request, answers);
    }
}
