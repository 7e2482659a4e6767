/**
 * The audit trail: who changed what, for two years unless {@code menuboard.audit.retention} says otherwise.
 */
@NullMarked
package io.menuboard.querydb.audit;

import org.jspecify.annotations.NullMarked;
