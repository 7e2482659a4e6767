/**
 * What happens later: the queues that this instance consumes, and what it asks AWS to do at its time. Handlers belong to
 * the contexts; nothing here decides anything.
 */
@NullMarked
package io.menuboard.app.queues;

import org.jspecify.annotations.NullMarked;
