/**
 * Owns subscriptions to changes of prices: who is told of what takes effect in a store and channel, exactly once and in order, also
 * after having been away. Knows of changes by revisions, the log of what was changed at once, and versions.
 */
@NullMarked
package io.menuboard.pricing.subscriptions;

import org.jspecify.annotations.NullMarked;
