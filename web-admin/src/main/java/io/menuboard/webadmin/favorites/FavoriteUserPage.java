package io.menuboard.webadmin.favorites;

import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/** View model of {@code favorites/user}: what a user has marked, the newest first. */
record FavoriteUserPage(String user, String href, Listing list, List<FavoriteRow> rows) {}
