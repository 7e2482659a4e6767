/** Owns revisions: which state of a store's prices there is, so that whoever remembers them can tell whether they still are so. */
@NullMarked
package io.menuboard.pricing.revisions;

import org.jspecify.annotations.NullMarked;
