package io.menuboard.webadmin.uploads;

import io.menuboard.billing.transactions.TransactionFile;
import io.menuboard.tasks.Json;
import io.menuboard.webadmin.uploads.UploadPlaces.Place;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.web.router.RouteAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the headers alone whether an upload is taken in, before a byte of it is stored: it must say how long it is
 * ({@code 411}), be no longer than its route allows ({@code 413}), and find a place ({@code 503}), which it has until it is
 * answered, and which an import shares for as long as it runs.
 */
@Upload
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
public final class UploadFilter {
    private static final String PLACE = "io.menuboard.upload-place";
    private static final String ARRIVAL = "io.menuboard.upload-arrival";
    private static final String RETRY_AFTER_SECONDS = "30";

    /** For the fields and boundaries around a file. */
    private static final long FORM_BYTES = 65_536;

    private final UploadPlaces places;
    private final ArrivingFiles files;
    private final HttpServerConfiguration server;
    private final TransactionFile transactions;
    private final ErrorResponseProcessor<?> answers;

    UploadFilter(
            UploadPlaces places,
            ArrivingFiles files,
            HttpServerConfiguration server,
            TransactionFile transactions,
            ErrorResponseProcessor<?> answers) {
        this.places = places;
        this.files = files;
        this.server = server;
        this.transactions = transactions;
        this.answers = answers;
    }

    /** The place of a request that this filter let pass. */
    public static Place place(HttpRequest<?> request) {
        return request.getAttribute(PLACE, Place.class)
                .orElseThrow(() -> new IllegalStateException("no upload: " + request.getPath()));
    }

    /** Null lets the request pass. */
    @RequestFilter
    @Nullable
    HttpResponse<?> refuse(HttpRequest<?> request) {
        if (bound(request).isEmpty()) {
            // Nothing is there: Micronaut asks the filters of all routes.
            return null;
        }
        var length = request.getHeaders().contentLength();
        if (length.isEmpty()) {
            return refuse(request, UploadRefused.withoutLength());
        }
        var maxBytes = maxBytes(request);
        if (length.getAsLong() > maxBytes) {
            return refuse(request, UploadRefused.tooLarge(maxBytes));
        }
        var place = places.take();
        if (place.isEmpty()) {
            return refuse(request, UploadRefused.tooMany());
        }
        request.setAttribute(PLACE, place.get());
        request.setAttribute(ARRIVAL, files.begin());
        return null;
    }

    /** Also where the client has gone, or what it sent was refused: Micronaut makes an answer all the same. */
    @ResponseFilter
    void leave(HttpRequest<?> request) {
        request.removeAttribute(ARRIVAL, ArrivingFiles.Arrival.class).ifPresent(files::end);
        request.removeAttribute(PLACE, Place.class).ifPresent(Place::leave);
    }

    private static Optional<Upload.Bound> bound(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> route.getAnnotationMetadata().hasAnnotation(Upload.class))
                .map(route -> route.getAnnotationMetadata()
                        .enumValue(Upload.class, Upload.Bound.class)
                        .orElse(Upload.Bound.FILES));
    }

    private long maxBytes(HttpRequest<?> request) {
        var bytes =
                switch (bound(request).orElseThrow()) {
                    case FILES -> Long.MAX_VALUE;
                    case FILE -> server.getMultipart().getMaxFileSize() + FORM_BYTES;
                    case TRANSACTIONS -> transactions.maxBytes() + FORM_BYTES;
                };
        return Math.min(bytes, server.getMaxRequestSize());
    }

    private HttpResponse<?> refuse(HttpRequest<?> request, UploadRefused refused) {
        var response = answer(request, refused);
        if (refused.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response;
    }

    private MutableHttpResponse<?> answer(HttpRequest<?> request, UploadRefused refused) {
        var response = HttpResponse.<Object>status(refused.status());
        if (request.accept().contains(MediaType.APPLICATION_JSON_TYPE)) {
            var error = Map.of("code", refused.code(), "field", "file", "message", refused.text());
            return response.contentType(MediaType.APPLICATION_JSON_TYPE)
                    .body(Json.of(Map.of("errors", List.of(error))).text());
        }
        return answers.processResponse(
                ErrorContext.builder(request)
                        .cause(refused)
                        .errorMessage(refused.text())
                        .build(),
                response);
    }
}
