/** Servers and samples for tests of pages, and what holds for every page. */
@NullMarked
package io.menuboard.webadmin.pages;

import org.jspecify.annotations.NullMarked;
