package io.menuboard.webadmin.prices;

import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/** View model of {@code products/search}. */
record ProductSearchPage(String product, @Nullable Problem problem) {}
