/**
 * What tells every instance of changes (ADR 32): a queue of its own, which subscribes to the topic of changes while the
 * instance lives, and the interface through which contexts hear of them. Nothing here knows what a change is about.
 */
@NullMarked
package io.menuboard.messaging.feed;

import org.jspecify.annotations.NullMarked;
