/** Pages of stores, products and their prices. */
@NullMarked
package io.menuboard.webadmin.prices;

import org.jspecify.annotations.NullMarked;
