/**
 * Owns billable transactions: what partners have a share of, recorded once for each id, and counted by the quarter hour
 * of arrival. Nothing here knows of reports.
 */
@NullMarked
package io.menuboard.billing.transactions;

import org.jspecify.annotations.NullMarked;
