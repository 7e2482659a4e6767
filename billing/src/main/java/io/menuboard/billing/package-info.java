/**
 * Owns what partners are billed: billable transactions, and the report runs that put each of them in exactly one
 * report.
 */
@NullMarked
package io.menuboard.billing;

import org.jspecify.annotations.NullMarked;
