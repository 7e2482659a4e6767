package io.menuboard.graphql.streams;

import io.menuboard.access.Access;
import io.micronaut.http.HttpRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Executes operations whose answer may be a stream. Thread-safe. */
public interface Operations {

    /**
     * Starts an operation.
     *
     * @param http connection that it came over: what waits for it is given up when that is closed
     */
    Started start(HttpRequest<?> http, Access access, Asked asked);

    /**
     * An operation that has begun.
     *
     * @param outcome never fails, but for what was wrong with the way in which it was asked
     * @param end says that nobody wants it any more: it fetches nothing further, and what waits for it is given up
     */
    record Started(CompletableFuture<Outcome> outcome, Runnable end) {}

    /** An operation with its variables, as a client sent it. */
    sealed interface Asked {
        /** A JSON object, as the body of a POST. */
        record Body(Json object) implements Asked {}

        /** Query string of a GET, which may change nothing; null for none. */
        record Url(@Nullable String query) implements Asked {}
    }

    /** What became of it. All of it in JSON, in one line. */
    sealed interface Outcome {
        /**
         * Nothing was executed.
         *
         * @param status of HTTP
         * @param errors array of GraphQL errors, not empty
         */
        record Refused(int status, Json errors) implements Outcome {}

        /** It has one response, which may have errors. */
        record Answer(Json response) implements Outcome {}

        /**
         * It is a subscription.
         *
         * @param responses for one subscriber, which gets no more than it requests; fails with {@link Failed} alone
         */
        record Events(Publisher<byte[]> responses) implements Outcome {}
    }

    /** A subscription ended because of a fault. */
    final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient byte[] errors;

        /** @param errors array of GraphQL errors in JSON, not empty */
        public Failed(byte[] errors) {
            super("the subscription has failed", null, false, false);
            this.errors = errors;
        }

        byte[] errors() {
            return errors;
        }
    }
}
