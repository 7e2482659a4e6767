/** Owns report runs, which put each billable transaction in exactly one report, and the files that they write. */
@NullMarked
package io.menuboard.billing.reports;

import org.jspecify.annotations.NullMarked;
