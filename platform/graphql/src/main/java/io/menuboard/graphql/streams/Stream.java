package io.menuboard.graphql.streams;

/** Something that stays open to a client, as {@link OpenStreams} sees it. Thread-safe. */
interface Stream {

    /** Called several times a second. Never blocks. */
    void tick(long nanos);

    /** Tells the client, and closes. Once; does nothing where it is closed already. */
    void end(Ending ending);

    /** Why a stream is ended by this instance. */
    enum Ending {
        STOPPING("STOPPING", "this instance stops: subscribe again"),
        UNAUTHENTICATED("UNAUTHENTICATED", "the session or token has ended: sign in"),
        ACCESS_CHANGED("ACCESS_CHANGED", "what may be seen has changed: subscribe again"),
        ACCESS_UNKNOWN("UNAVAILABLE", "it cannot be found out what may be seen: subscribe again");

        private final String code;
        private final String message;

        Ending(String code, String message) {
            this.code = code;
            this.message = message;
        }

        String message() {
            return message;
        }

        /** Array with one GraphQL error. */
        byte[] errors() {
            return StreamErrors.of(code, message);
        }
    }
}
