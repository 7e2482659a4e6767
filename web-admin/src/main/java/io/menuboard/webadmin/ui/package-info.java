/** The kit that all pages are made of: rendering, addresses, lists, forms, uploads, downloads and error pages. */
@NullMarked
package io.menuboard.webadmin.ui;

import org.jspecify.annotations.NullMarked;
