package io.menuboard.webadmin;

import io.menuboard.querydb.InvalidInput;

/** What an address names and does not exist. */
final class NotFound {
    static final String CODE = "NOT_FOUND";

    private NotFound() {}

    static InvalidInput store(String id) {
        return new InvalidInput(CODE, "store", "There is no store " + id + ".");
    }
}
