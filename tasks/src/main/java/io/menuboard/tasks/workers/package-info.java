/** Workers inside an instance: handlers that contexts register for Menuboard's own operations. */
@NullMarked
package io.menuboard.tasks.workers;

import org.jspecify.annotations.NullMarked;
