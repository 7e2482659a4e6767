package io.menuboard.pricing.changes;

import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.Stores;

/** Stores, versions of their prices, and history of these. */
record PriceBook(Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history) {}
