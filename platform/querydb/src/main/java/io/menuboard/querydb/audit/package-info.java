/**
 * The audit trail: who changed what, for a year.
 */
@NullMarked
package io.menuboard.querydb.audit;

import org.jspecify.annotations.NullMarked;
