/**
 * Reads the audit trail, over all contexts: who did what, when, and through which door. Contexts write it themselves, with what
 * they change.
 */
@NullMarked
package io.menuboard.audit;

import org.jspecify.annotations.NullMarked;
