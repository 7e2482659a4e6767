package io.menuboard.access.http;

import io.menuboard.access.Principal;

/** Outcome of looking at who sends a request. */
public sealed interface Caller {

    /** Who it is, and may do what the grants say. */
    record Known(Principal principal) implements Caller {}

    /** Who it is, and may do nothing but choose a password, as the present one is known to whoever has set it. */
    record MustChangePassword(Principal principal) implements Caller {}

    /** Nobody: the request has no session and no token, or one that is malformed, unknown, expired or revoked. */
    record Nobody() implements Caller {}
}
