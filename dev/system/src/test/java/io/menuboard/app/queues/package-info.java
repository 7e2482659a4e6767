/** Queues, schedules and events, against the servers that stand in for AWS. */
@NullMarked
package io.menuboard.app.queues;

import org.jspecify.annotations.NullMarked;
