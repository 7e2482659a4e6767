/** Pages of billing: report runs, agencies, transactions and commission rules. */
@NullMarked
package io.menuboard.webadmin.billing;

import org.jspecify.annotations.NullMarked;
