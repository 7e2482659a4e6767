/** Whole instances, as they are shipped, in processes of their own. */
@NullMarked
package io.menuboard.instances;

import org.jspecify.annotations.NullMarked;
