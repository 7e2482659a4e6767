package io.menuboard.graphql;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import java.util.List;

/** HTTP responses of the endpoint. Browsers neither keep them nor guess their type. */
public final class GraphQlResponse {
    /** As nginx has it: nobody reads the answer, but metrics and logs have no fault of ours to show. */
    static final int CLIENT_CLOSED_REQUEST = 499;

    private GraphQlResponse() {}

    /**
     * Refusal of a request to the endpoint that does not get as far as the endpoint.
     *
     * @param code stable code for clients
     * @param message for the people who write the client; goes out as it is
     */
    public static HttpResponse<?> refusal(HttpStatus status, String code, String message) {
        return of(status.getCode(), ResponseType.JSON, GraphQlJson.response(List.of(GraphQlError.of(code, message))));
    }

    static MutableHttpResponse<byte[]> of(int status, ResponseType type, byte[] body) {
        var response = status == CLIENT_CLOSED_REQUEST
                ? HttpResponse.<byte[]>status(status, "Client Closed Request")
                : HttpResponse.<byte[]>status(HttpStatus.valueOf(status));
        return response.contentType(type.contentType())
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .body(body);
    }
}
