/**
 * Deferred work: the queues that this instance consumes, and the schedules that it sets on AWS. Handlers belong to
 * the contexts; nothing here decides anything.
 */
@NullMarked
package io.menuboard.app.queues;

import org.jspecify.annotations.NullMarked;
