/** Pages of price changes: change sets, their calendar, and the history of a price. */
@NullMarked
package io.menuboard.webadmin.changes;

import org.jspecify.annotations.NullMarked;
