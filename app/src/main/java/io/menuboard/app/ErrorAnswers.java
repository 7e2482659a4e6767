package io.menuboard.app;

import io.menuboard.access.Denied;
import io.menuboard.app.WellFormedRequests.Malformed;
import io.menuboard.graphql.GraphQlResponse;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.AnswerHeaders;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.exceptions.response.HtmlErrorResponseBodyProvider;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of errors, also of Micronaut's own: GraphQL errors at the GraphQL endpoint; elsewhere a page for who accepts
 * HTML and not JSON, and for the others JSON, {@code {"errors": [{"code", "field", "message"}]}}, as that of imports is.
 * Those of 503 say when to try again. Of a URL that is too long nothing is known; only GraphQL has such URLs.
 */
@Singleton
final class ErrorAnswers implements ErrorResponseProcessor<Object> {
    private static final String RETRY_AFTER_SECONDS = "1";

    private final HtmlErrorResponseBodyProvider html;
    private final NettyHttpServerConfiguration server;

    ErrorAnswers(HtmlErrorResponseBodyProvider html, NettyHttpServerConfiguration server) {
        this.html = html;
        this.server = server;
    }

    @Override
    @SuppressWarnings("unchecked") // what Micronaut's own does
    public MutableHttpResponse<Object> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        var request = context.getRequest();
        if (response.code() == HttpStatus.SERVICE_UNAVAILABLE.getCode()
                && !response.getHeaders().contains(HttpHeaders.RETRY_AFTER)) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        var unread = unread(request);
        var message = context.getErrors().isEmpty()
                ? response.reason()
                : context.getErrors().getFirst().getMessage();
        switch (unread) {
            case TooLongHttpLineException _ -> {
                response.status(HttpStatus.REQUEST_URI_TOO_LONG);
                message = "the URL may have at most " + server.getMaxInitialLineLength()
                        + " characters: ask for less, or send longer documents by POST";
            }
            case TooLongHttpHeaderException _ -> {
                response.status(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
                message = "the headers may have at most " + server.getMaxHeaderSize() + " characters together";
            }
            case Malformed malformed -> {
                response.status(malformed.status());
                if (malformed.status() == HttpStatus.UNSUPPORTED_MEDIA_TYPE) {
                    // RFC 9110, section 12.5.3
                    response.header(HttpHeaders.ACCEPT_ENCODING, "identity");
                }
                message = String.valueOf(malformed.getMessage());
            }
            case Throwable _ -> message = "the request line or a header is not well-formed";
            case null -> {}
        }
        if (unread != null) {
            AnswerHeaders.protect(response);
        }
        if (GraphQlResponse.isEndpoint(request) || unread instanceof TooLongHttpLineException) {
            return (MutableHttpResponse<Object>)
                    GraphQlResponse.refusal(request, response, code(response.code()), message);
        }
        if (request.getMethod() == HttpMethod.HEAD) {
            return (MutableHttpResponse<Object>) response;
        }
        if (response.code() >= HttpStatus.BAD_REQUEST.getCode() && isForPeople(request)) {
            return response.body((Object) html.body(context, response)).contentType(html.contentType());
        }
        return response.body((Object) Map.of("errors", List.of(error(context, response.code(), message))))
                .contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** For programs: a stable code, a sentence, and which field is wrong where it is one. */
    private static Map<String, String> error(ErrorContext context, int status, String message) {
        return switch (context.getRootCause().orElse(null)) {
            case InvalidInput refused -> Map.of("code", refused.code(), "field", refused.field(), "message", message);
            case Denied _ -> Map.of("code", "PERMISSION_DENIED", "message", message);
            case null, default -> Map.of("code", code(status), "message", message);
        };
    }

    private static String code(int status) {
        return switch (HttpStatus.valueOf(status)) {
            case INTERNAL_SERVER_ERROR -> "INTERNAL";
            case SERVICE_UNAVAILABLE -> "UNAVAILABLE";
            case UNAUTHORIZED -> "UNAUTHENTICATED"; // which is what the status means (RFC 9110, section 15.5.2)
            case HttpStatus other -> other.name();
        };
    }

    private static boolean isForPeople(HttpRequest<?> request) {
        var accepted = request.accept();
        return accepted.contains(MediaType.TEXT_HTML_TYPE)
                && accepted.stream().noneMatch(type -> type.matchesExtension(MediaType.EXTENSION_JSON));
    }

    /** Why the request could not be read; null where it could. */
    private static @Nullable Throwable unread(HttpRequest<?> request) {
        return request instanceof NettyHttpRequest<?> netty
                ? netty.getNativeRequest().decoderResult().cause()
                : null;
    }
}
