/**
 * Owns stores, and what every product costs in every store and when that changes: base prices of products and swap
 * prices of combo options, per channel, each with a store-local effective date.
 */
@NullMarked
package io.menuboard.pricing;

import org.jspecify.annotations.NullMarked;
