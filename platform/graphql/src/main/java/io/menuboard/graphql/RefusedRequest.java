package io.menuboard.graphql;

/**
 * An HTTP request that is not a well-formed GraphQL-over-HTTP request, and how to answer it. Without stack trace: it
 * says nothing about this program.
 */
final class RefusedRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    /**
     * @param status HTTP status, whatever the media type of the answer
     * @param code stable code for clients
     * @param message for the people who write the client; it goes out as it is
     */
    RefusedRequest(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    GraphQlError error() {
        return GraphQlError.of(code, String.valueOf(getMessage()));
    }
}
