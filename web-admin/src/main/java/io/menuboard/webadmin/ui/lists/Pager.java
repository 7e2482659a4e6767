package io.menuboard.webadmin.ui.lists;

import org.jspecify.annotations.Nullable;

/**
 * The two ways on from a page of a list, for {@code components :: pager}.
 *
 * @param previous address of the page before this one, null where there is none
 * @param next address of the page after this one, null where there is none
 */
record Pager(@Nullable String previous, @Nullable String next, String previousLabel, String nextLabel) {
    static final Pager NONE = new Pager(null, null, "Previous", "Next");
}
