/** Owns imports of stores, prices and price changes from CSV files; prices are imported as change sets. */
@NullMarked
package io.menuboard.pricing.imports;

import org.jspecify.annotations.NullMarked;
