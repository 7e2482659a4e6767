package io.menuboard.local;

import io.micronaut.core.io.ResourceLoader;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.types.files.StreamedFile;
import org.jspecify.annotations.Nullable;

/** Shows GraphiQL to who opens the endpoint in a browser; in production such a request is not acceptable. */
@ServerFilter("/graphql")
final class GraphiQl {
    private static final String PAGE = "classpath:graphiql/index.html";

    private final ResourceLoader resources;

    GraphiQl(ResourceLoader resources) {
        this.resources = resources;
    }

    /** Null lets the request pass. */
    @RequestFilter
    @Nullable
    HttpResponse<?> show(HttpRequest<?> request) {
        var isBrowser = request.getMethod() == HttpMethod.GET
                && request.accept().contains(MediaType.TEXT_HTML_TYPE)
                && !request.getParameters().contains("query");
        return isBrowser
                ? resources
                        .getResource(PAGE)
                        .map(page -> HttpResponse.ok(new StreamedFile(page)))
                        .orElseThrow()
                : null;
    }
}
