package io.menuboard.access.http;

import io.menuboard.access.Principal;
import io.micronaut.http.HttpRequest;

/** Tells who sends a request, by its headers. Called on a thread that must not wait. */
@FunctionalInterface
public interface Principals {
    Principal of(HttpRequest<?> request);
}
