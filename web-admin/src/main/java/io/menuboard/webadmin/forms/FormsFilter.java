package io.menuboard.webadmin.forms;

import io.menuboard.access.http.TakesNoForms;
import io.menuboard.accounts.http.BrowserSecret;
import io.menuboard.webadmin.ui.errors.SentForm;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.filter.FilterBodyParser;
import io.micronaut.web.router.RouteAttributes;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Refuses requests that may change something and do not have the token of a form ({@link FormTokens}): in the header
 * {@code X-CSRF-TOKEN}, or else, as {@link FormsDialect} has browsers send it, in the field {@code csrfToken}; in the address
 * where the form has a file, so that it is refused before any of the file is stored. Clients that send a token of their own
 * as {@code Authorization: Bearer} need none, because no browser sends that by itself.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(FormsFilter.ORDER)
final class FormsFilter {
    /** Behind what finds out who sends a request, and before what takes a place for an upload. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 110;

    private static final String BEARER = "bearer ";

    private final FilterBodyParser bodies;

    FormsFilter(FilterBodyParser bodies) {
        this.bodies = bodies;
    }

    /**
     * Reads the body of a form without files alone, which is held in memory for its route in any case.
     *
     * @return the same, to go on with: where nothing comes later, Micronaut 4.10 ends the request
     * @throws ForeignForm (later) without the token
     */
    @RequestFilter
    CompletableFuture<HttpRequest<?>> admit(HttpRequest<?> request) {
        if (!needsToken(request)) {
            return CompletableFuture.completedFuture(request);
        }
        return sent(request).thenApply(token -> {
            if (!FormTokens.isOf(request, token)) {
                throw new ForeignForm();
            }
            return request;
        });
    }

    /** Where a page had a form, and the browser nothing yet that its token could belong to. */
    @ResponseFilter
    void give(HttpRequest<?> request, MutableHttpResponse<?> response) {
        BrowserSecret.given(request).ifPresent(response::cookie);
    }

    private static boolean needsToken(HttpRequest<?> request) {
        var changesSomething =
                switch (request.getMethod()) {
                    case GET, HEAD, OPTIONS, TRACE -> false;
                    default -> true;
                };
        return changesSomething
                && RouteAttributes.getRouteMatch(request)
                        .filter(route -> !route.getAnnotationMetadata().hasAnnotation(TakesNoForms.class))
                        .isPresent()
                && !Objects.requireNonNullElse(request.getHeaders().get(HttpHeaders.AUTHORIZATION), "")
                        .toLowerCase(Locale.ROOT)
                        .startsWith(BEARER);
    }

    /** The token that a request has, or nothing. */
    private CompletableFuture<String> sent(HttpRequest<?> request) {
        var header = request.getHeaders().get(FormTokens.HEADER);
        if (header != null) {
            return CompletableFuture.completedFuture(header);
        }
        var type = request.getContentType().orElse(MediaType.ALL_TYPE);
        if (type.equals(MediaType.MULTIPART_FORM_DATA_TYPE)) {
            return CompletableFuture.completedFuture(
                    request.getParameters().getFirst(FormTokens.FIELD).orElse(""));
        }
        if (type.equals(MediaType.APPLICATION_FORM_URLENCODED_TYPE)) {
            return bodies.parseBody(request)
                    .exceptionally(FormsFilter::withoutFields)
                    .thenApply(fields -> {
                        SentForm.keep(request, fields, FormTokens.FIELD);
                        return fields.get(FormTokens.FIELD) instanceof String token ? token : "";
                    });
        }
        return CompletableFuture.completedFuture("");
    }

    /** Of a body that is no form; what else went wrong is not about forms. */
    private static Map<String, Object> withoutFields(Throwable fault) {
        var cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof IllegalArgumentException) {
            return Map.of();
        }
        throw fault instanceof CompletionException known ? known : new CompletionException(cause);
    }
}
