/** The kit that all pages are made of: rendering, addresses, forms, uploads and downloads. */
@NullMarked
package io.menuboard.webadmin.ui;

import org.jspecify.annotations.NullMarked;
