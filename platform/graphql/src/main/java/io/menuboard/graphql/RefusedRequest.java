package io.menuboard.graphql;

/**
 * A request that is not executed, such as one that is not well-formed GraphQL over HTTP, and how to answer it. Without stack
 * trace: it says nothing about this program.
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

    /** Whether the same request may be served a little later. */
    boolean isPassing() {
        return status == 429 || status == 503;
    }

    GraphQlError error() {
        return GraphQlError.of(code, String.valueOf(getMessage()));
    }
}
