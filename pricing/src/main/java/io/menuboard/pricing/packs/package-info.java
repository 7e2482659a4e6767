/** Owns price packs: files with the prices of a store and channel for the days to come, for tills that have no network. */
@NullMarked
package io.menuboard.pricing.packs;

import org.jspecify.annotations.NullMarked;
