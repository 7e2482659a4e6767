package io.menuboard.pricing.batches;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;

/**
 * All changes of one store and channel that take effect together: the unit that is scheduled, and applied.
 *
 * @param effectiveDate on the store's own clock
 */
public record PriceBatch(StoreId store, Channel channel, EffectiveDate effectiveDate) {}
