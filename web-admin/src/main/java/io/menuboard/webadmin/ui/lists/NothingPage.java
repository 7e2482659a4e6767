package io.menuboard.webadmin.ui.lists;

import io.menuboard.webadmin.ui.Reference;
import java.util.List;

/**
 * View model of {@code nothing}: a page in place of a question that has no object.
 *
 * @param section of the navigation
 * @param crumbs pages above this one
 */
public record NothingPage(String section, List<Reference> crumbs, String title, Listing.Empty empty) {}
