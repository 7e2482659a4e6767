/**
 * Owns batches of price changes: all of one store and channel that take effect together, from when they are scheduled
 * until each of them has its history. Knows change sets only by their ids.
 */
@NullMarked
package io.menuboard.pricing.batches;

import org.jspecify.annotations.NullMarked;
