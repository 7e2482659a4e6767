/** Counts of tasks: how queues stand, what happened to tasks lately, and how far behind the work is. */
@NullMarked
package io.menuboard.tasks.statistics;

import org.jspecify.annotations.NullMarked;
