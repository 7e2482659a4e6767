/**
 * Agreement between instances, kept in the table: leases, idempotency keys, settings that all must share, and the time.
 */
@NullMarked
package io.menuboard.querydb.coordination;

import org.jspecify.annotations.NullMarked;
