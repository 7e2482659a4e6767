/** Change sets that somebody watches. */
@NullMarked
package io.menuboard.pricing.updates;

import org.jspecify.annotations.NullMarked;
