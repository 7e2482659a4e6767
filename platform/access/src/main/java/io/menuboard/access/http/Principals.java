package io.menuboard.access.http;

import io.micronaut.http.HttpRequest;
import java.util.concurrent.CompletableFuture;

/** Tells who sends a request, by its headers. */
@FunctionalInterface
public interface Principals {
    /**
     * Done already where it takes no read. Never blocks: it is called on the thread of a connection. Fails where it cannot be
     * found out now; that is no reason to take the sender for nobody.
     */
    CompletableFuture<Caller> of(HttpRequest<?> request);
}
