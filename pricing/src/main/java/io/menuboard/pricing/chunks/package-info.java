/**
 * Owns chunks: lines of one store and channel of a change set that are written together. Plans what writing them takes, and
 * decides between sets that change the same price. Knows change sets only by their ids.
 */
@NullMarked
package io.menuboard.pricing.chunks;

import org.jspecify.annotations.NullMarked;
