package io.menuboard.webadmin;

import org.jspecify.annotations.Nullable;

/** View model of {@code products/search}. */
record ProductSearchPage(String product, @Nullable Problem problem) {}
