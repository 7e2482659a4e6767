/** Tasks of the running application, asked and changed over HTTP. */
@NullMarked
package io.menuboard.app.tasks;

import org.jspecify.annotations.NullMarked;
