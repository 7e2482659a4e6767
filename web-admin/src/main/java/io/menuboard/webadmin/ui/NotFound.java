package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;

/** Refusals of what an address names and does not exist; answered with 404. */
public final class NotFound {
    private static final String CODE = "NOT_FOUND";

    private NotFound() {}

    public static InvalidInput of(String field, String sentence) {
        return new InvalidInput(CODE, field, sentence);
    }

    public static boolean is(InvalidInput refused) {
        return refused.code().equals(CODE);
    }
}
