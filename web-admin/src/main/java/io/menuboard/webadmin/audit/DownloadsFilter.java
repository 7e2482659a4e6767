package io.menuboard.webadmin.audit;

import io.menuboard.access.http.RequestAccess;
import io.menuboard.audit.Audit;
import io.menuboard.kernel.Actor;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.RouteAttributes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records every file that goes out, before its first byte does: lists as CSV, and files of reports. Where that cannot be recorded,
 * no file goes out, and the answer is that of a fault. None goes out to who asks for headers alone: whatever was opened for them
 * is closed, which nobody else does.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class DownloadsFilter {
    private final Audit audit;

    DownloadsFilter(Audit audit) {
        this.audit = audit;
    }

    @ResponseFilter
    void record(HttpRequest<?> request, HttpResponse<?> response) {
        if (request.getMethod() == HttpMethod.HEAD) {
            close(RouteAttributes.getHeadBody(response));
            return;
        }
        if (response.code() != HttpStatus.OK.getCode() || !isFile(response)) {
            return;
        }
        var recorded = false;
        try {
            audit.downloaded(RequestAccess.of(request, Actor.Source.PAGE), request.getPath(), parameters(request));
            recorded = true;
        } finally {
            if (!recorded) {
                close(response.getBody());
            }
        }
    }

    private static boolean isFile(HttpResponse<?> response) {
        var disposition = response.getHeaders().get(HttpHeaders.CONTENT_DISPOSITION);
        return disposition != null && disposition.startsWith("attachment");
    }

    private static Map<String, String> parameters(HttpRequest<?> request) {
        var parameters = new LinkedHashMap<String, String>();
        request.getParameters().forEach((name, values) -> parameters.put(name, String.join(", ", values)));
        return parameters;
    }

    private static void close(Optional<?> body) {
        if (body.isPresent() && body.get() instanceof InputStream file) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
