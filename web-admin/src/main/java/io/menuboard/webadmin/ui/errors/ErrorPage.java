package io.menuboard.webadmin.ui.errors;

import org.jspecify.annotations.Nullable;

/**
 * View model of {@code error}.
 *
 * @param errorId what the log has the details under, null where nobody needs them
 * @param back where to go from here, null where only the browser can go on
 * @param search null where there is nothing to search
 * @param sent to be sent once more; null where that does not help, and where it is not known
 */
record ErrorPage(
        int status,
        String title,
        String text,
        @Nullable String errorId,
        @Nullable String back,
        String backLabel,
        @Nullable Search search,
        @Nullable SentForm sent) {

    ErrorPage(
            int status,
            String title,
            String text,
            @Nullable String errorId,
            @Nullable String back,
            String backLabel,
            @Nullable Search search) {
        this(status, title, text, errorId, back, backLabel, search, null);
    }

    /** A search with what was typed into the address, to be put right. */
    record Search(String action, String label, String field, String typed) {}
}
