/** Tasks that somebody watches. */
@NullMarked
package io.menuboard.tasks.updates;

import org.jspecify.annotations.NullMarked;
