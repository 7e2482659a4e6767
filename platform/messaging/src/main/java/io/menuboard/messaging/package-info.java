/**
 * Messages of queues and periodic jobs: consumers, dead letters, and the interfaces through which contexts handle messages
 * and have jobs run. Nothing here knows what a message is about.
 */
@NullMarked
package io.menuboard.messaging;

import org.jspecify.annotations.NullMarked;
