/** Uploads: which are taken in, decided before a byte is stored. */
@NullMarked
package io.menuboard.webadmin.uploads;

import org.jspecify.annotations.NullMarked;
