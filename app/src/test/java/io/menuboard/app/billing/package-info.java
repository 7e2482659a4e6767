/** Billing of the running application, asked and changed over HTTP. */
@NullMarked
package io.menuboard.app.billing;

import org.jspecify.annotations.NullMarked;
