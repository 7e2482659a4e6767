package io.menuboard.webadmin.ui;

import org.jspecify.annotations.Nullable;

/**
 * View model of {@code error}.
 *
 * @param errorId what the log has the details under, null where nobody needs them
 * @param back where to go from here, null where only the browser can go on
 * @param search null where there is nothing to search
 */
record ErrorPage(
        int status,
        String title,
        String text,
        @Nullable String errorId,
        @Nullable String back,
        String backLabel,
        @Nullable Search search) {

    /** A search with what was typed into the address, to be put right. */
    record Search(String action, String label, String field, String typed) {}
}
