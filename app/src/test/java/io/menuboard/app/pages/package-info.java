/** The admin pages of the running application: over HTTP as a client sees them, and in a browser. */
@NullMarked
package io.menuboard.app.pages;

import org.jspecify.annotations.NullMarked;
