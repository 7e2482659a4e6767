/**
 * Owns changes of prices: change sets that are drafted, previewed, applied, rescheduled, cancelled and undone, and the
 * batches of changes that take effect together.
 */
@NullMarked
package io.menuboard.pricing.changes;

import org.jspecify.annotations.NullMarked;
