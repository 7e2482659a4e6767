/** Pages of tasks, workers and queues. */
@NullMarked
package io.menuboard.webadmin.tasks;

import org.jspecify.annotations.NullMarked;
