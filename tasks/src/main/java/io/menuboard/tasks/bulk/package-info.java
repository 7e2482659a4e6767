/** Changes to all tasks that a filter finds, as an operation whose outcome is kept for each of them. */
@NullMarked
package io.menuboard.tasks.bulk;

import org.jspecify.annotations.NullMarked;
