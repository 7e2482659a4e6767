/** Price changes of the running application, asked for and made over HTTP. */
@NullMarked
package io.menuboard.app.changes;

import org.jspecify.annotations.NullMarked;
