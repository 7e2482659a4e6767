/** The audit trail: who did what, when, and through which door; and the record of each file that goes out. */
@NullMarked
package io.menuboard.webadmin.audit;

import org.jspecify.annotations.NullMarked;
