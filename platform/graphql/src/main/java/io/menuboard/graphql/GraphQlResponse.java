package io.menuboard.graphql;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import java.util.List;
import java.util.Set;

/** HTTP responses of the endpoint. Browsers neither keep them nor guess their type. */
public final class GraphQlResponse {
    /** As nginx has it: nobody reads the answer, but metrics and logs have no fault of ours to show. */
    static final int CLIENT_CLOSED_REQUEST = 499;

    /** With and without a slash at the end, which routes ignore. */
    private static final Set<String> ENDPOINTS =
            Set.of("/graphql", "/graphql/", "/graphql/stream", "/graphql/stream/", "/graphql/ws", "/graphql/ws/");

    private GraphQlResponse() {}

    /** Whether a request is for the endpoint or one of its streams, whatever its method. */
    public static boolean isEndpoint(HttpRequest<?> request) {
        return ENDPOINTS.contains(request.getPath());
    }

    /**
     * Makes a response the refusal of a request to the endpoint that does not get as far as the endpoint, in the media type
     * that its client accepts.
     *
     * @param response with the status, and with headers that stay
     * @param code stable code for clients
     * @param message for the people who write the client; goes out as it is
     */
    public static MutableHttpResponse<?> refusal(
            HttpRequest<?> request, MutableHttpResponse<?> response, String code, String message) {
        var type = ResponseType.negotiate(request.getHeaders().get(HttpHeaders.ACCEPT))
                .orElse(ResponseType.JSON);
        return with(response, type, GraphQlJson.response(List.of(GraphQlError.of(code, message))));
    }

    static MutableHttpResponse<byte[]> of(int status, ResponseType type, byte[] body) {
        var response = status == CLIENT_CLOSED_REQUEST
                ? HttpResponse.<byte[]>status(status, "Client Closed Request")
                : HttpResponse.<byte[]>status(HttpStatus.valueOf(status));
        return with(response, type, body);
    }

    /** With the length, which Micronaut does not know for HEAD. */
    private static MutableHttpResponse<byte[]> with(MutableHttpResponse<?> response, ResponseType type, byte[] body) {
        return response.body(body)
                .contentType(type.contentType())
                .contentLength(body.length)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Content-Type-Options", "nosniff");
    }
}
