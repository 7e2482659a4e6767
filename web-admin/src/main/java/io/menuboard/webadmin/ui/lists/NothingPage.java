package io.menuboard.webadmin.ui.lists;

import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code nothing}: a page in place of a question that has no object.
 *
 * @param section of the navigation
 * @param crumbs pages above this one
 * @param notice about the form that led here, or null
 */
public record NothingPage(
        String section,
        List<Reference> crumbs,
        String title,
        @Nullable Notice notice,
        Listing.Empty empty) {

    /** Sentence with a page that tells more. */
    public record Notice(String text, Reference more) {}
}
