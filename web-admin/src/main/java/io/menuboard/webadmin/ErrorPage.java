package io.menuboard.webadmin;

import org.jspecify.annotations.Nullable;

/**
 * View model of {@code error}.
 *
 * @param errorId what the log has the details under, null where nobody needs them
 * @param back where to go from here
 */
record ErrorPage(
        int status, String title, String text, @Nullable String errorId, String back, String backLabel) {}
