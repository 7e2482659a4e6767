/** Servers and samples for tests of pages, and what holds for every page: over HTTP as a client sees it, and in a browser. */
@NullMarked
package io.menuboard.webadmin.pages;

import org.jspecify.annotations.NullMarked;
