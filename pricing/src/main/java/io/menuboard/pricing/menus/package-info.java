/** Owns menus: all that a store sells through a channel, as a till shows it. */
@NullMarked
package io.menuboard.pricing.menus;

import org.jspecify.annotations.NullMarked;
