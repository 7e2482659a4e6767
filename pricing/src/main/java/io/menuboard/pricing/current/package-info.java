/** Owns prices in effect, as tills and apps ask for them all the time: from memory, as good as from the table. */
@NullMarked
package io.menuboard.pricing.current;

import org.jspecify.annotations.NullMarked;
