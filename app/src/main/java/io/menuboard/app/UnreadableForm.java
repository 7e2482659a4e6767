package io.menuboard.app;

import io.micronaut.context.BeanContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import jakarta.inject.Singleton;
import java.util.Arrays;

/**
 * Answers a body that is not the form that its media type promises, or not in its coding. Netty's decoders of forms do not
 * expect everything: a part whose filename has no value, or a boundary that is empty, makes them fail as a bug would.
 */
@Singleton
final class UnreadableForm implements ExceptionHandler<RuntimeException, HttpResponse<?>> {
    private static final String DECODERS = HttpPostRequestDecoder.class.getPackageName() + ".HttpPost";

    private final ErrorResponseProcessor<?> answers;
    private final BeanContext beans;

    UnreadableForm(ErrorResponseProcessor<?> answers, BeanContext beans) {
        this.answers = answers;
        this.beans = beans;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, RuntimeException fault) {
        if (fault instanceof ErrorDataDecoderException || isOfForm(request, fault)) {
            return new FormRefused(rule(request)).answer(request, answers);
        }
        if (fault instanceof DecoderException) {
            return new FormRefused("the body must be in the coding that Content-Encoding names")
                    .answer(request, answers);
        }
        return other(request, fault);
    }

    /** The JVM may leave out the stack trace of an exception that it throws often. */
    private static boolean isOfForm(HttpRequest<?> request, RuntimeException fault) {
        var trace = fault.getStackTrace();
        return trace.length == 0
                ? fault instanceof IndexOutOfBoundsException && isMultipart(request)
                : Arrays.stream(trace).anyMatch(frame -> frame.getClassName().startsWith(DECODERS));
    }

    private static String rule(HttpRequest<?> request) {
        return isMultipart(request)
                ? "each part of a form must have a Content-Disposition with a name, a charset that is known here, and no"
                        + " transfer encoding, and the form's own Content-Type a boundary"
                : "in a form, a percent sign must be followed by two hexadecimal digits";
    }

    private static boolean isMultipart(HttpRequest<?> request) {
        return request.getContentType()
                .filter(type -> type.matches(MediaType.MULTIPART_FORM_DATA_TYPE))
                .isPresent();
    }

    /** As if this handler were not there. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // as Micronaut finds handlers
    private HttpResponse<?> other(HttpRequest<?> request, RuntimeException fault) {
        ExceptionHandler<Throwable, HttpResponse<?>> handler =
                beans.getBean(ExceptionHandler.class, Qualifiers.byTypeArgumentsClosest(Throwable.class, Object.class));
        return handler.handle(request, fault);
    }
}
