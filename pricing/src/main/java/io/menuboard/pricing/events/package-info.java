/** Owns events that tell other systems of changed prices, and their replay from price history. */
@NullMarked
package io.menuboard.pricing.events;

import org.jspecify.annotations.NullMarked;
